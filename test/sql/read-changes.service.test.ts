/** Reading changes takes as long as there are changes to read, whatever else the tables have and Postgres knows of them. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { asCustomer, claimsOf } from './roles.ts';

const database = useDatabase();
let sql: Sql;
beforeAll(async () => {
  sql = database.sql;
});

it.each([
  'before the tables are analyzed',
  'after',
])('a line is read by its id, and its row by its key: %s', async when => {
  const account = randomUUID();
  await sql`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
    select ${account}, 'QT-2026-00001', gen_random_uuid(), 'golf', '{}' from generate_series(1, 20000)`;
  if (when === 'after') {
    await sql`analyze`;
  }
  const [line] = await sql`select max(id) as id from builder.changes`;
  const [plan] = await asCustomer(sql, claimsOf(account), async role => {
    // The first call of a session also reads what Postgres knows of the function.
    await role`select builder.seen_lines('{1}', ${[line?.['id']]}::bigint[])`;
    return role`explain (analyze, buffers, format json) select builder.seen_lines('{1}', ${[line?.['id']]}::bigint[])`;
  });
  const { Plan: counted } = (plan as { 'QUERY PLAN': [{ Plan: Record<string, number> }] })['QUERY PLAN'][0];
  expect(Number(counted['Shared Hit Blocks']) + Number(counted['Shared Read Blocks'])).toBeLessThan(50);
});
