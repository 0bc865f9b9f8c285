/**
 * The rows of a fuzzed service and its callers. Every account's rows carry a mark in each text, and numbers and ids of
 * their own, so that whatever of them comes out where it must not is known at sight.
 */
import type { Service } from '../setup/service.ts';

/** Whose row it is, and by what it is recognised. */
export interface Owner {
  account: string;
  /** In every text of its rows. */
  mark: string;
  /** The ids of its quotes begin with it. */
  idPrefix: string;
  price: string;
  rosterCount: number;
}

const ownerOf = (tag: string, number: number): Owner => ({
  account: `${tag.repeat(4)}-0000-4000-8000-0000000000ac`,
  mark: `Wq7${tag}Kx`,
  idPrefix: `${tag.repeat(4)}-`,
  price: `64${number}1.0${number}`,
  rosterCount: 731_000 + number,
});

export const owners = {
  ann: ownerOf('a1', 1),
  ben: ownerOf('b1', 2),
  cleo: ownerOf('c1', 3),
  lions: ownerOf('c2', 4),
  tigers: ownerOf('c3', 5),
  /** Nobody signs in for it. */
  nobody: ownerOf('d1', 6),
};

/** Cleo acts for two teams as well. */
const people = {
  ann: [owners.ann],
  ben: [owners.ben],
  cleo: [owners.cleo, owners.lions, owners.tigers],
};

export type Person = keyof typeof people;

/** What no customer reads: the staff's notes, and graphics that are not offered. */
const internal = 'Wq7internalKx';
const withheld = 'Wq7withheldKx';
const withheldIdPrefix = 'e2e2e2e2-';
/** Of system messages, which every signed-in caller reads. */
const system = 'Wq7systemKx';
const everyone = '00000000-0000-0000-0000-000000000000';

export const quoteStatuses = ['draft', 'draft', 'submitted', 'quoted', 'approved', 'ordered', 'cancelled'];

export const quoteId = ({ idPrefix }: Owner, index: number): string =>
  `${idPrefix}0000-4000-8000-00000000000${index}`;
export const graphicId = (index: number, isOffered: boolean): string =>
  `${isOffered ? 'e1e1e1e1-' : withheldIdPrefix}0000-4000-8000-00000000000${index}`;
export const notificationId = (owner: Owner, index: number): number =>
  (owner.rosterCount - 731_000) * 100 + index;

export interface FuzzCaller {
  name: string;
  kind: 'anonymous' | 'customer' | 'staff' | 'nobody';
  /** `apikey` and `authorization`, as far as there are any. */
  headers: Record<string, string>;
  owns: Owner[];
  /** What must not be in any answer to it, unless it was in the request. */
  secrets: string[];
}

const secretsOf = ({ mark, idPrefix, price, rosterCount }: Owner): string[] => [
  mark,
  idPrefix,
  price,
  String(rosterCount),
];

function secretsFor(owns: Owner[], isSignedIn: boolean): string[] {
  const foreign = Object.values(owners).filter(owner => !owns.includes(owner));
  return [
    ...foreign.flatMap(secretsOf),
    internal,
    withheld,
    withheldIdPrefix,
    ...(isSignedIn ? [] : [system]),
  ];
}

/** Every kind of caller that the service lets in. */
export async function callersOf(service: Service): Promise<FuzzCaller[]> {
  const { secretKey } = service;
  const customers = Object.entries(people).map(async ([name, owns]): Promise<FuzzCaller> => {
    const [personal, ...teams] = owns.map(({ account }) => account);
    const token = await service.token({ account: personal ?? '', also: teams });
    return { name, kind: 'customer', headers: service.headers(token), owns, secrets: secretsFor(owns, true) };
  });
  const staff = await service.token({ account: 'f1f1f1f1-0000-4000-8000-0000000000ac', staff: true });
  const all = Object.values(owners);
  return [
    {
      name: 'anonymous',
      kind: 'anonymous',
      headers: service.headers(),
      owns: [],
      secrets: secretsFor([], false),
    },
    ...(await Promise.all(customers)),
    { name: 'staff', kind: 'staff', headers: service.headers(staff), owns: all, secrets: [] },
    {
      name: 'secret key',
      kind: 'staff',
      headers: { apikey: secretKey, authorization: `Bearer ${secretKey}` },
      owns: all,
      secrets: [],
    },
  ];
}

