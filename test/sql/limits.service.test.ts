/** The limits that the database sets are those of functions/common/limits.ts, which sql/ can't import. */
import { expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { Connection } from '../../functions/database/connection.ts';
import { sessionStatement } from '../../functions/statement/session.ts';
import { message, sql as statement } from '../../functions/statement/sql.ts';
import { useDatabase } from '../setup/database.ts';
import '../setup/with-resolvers.ts';

const database = useDatabase();

/** What a function of the database has behind a text, once. */
async function numberIn(name: string, before: string): Promise<number> {
  const [row] = await database.sql<{ source: string }[]>`
    select prosrc as source from pg_proc where pronamespace = 'builder'::regnamespace and proname = ${name}`;
  const [, found, ...others] = row?.source.split(before) ?? [];
  expect([name, before, others]).toEqual([name, before, []]);
  return Number.parseInt(found ?? '', 10);
}

const { idempotency, quoteNumbers } = limits;

it.each([
  ['claim_key', 'most constant integer := ', idempotency.keysOfCustomer],
  ['keep_answer', 'newest constant integer := ', idempotency.bodiesOfCaller],
  ['keep_answer', 'octet_length(body) between 1 and ', idempotency.bodyBytes],
  ['next_quote_number', 'share constant integer := ', quoteNumbers.ofCustomer],
])('the database has in %s, behind “%s”, %i', async (name, before, limit) => {
  expect(await numberIn(name, before)).toBe(limit);
});

it('the database ends a statement by the time limit of its message, since no role has another', async () => {
  const api = new Connection(database.apiUrl);
  const asked = message(
    sessionStatement({ kind: 'anon', audience: 'anon' }),
    statement`select setting from pg_settings where name = 'statement_timeout'`,
  );
  const reply = await api.send(asked.text);
  api.abandon();
  expect(reply).toEqual({ ok: true, rows: [{ setting: String(limits.database.statementTimeout) }] });
  const settings = await database.sql`
    select from pg_db_role_setting, unnest(setconfig) setting
    where setting like 'statement_timeout=%' and setrole in (select oid from pg_roles where rolname like 'builder%')
      and (setdatabase = 0 or setdatabase = (select oid from pg_database where datname = current_database()))`;
  expect(settings).toHaveLength(0);
});

it('the database keeps as many bytes of a name as are accepted', async () => {
  const [row] = await database.sql`select current_setting('max_identifier_length') as bytes`;
  expect(Number(row?.['bytes'])).toBe(limits.query.nameBytes);
});
