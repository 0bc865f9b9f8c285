/** A connection that prepares statements, when the session loses them or the schema changes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { Connection } from '../../functions/database/connection.ts';
import type { Reply } from '../../functions/database/database.ts';
import { PreparedStatements } from '../../functions/database/prepared-statements.ts';
import { message, type Sql, sql } from '../../functions/database/sql.ts';
import { sessionStatement } from '../../functions/database/statements.ts';
import { useDatabase } from '../setup/database.ts';
import { aQuote } from '../setup/rows.ts';
import { insert } from '../sql/roles.ts';
import '../setup/with-resolvers.ts';

const database = useDatabase();
let connection: Connection;
beforeEach(async () => {
  connection?.abandon();
  connection = new Connection(database.ownerUrl, new PreparedStatements());
  await connection.send('drop table if exists entries');
  await connection.send('create table entries (id uuid primary key, amount int)');
});
afterAll(() => connection.abandon());

const send = (...statements: Sql[]): Promise<Reply> =>
  connection.send({ comment: '', statements: message(...statements).statements });

const write = (id: string): Sql => sql`insert into entries values (${id}, 1) returning id::text`;

async function column(query: string): Promise<unknown> {
  const reply = await connection.send(query);
  return reply.ok ? reply.rows.map(row => Object.values(row)[0]) : reply.error;
}
const ids = () => column('select id::text from entries order by id::text');

/** Writes two rows with the same statement, so that it is prepared. */
async function writeTwice(): Promise<string[]> {
  const written = [randomUUID(), randomUUID()];
  for (const id of written) {
    expect(await send(write(id))).toEqual({ ok: true, rows: [{ id }] });
  }
  const count = "select count(*)::text from pg_prepared_statements where statement like '%$1%'";
  expect(await column(count)).toEqual(['1']);
  return written;
}

it('a write is executed once when the session has lost its prepared statement', async () => {
  const written = await writeTwice();
  await connection.send('deallocate all');
  const id = randomUUID();
  expect(await send(write(id))).toEqual({ ok: true, rows: [{ id }] });
  expect(await ids()).toEqual([...written, id].sort());
});

it('a session behind a pooler prepares nothing', async () => {
  const url = Object.assign(new URL(database.ownerUrl), { search: '?pgbouncer=true' }).href;
  const shared = new Connection(url, new PreparedStatements());
  const { statements } = message(
    sql`select count(*)::text as count from pg_prepared_statements where name <> ${''}`,
  );
  for (let times = 0; times < 3; times++) {
    expect(await shared.send({ comment: '', statements })).toEqual({ ok: true, rows: [{ count: '0' }] });
  }
  shared.abandon();
});

it('after a migration, rows are read and written with the new columns', async () => {
  await writeTwice();
  const read = sql`select * from entries where amount = ${'1'} order by id`;
  await send(read);
  await send(read);
  await connection.send("alter table entries add column note text default 'new'");
  const reply = await send(read);
  expect(reply.ok && reply.rows.map(({ note }) => note)).toEqual(['new', 'new']);
  const id = randomUUID();
  expect(await send(write(id))).toEqual({ ok: true, rows: [{ id }] });
});

it('an error of the request is reported, and the statement is prepared or stays usable', async () => {
  const id = randomUUID();
  await send(write(id));
  // Its first execution as a prepared statement fails.
  expect(await send(write(id))).toMatchObject({ ok: false, error: { sqlstate: '23505' } });
  const message = 'invalid input syntax for type uuid: "not-a-uuid"';
  expect(await send(write('not-a-uuid'))).toMatchObject({ error: { sqlstate: '22P02', message } });
  const next = randomUUID();
  expect(await send(write(next))).toEqual({ ok: true, rows: [{ id: next }] });
  expect(await ids()).toEqual([id, next].sort());
});

it('customers get their own rows from the same prepared statements, and staff all rows', async () => {
  const accounts = [randomUUID(), randomUUID(), randomUUID()];
  for (const account of accounts) {
    await insert(database.sql, 'quotes', aQuote(account));
  }
  const api = new Connection(database.apiUrl, new PreparedStatements());
  const readAs = async (caller: Caller): Promise<unknown> => {
    const { statements } = message(
      sessionStatement(caller),
      sql`select string_agg(account_id::text, ' ' order by account_id) as accounts from builder.quotes where sport <> ${'none'}`,
    );
    const reply = await api.send({ comment: '', statements });
    return reply.ok ? reply.rows[0]?.['accounts'] : reply.error;
  };
  for (let round = 0; round < 3; round++) {
    for (const account of accounts) {
      const claims = { role: 'authenticated', sub: account, app_metadata: {} } as const;
      expect(await readAs({ kind: 'customer', audience: 'customer', claims })).toBe(account);
    }
    expect(await readAs({ kind: 'service', audience: 'staff' })).toBe([...accounts].sort().join(' '));
    expect(await readAs({ kind: 'anon', audience: 'anon' })).toMatchObject({ sqlstate: '42501' });
  }
  const names = await api.send('select count(*)::text as count from pg_prepared_statements');
  expect(names).toEqual({ ok: true, rows: [{ count: '6' }] });
  api.abandon();
});
