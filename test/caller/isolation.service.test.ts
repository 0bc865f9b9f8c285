/**
 * Every collection of the schema keeps an account's rows from others: every caller × whose row × method, over HTTP. Who
 * may use which columns is what the schema says; whose rows a caller meets is what collection-rows.ts says.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Audience, type Collection, readsAllRows } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import {
  changeOf,
  isOwned,
  may,
  newRow,
  newRowOfQuote,
  type Row,
  sharedRowsOf,
} from '../setup/collection-rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, callerOf, representation, signIn } from '../setup/wire.ts';
import { insert } from '../sql/roles.ts';

const account = randomUUID();
const team = randomUUID();
const stranger = randomUUID();

const service = useService();
const callers = {} as Record<Audience, Caller>;
beforeAll(async () => {
  const { publishableKey } = service;
  callers.anon = callerOf(service, publishableKey);
  callers.customer = await signIn(service, { account, also: [team] });
  callers.staff = await signIn(service, { account: randomUUID(), staff: true });
  callers.reader = callerOf(service, service.readKey);
});

const audiences: Audience[] = ['anon', 'customer', 'staff', 'reader'];

interface Kind {
  whose: string;
  account: string;
  values: Row;
  /** Whether customers may change it, as far as they may change anything. */
  isCustomers: boolean;
  readBy: readonly Audience[];
}

/** The kinds of rows that a collection has. */
const kindsOf = (collection: Collection): Kind[] => {
  const kind = (whose: string, owner: string): Kind => {
    const isCustomers = owner !== stranger;
    return { whose, account: owner, values: {}, isCustomers, readBy: isCustomers ? ['customer'] : [] };
  };
  const owned = [kind('its own', account), kind("its team's", team), kind("a stranger's", stranger)];
  const shared = sharedRowsOf(collection).map(
    ({ what, values, readBy }): Kind => ({ ...kind(what, stranger), values, readBy }),
  );
  return [...(isOwned(collection) ? owned : []), ...shared];
};

/** What happens to a row: `done`, `unseen` (no row is found) or the status of the refusal. */
type Outcome = 'done' | 'unseen' | 401 | 403;

function outcomesFor(collection: Collection, audience: Audience, kind: Kind): Record<string, Outcome> {
  const refusal = audience === 'anon' ? 401 : 403;
  const outcome = (isAllowed: boolean, meetsRow: boolean): Outcome =>
    isAllowed ? (meetsRow ? 'done' : 'unseen') : refusal;
  const changes = audience === 'staff' || (audience === 'customer' && kind.isCustomers);
  const reads = readsAllRows(audience) || kind.readBy.includes(audience);
  return {
    GET: outcome(may(collection, audience, 'select'), reads),
    // Through its view, an audience dismisses for itself what it reads.
    PATCH: outcome(may(collection, audience, 'update'), collection.views?.[audience] ? reads : changes),
    DELETE: outcome(collection.deletableBy.includes(audience), changes),
  };
}

/** Makes a row as the database's owner, since nobody writes all collections, and returns its path. */
async function make(collection: Collection, { account: owner, values }: Kind): Promise<string> {
  const { name, primaryKey } = collection;
  const key = await insert(service.sql, name, await newRowOfQuote(service.sql, collection, owner, values));
  return `/${name}?select=${primaryKey}&${primaryKey}=eq.${key}`;
}

async function outcomeOf(caller: Caller, method: string, path: string, body?: Row): Promise<Outcome> {
  const reply = await caller.send(method, path, body, representation);
  if (reply.status === 401 || reply.status === 403) {
    expect(reply.body).toMatchObject({ code: '42501' });
    return reply.status;
  }
  expect(reply.status, reply.text).toBe(200);
  return reply.body.length === 1 ? 'done' : 'unseen';
}

describe.each(collections)('$name', collection => {
  const { name } = collection;
  const kinds = kindsOf(collection);
  const cases = kinds.flatMap(kind => audiences.map(name => ({ name, whose: kind.whose, kind })));

  it.each(cases)('$name meets $whose row as the schema lets it', async ({ name, kind }) => {
    const caller = callers[name];
    const path = await make(collection, kind);
    const expected = outcomesFor(collection, name, kind);
    expect({
      GET: await outcomeOf(caller, 'GET', path),
      PATCH: await outcomeOf(caller, 'PATCH', path, changeOf(collection)),
      DELETE: await outcomeOf(caller, 'DELETE', path),
    }).toEqual(expected);
    const { body: left } = await callers.staff.get(path);
    expect(left).toHaveLength(expected['DELETE'] === 'done' && !collection.showsDeleted ? 0 : 1);
  });

  it.each(cases)('$name creates $whose row if schema and account let it', async ({
    name: audience,
    kind,
  }) => {
    const row = newRow(collection, kind.account, kind.values);
    const reply = await callers[audience].send('POST', `/${name}`, row);
    const isAllowed = may(collection, audience, 'insert') && (audience === 'staff' || kind.isCustomers);
    expect(reply.status, reply.text).toBe(isAllowed ? 201 : audience === 'anon' ? 401 : 403);
  });
});
