/** Text from a request is never executed as SQL, wherever it stands. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { bytesOf } from '../../schema/column-type.ts';
import type { FuzzRequest } from '../fuzz/request.ts';
import { populate } from '../fuzz/rows.ts';
import { Wire } from '../fuzz/send.ts';
import { judge } from '../fuzz/verdict.ts';
import { callersOf, type FuzzCaller, owners } from '../fuzz/world.ts';
import { isWritten, newRow, textColumnsOf } from '../setup/collection-rows.ts';
import { sample } from '../setup/full-size.ts';
import { mapAtOnce } from '../setup/map-at-once.ts';
import { useService } from '../setup/service.ts';
import { payloads } from './payloads.ts';
import { places } from './places.ts';

const service = useService();
let wire: Wire;
let ann: FuzzCaller;
let staff: FuzzCaller;
let before: unknown;
beforeAll(async () => {
  await populate(service);
  wire = new Wire(service.url);
  const callers = await callersOf(service);
  const named = (name: string) => callers.find(caller => caller.name === name) as FuzzCaller;
  [ann, staff] = [named('ann'), named('staff')];
  before = await everything();
});
afterAll(() => wire.close());

/** All tables with their rows but the deliverer's own pace, and the roles. Other tests may create roles of their own meanwhile. */
async function everything(): Promise<unknown> {
  const { sql } = service;
  const tables = await sql`
    select relname, query_to_xml(format('select * from %s t order by t::text', oid::regclass), true, false, '')::text as rows
    from pg_class where relnamespace = 'builder'::regnamespace and relkind = 'r' and relname <> 'delivery_pace' order by 1`;
  const roles = await sql`
    select rolname, rolsuper, rolcanlogin, rolbypassrls from pg_roles
    where rolname in ('builder_anon', 'builder_customer', 'builder_staff', 'builder_api', 'builder_jobs')
    order by 1`;
  return { tables: [...tables], roles: [...roles] };
}

/** Sends a request for each text, several at a time, and returns what is wrong with the responses. */
async function tryAll(
  texts: readonly string[],
  requestOf: (text: string) => FuzzRequest,
  caller: FuzzCaller,
): Promise<string[]> {
  const wrong = await mapAtOnce(texts, 8, async text => {
    const request = requestOf(text);
    const response = await wire.send(request);
    const found = judge(request, response, caller);
    return found && `${JSON.stringify(text)} ${found}: ${response.text}`;
  });
  return wrong.filter(found => found !== undefined);
}

/** Each place gets every so many of the texts, and the next place the next ones, so that all kinds of places get all texts. */
const textsAt = (place: number, every: number) =>
  sample(
    12,
    payloads.filter((_, index) => index % every === place % every),
  );
const numbered = places.map(([name, requestOf], index) => [name, requestOf, index] as const);

describe.each([
  ['a customer', () => ann, 3],
  ['staff', () => staff, 9],
] as const)('in requests of %s', (_, callerOf, every) => {
  it.each(numbered)('text is never SQL in %s', async (_, requestOf, index) => {
    const caller = callerOf();
    const request = (text: string) => {
      const { headers, ...request } = requestOf(text);
      return { ...request, headers: { ...caller.headers, ...headers } };
    };
    const found = await tryAll(textsAt(index, every), request, caller);
    expect(found).toEqual([]);
  });
});

const storable = payloads.filter(text => !text.includes('\0'));

it.each(collections.filter(isWritten))('a text in $name is read as it was written', async collection => {
  const sizeOf = (column: string): number => collection.columns[column]?.type.maxBytes ?? 0;
  for (const text of storable) {
    // A contact_email is trimmed.
    const columns = textColumnsOf(collection).filter(
      column => bytesOf(text) <= sizeOf(column) && !collection.columns[column]?.type.emptyIsNull,
    );
    const inJson = collection.name === 'quotes' && { customization: { [text]: text } };
    const texts = { ...Object.fromEntries(columns.map(column => [column, text])), ...inJson };
    const response = await wire.send({
      method: 'POST',
      path: `/rest/v1/${collection.name}?select=${Object.keys(texts)}`,
      headers: {
        ...staff.headers,
        'content-type': 'application/json',
        prefer: 'return=representation, tx=rollback',
      },
      body: Buffer.from(JSON.stringify(newRow(collection, owners.ann.account, texts))),
    });
    expect(JSON.parse(response.text)).toEqual([texts]);
  }
});

it('no text that was tried as SQL has changed the database', async () => {
  expect(await everything()).toEqual(before);
});
