/** The facts about Postgres that the design with one message relies on, checked against a real one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { Connection } from '../../functions/database/connection.ts';
import { sessionStatement, settings } from '../../functions/statement/session.ts';
import { message, type Sql, sql } from '../../functions/statement/sql.ts';
import { useDatabase } from '../setup/database.ts';
import { aQuote } from '../setup/rows.ts';
import '../setup/with-resolvers.ts';

const account = randomUUID();
const customer: Caller = {
  kind: 'customer',
  audience: 'customer',
  claims: { role: 'authenticated', sub: account, app_metadata: {} },
};

const database = useDatabase();
/** As builder_api, with one connection, so that a message would see what an earlier one left behind. */
let api: Connection;
beforeAll(async () => {
  api = new Connection(database.apiUrl);
  for (const owner of [account, randomUUID()]) {
    const { customization, ...row } = aQuote(owner);
    await database.sql`insert into builder.quotes ${database.sql({ ...row, customization: database.sql.json(customization) } as never)}`;
  }
});
afterAll(async () => {
  api.abandon();
});

const send = (...statements: Sql[]) => api.send(message(...statements).text);
const countQuotes = sql`select count(*)::text as count from builder.quotes`;

it('the second statement is planned with the role of the first, its policies and its claims', async () => {
  expect(await send(sessionStatement(customer), countQuotes)).toEqual({ ok: true, rows: [{ count: '1' }] });
  const staff = sessionStatement({ kind: 'staff', audience: 'staff' });
  expect(await send(staff, countQuotes)).toEqual({ ok: true, rows: [{ count: '2' }] });
});

it('the role, the claims and the time limit are gone after the message', async () => {
  await send(sessionStatement(customer), countQuotes);
  const left = sql`select current_user::text as role, nullif(current_setting('request.jwt.claims', true), '') as claims,
    current_setting('statement_timeout') as statement_timeout`;
  expect(await send(left)).toEqual({
    ok: true,
    rows: [{ role: 'builder_api', claims: null, statement_timeout: '0' }],
  });
  expect(await send(countQuotes)).toMatchObject({ ok: false, error: { is: 'refused', sqlstate: '42501' } });
});

const change = sql`update builder.quotes set sport = 'golf' where account_id = ${account}`;
const sport = async (): Promise<unknown> =>
  (await database.sql`select sport from builder.quotes where account_id = ${account}`)[0]?.['sport'];

it('an error in a later statement undoes the earlier ones, and leaves the connection usable', async () => {
  expect(await send(sessionStatement(customer), change, sql`select 1 / 0`)).toMatchObject({
    ok: false,
    error: { sqlstate: '22012' },
  });
  expect(await sport()).toBe('baseball');
  expect(await send(sessionStatement(customer), countQuotes)).toMatchObject({ ok: true });
});

it('the database’s functions read the settings that a session sets, and no others of a request', async () => {
  const read = await database.sql<{ name: string }[]>`
    select distinct name[1] as name
    from pg_proc, regexp_matches(prosrc, 'current_setting\\(''(request\\.[a-z.]+)''', 'g') name
    where pronamespace = 'builder'::regnamespace
    order by 1`;
  expect(read.map(({ name }) => name)).toEqual(Object.values(settings).sort());
});
