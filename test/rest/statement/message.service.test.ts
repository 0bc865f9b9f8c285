/** What a message carries: any text that Postgres can store, unchanged, and settings that end with the message. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { limits } from '../../../functions/common/limits.ts';
import { Connection } from '../../../functions/database/connection.ts';
import { argumentsOf, shapeOf } from '../../../functions/database/render-sql.ts';
import { identifier, message, type Sql, sql } from '../../../functions/database/sql.ts';
import { claimsSetting, sessionStatement } from '../../../functions/database/statements.ts';
import { againSettings, settings } from '../../../functions/rest/statement/session.ts';
import { anyText } from '../../setup/any-text.ts';
import { useDatabase } from '../../setup/database.ts';
import { rounds } from '../../setup/full-size.ts';
import { useLogin } from '../../sql/use-login.ts';
import '../../setup/with-resolvers.ts';

const database = useDatabase();
/** One connection, so that settings last. */
const connection = useLogin(() => database.ownerUrl);

/** All characters but NUL, with many that could end a literal. */
const text = fc.oneof(
  anyText({ maxLength: 200 }).map(string => string.replaceAll('\0', '')),
  fc.string({ unit: fc.constantFrom(...'\' \\ " $$ ; -- /* E \u2019 % ? :: é 🦤'.split(' '), '\n') }),
);

/** The row of a statement, sent with its values in its text, and prepared and executed. */
async function ask(statement: Sql): Promise<unknown[]> {
  const [inline] = await connection.unsafe(statement.text).simple();
  const texts = `prepare p as ${shapeOf(statement)}; execute p${argumentsOf(statement)}; deallocate p`;
  const results = (await connection.unsafe(texts).simple()) as unknown as unknown[][];
  return [inline, results[1]?.[0]];
}

const switches = ['on', 'off'];

it.each(switches)('literals keep the values of texts, with standard_conforming_strings %s', async setting => {
  await connection.unsafe(`set escape_string_warning = off; set standard_conforming_strings = ${setting}`);
  await fc.assert(
    fc.asyncProperty(text, text, text, async (a, b, c) => {
      const statement = sql`select ${a}::text as a, ${b}::text as b, ${c}::text as c`;
      expect(await ask(statement)).toEqual(Array(2).fill({ a, b, c }));
    }),
    { numRuns: rounds(100, 150) },
  );
});

it('an identifier has the name given, up to the length that Postgres keeps', async () => {
  const name = text.filter(
    value => value !== '' && new TextEncoder().encode(value).length <= limits.query.nameBytes,
  );
  await fc.assert(
    fc.asyncProperty(name, async value => {
      const { columns } = await connection.unsafe(sql`select 1 as ${identifier(value)}`.text).simple();
      expect(columns.map(column => column.name)).toEqual([value]);
    }),
    { numRuns: rounds(60, 100), examples: [['__proto__'], ['"'], ['a b']] },
  );
});

it('the role, the claims and the time limit are set for a message, and gone after it', async () => {
  const api = new Connection(database.apiUrl);
  const sub = randomUUID();
  const claims = { role: 'authenticated', sub, app_metadata: {} } as const;
  const read = sql`select current_user::text as role,
    nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub' as sub,
    (select setting from pg_settings where name = 'statement_timeout') as time`;
  const send = (...statements: Sql[]) => api.send(message(...statements).text);
  const time = String(limits.database.statementTimeout);
  const during = await send(sessionStatement({ kind: 'customer', audience: 'customer', claims }), read);
  expect(during).toEqual({ ok: true, rows: [{ role: 'builder_customer', sub, time }] });
  expect(await send(read)).toEqual({ ok: true, rows: [{ role: 'builder_api', sub: null, time: '0' }] });
  api.abandon();
});

it('a second run of a statement has the rest of the first one’s time, and at least a moment', async () => {
  const api = new Connection(database.apiUrl);
  const read = sql`select (select setting from pg_settings where name = 'statement_timeout') as time`;
  const messageAfter = (after: number): string => {
    const session = sessionStatement({ kind: 'anon', audience: 'anon' }, 'UTC', againSettings({ after }));
    return message(session, read).text;
  };
  expect(await api.send(messageAfter(4000))).toEqual({ ok: true, rows: [{ time: '1000' }] });
  // Within a millisecond a statement may or may not end.
  expect(messageAfter(6000)).toContain("set_config('statement_timeout', '1', true)");
  api.abandon();
});

it('the database’s functions read the settings that a session sets, and no others of a request', async () => {
  const read = await database.sql<{ name: string }[]>`
    select distinct name[1] as name
    from pg_proc, regexp_matches(prosrc, 'current_setting\\(''(request\\.[a-z.]+)''', 'g') name
    where pronamespace = 'builder'::regnamespace
    order by 1`;
  expect(read.map(({ name }) => name)).toEqual([claimsSetting, ...Object.values(settings)].sort());
});
