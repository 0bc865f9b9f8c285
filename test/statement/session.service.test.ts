/** A session's settings are those that the database reads, and end with its message. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { Connection } from '../../functions/database/connection.ts';
import { sessionStatement, settings } from '../../functions/statement/session.ts';
import { message, type Sql, sql } from '../../functions/statement/sql.ts';
import { useDatabase } from '../setup/database.ts';
import '../setup/with-resolvers.ts';

const database = useDatabase();

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

it('the database’s functions read the settings that a session sets, and no others of a request', async () => {
  const read = await database.sql<{ name: string }[]>`
    select distinct name[1] as name
    from pg_proc, regexp_matches(prosrc, 'current_setting\\(''(request\\.[a-z.]+)''', 'g') name
    where pronamespace = 'builder'::regnamespace
    order by 1`;
  expect(read.map(({ name }) => name)).toEqual(Object.values(settings).sort());
});
