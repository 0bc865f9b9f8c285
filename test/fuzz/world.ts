/** Accounts and callers of a fuzzed service. Each account's rows have marks, numbers and ids that nothing else has. */
import type { Collection } from '../../schema/collection.ts';
import type { Service } from '../setup/service.ts';

/** The owner of a row, and the marks by which its rows are recognised. */
export type Owner = ReturnType<typeof ownerOf>;

const firstRosterCount = 1_973_164_000;

const ownerOf = (tag: string, number: number) => ({
  account: `${tag.repeat(4)}-0000-4000-8000-0000000000ac`,
  /** Part of every text in its rows. */
  mark: `Wq7${tag}Kx`,
  /** The ids of its quotes begin with it. */
  idPrefix: `${tag.repeat(4)}-`,
  price: `64${number}1.0${number}`,
  rosterCount: firstRosterCount + number,
});

export const owners = {
  ann: ownerOf('a1', 1),
  ben: ownerOf('b1', 2),
  cleo: ownerOf('c1', 3),
  lions: ownerOf('c2', 4),
  tigers: ownerOf('c3', 5),
  /** An account without a caller. */
  nobody: ownerOf('d1', 6),
};

const { ann, ben, cleo, lions, tigers } = owners;
/** Cleo acts for two teams as well. */
export const people = { ann: [ann], ben: [ben], cleo: [cleo, lions, tigers] };

export type Person = keyof typeof people;

/** The mark of what customers can't read: internal notes and inactive graphics. */
export const internal = 'Wq7internalKx';
export const withheld = 'Wq7withheldKx';
const withheldIdPrefix = 'e2e2e2e2-';
/** The mark of system messages, which every signed-in caller reads. */
export const system = 'Wq7systemKx';

export const quoteStatuses = ['draft', 'draft', 'submitted', 'quoted', 'approved', 'ordered', 'cancelled'];

export const quoteId = ({ idPrefix }: Owner, index: number): string =>
  `${idPrefix}0000-4000-8000-00000000000${index}`;
export const graphicId = (index: number, isOffered: boolean): string =>
  `${isOffered ? 'e1e1e1e1-' : withheldIdPrefix}0000-4000-8000-00000000000${index}`;
/** Returns a key of any other collection: a uuid or a number. */
export const rowId = ({ columns, primaryKey }: Collection, owner: Owner, index: number): string =>
  columns[primaryKey]?.type.postgres === 'uuid'
    ? quoteId(owner, index)
    : String((owner.rosterCount - firstRosterCount) * 100 + index);

export interface FuzzCaller {
  name: string;
  kind: 'anonymous' | 'customer' | 'staff';
  /** `apikey` and `authorization`, if the caller has them. */
  headers: Record<string, string>;
  owns: Owner[];
  /** Texts that no response to this caller may contain, unless the request does. */
  secrets: string[];
}

function secretsFor(owns: Owner[], isSignedIn: boolean): string[] {
  const foreign = Object.values(owners).filter(owner => !owns.includes(owner));
  const marks = foreign.flatMap(one => [one.mark, one.idPrefix, one.price, `${one.rosterCount}`]);
  return [...marks, internal, withheld, withheldIdPrefix, ...(isSignedIn ? [] : [system])];
}

/** Every kind of caller that the service accepts. */
export async function callersOf(service: Service): Promise<FuzzCaller[]> {
  const { secretKey } = service;
  const customers = Object.entries(people).map(async ([name, owns]): Promise<FuzzCaller> => {
    const [personal, ...teams] = owns.map(({ account }) => account);
    const token = await service.token({ account: personal ?? '', also: teams });
    return { name, kind: 'customer', headers: service.headers(token), owns, secrets: secretsFor(owns, true) };
  });
  const staff = { kind: 'staff', owns: Object.values(owners), secrets: [] } as const;
  const token = await service.token({ account: 'f1f1f1f1-0000-4000-8000-0000000000ac', staff: true });
  const secret = { apikey: secretKey, authorization: `Bearer ${secretKey}` };
  const anonymous = { headers: service.headers(), owns: [], secrets: secretsFor([], false) };
  return [
    { name: 'anonymous', kind: 'anonymous', ...anonymous },
    ...(await Promise.all(customers)),
    { name: 'staff', ...staff, secrets: [], headers: service.headers(token) },
    { name: 'secret key', ...staff, secrets: [], headers: secret },
  ];
}
