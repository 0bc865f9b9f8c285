/** Text from a request is never executed as SQL, wherever it stands. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FuzzRequest } from '../fuzz/request.ts';
import { populate } from '../fuzz/rows.ts';
import { Wire } from '../fuzz/send.ts';
import { judge } from '../fuzz/verdict.ts';
import { callersOf, type FuzzCaller, owners } from '../fuzz/world.ts';

import { sample } from '../setup/full-size.ts';
import { mapAtOnce } from '../setup/map-at-once.ts';
import { aQuote } from '../setup/rows.ts';
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

/** Each place gets one of four of the texts, and the next place the next ones, so that all kinds of places get all texts. */
const textsAt = (place: number) =>
  sample(
    12,
    payloads.filter((_, index) => index % 4 === place % 4),
  );
const numbered = places.map(([name, requestOf], index) => [name, requestOf, index] as const);

it.each(numbered)('text is never SQL in %s', async (_, requestOf, index) => {
  // What staff inject meets every row; what a customer injects must not.
  const caller = index % 3 === 0 ? ann : staff;
  const request = (text: string) => {
    const { headers, ...request } = requestOf(text);
    return { ...request, headers: { ...caller.headers, ...headers } };
  };
  expect(await tryAll(textsAt(index), request, caller)).toEqual([]);
});

const storable = payloads.filter(text => !text.includes('\0'));

it('a text that looks like SQL is read as it was written', async () => {
  for (const text of storable) {
    const texts = { sport: text.slice(0, 20), customer_notes: text, customization: { [text]: text } };
    const response = await wire.send({
      method: 'POST',
      path: `/rest/v1/quotes?select=${Object.keys(texts)}`,
      headers: {
        ...staff.headers,
        'content-type': 'application/json',
        prefer: 'return=representation, tx=rollback',
      },
      body: Buffer.from(JSON.stringify(aQuote(owners.ann.account, texts))),
    });
    expect(JSON.parse(response.text)).toEqual([texts]);
  }
});

it('no text that was tried as SQL has changed the database', async () => {
  expect(await everything()).toEqual(before);
});