/** Writes the rows; `only` those that this person may see, and without what is kept from it. */
export async function populate({ sql }: Service, only?: Person): Promise<void> {
  const created = (index: number) => new Date(Date.UTC(2026, 4, 20) - index * 3_600_000).toISOString();
  const times = (index: number) => ({ created_at: created(index), updated_at: created(index) });
  for (const owner of only ? people[only] : Object.values(owners)) {
    const { account, mark } = owner;
    const address = sql.json({ street: mark, city: mark });
    for (const [index, status] of quoteStatuses.entries()) {
      await sql`insert into builder.quotes ${sql({
        ...times(index),
        id: quoteId(owner, index),
        account_id: account,
        quote_number: `QT-${7000 + (owner.rosterCount % 100)}-0000${index}`,
        status,
        product_id: account,
        sport: mark,
        customization: sql.json({ team: mark, numbers: [1, 2], [mark]: { deep: mark } }),
        colors: sql.json({ primary: mark }),
        size_breakdown: sql.json({ [mark]: 3 }),
        shipping_address: address,
        billing_address: address,
        roster_count: owner.rosterCount,
        unit_price: owner.price,
        total_price: owner.price,
        submitted_at: status === 'draft' ? null : created(index),
        quoted_at: created(index),
        approved_at: created(index),
        expires_at: index < 4 ? '2036-01-01' : null,
        deleted_at: index === 1 ? created(index) : null,
        internal_notes: only ? null : `${internal} ${mark}`,
        ...Object.fromEntries(
          ['preview_front_url', 'preview_back_url', 'customer_notes', 'contact_name', 'contact_email']
            .concat('contact_phone', 'company', 'tool_2d', 'techpack_file', 'avatar_preview')
            .map(name => [name, `${mark} ${name}`]),
        ),
      })}`;
    }
    for (const index of [0, 1, 2]) {
      await sql`insert into builder.notifications ${sql({
        id: notificationId(owner, index),
        account_id: account,
        body: `${mark} body`,
        link: `${mark} link`,
        dismissed: index === 0,
        created_at: created(index),
      })}`;
    }
    await sql`insert into builder.idempotency_keys (caller, key, fingerprint, answer)
      values (${`builder_customer ${account}`}, 'kept', 'of another request', ${sql.json({ body: mark, page_total: '1' })})`;
  }
  await sql`insert into builder.notifications (id, account_id, body, dismissed, created_at)
    values (7, ${everyone}, ${`${system} body`}, false, ${created(9)})`;
  for (const index of [0, 1, 2, 3]) {
    for (const isOffered of only ? [true] : [true, false]) {
      const text = isOffered ? 'Eagle' : withheld;
      await sql`insert into builder.graphics ${sql({
        ...times(index),
        id: graphicId(index, isOffered),
        name: `${text} ${index}`,
        code: `${isOffered ? 'EAGLE' : 'GONE'}-${index}`,
        file_url: `https://cdn.test/${text}.svg`,
        file_format: 'svg',
        description: text,
        tags: sql.array([text, 'bird']),
        is_active: isOffered || index > 1,
        deleted_at: isOffered || index < 2 ? null : created(index),
      })}`;
    }
  }
}

/** What nobody but staff may have changed: rows of others, the staff's columns, the graphics. */
export async function untouchable({ sql }: Service): Promise<unknown> {
  const ours = Object.values(owners).flatMap(owner => quoteStatuses.map((_, index) => quoteId(owner, index)));
  return {
    quotes: await sql`select * from builder.quotes where account_id = ${owners.nobody.account} order by id`,
    columns: await sql`
      select id, internal_notes, unit_price, total_price, quoted_at, quoted_by, expires_at, fulfillment_status
      from builder.quotes where id = any (${ours}) order by id`,
    notifications: await sql`
      select * from builder.notifications where account_id in (${owners.nobody.account}, ${everyone}) order by id`,
    graphics: await sql`select * from builder.graphics order by id`,
    transitions: await sql`select * from builder.quote_transitions order by 1, 2`,
    keys: await sql`
      select * from builder.idempotency_keys
      where caller like ${`%${owners.nobody.account}`} or key = 'kept' order by caller, key`,
    accounts: await sql`select distinct account_id from builder.quotes order by 1`,
  };
}
