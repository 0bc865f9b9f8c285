/** The feed of changes where it is hard to read: behind many lines, from an old cursor. Pages read it in test/live and test/faults. */
import { randomUUID } from 'node:crypto';
import type { Row, Sql } from 'postgres';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { aQuote } from '../setup/rows.ts';
import { asCustomer, claimsOf } from './roles.ts';
import { useLogin } from './use-login.ts';

const database = useDatabase();
const api = useLogin(() => database.apiUrl);
let sql: Sql;
beforeAll(() => {
  sql = database.sql;
});

let account: string;
beforeEach(async () => {
  account = randomUUID();
  await sql`truncate builder.changes, builder.notifications, builder.quotes restart identity cascade`;
});

interface Feed {
  next: string;
  gap: boolean;
}

/** As the service reads it. */
const read = (cursor: string | null): Promise<Feed> =>
  api.begin(async transaction => {
    await transaction`select set_config('role', 'builder_live', true)`;
    const [feed] = await transaction<Feed[]>`
      select next, gap from builder.changes_since(${cursor}, 5000)`;
    return feed as Feed;
  }) as Promise<Feed>;

/** The pages that Postgres read for what it explains. */
function pagesOf([row]: readonly Row[]): number {
  const plan = row?.['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

it('a row whose key changes is recorded as deleted and as inserted', async () => {
  const [id, next] = [randomUUID(), randomUUID()];
  await sql`insert into builder.quotes ${sql(aQuote(account, { id }))}`;
  await sql`update builder.quotes set id = ${next} where id = ${id}`;
  const rows = await sql`select operation::text || ' ' || key as line from builder.changes order by id`;
  expect(rows.map(({ line }) => line)).toEqual([`I ${id}`, `D ${id}`, `I ${next}`]);
});

describe('changes_since()', () => {
  it('takes lines that were restored from a server with higher transaction numbers as read, and reads new ones', async () => {
    const insertLine = (key: string, xid: string) => sql`
      insert into builder.changes (xid, collection, operation, account_id, key)
      values (${xid}, 'quotes', 'I', ${account}, ${key})`;
    const keysBehind = async (cursor: string) => {
      const [feed] = await sql`select next, lines from builder.changes_since(${cursor}, 5000)`;
      return [feed?.['lines'].map(({ key }: { key: string }) => key), feed?.['next']];
    };
    await insertLine('restored', '9000000000');
    const { next } = await read(null);
    expect(await keysBehind(next)).toEqual([[], expect.any(String)]);
    await sql`insert into builder.changes (collection, operation, account_id, key) values ('quotes', 'I', ${account}, 'new')`;
    const [keys, after] = await keysBehind(next);
    expect(keys).toEqual(['new']);
    expect((await keysBehind(after))[0]).toEqual([]);
    const [row] = await sql`select pg_current_snapshot() as now, max(id) as last from builder.changes`;
    const [{ read_id } = {}] =
      await sql`select builder.last_read(${row?.['now']}, ${row?.['last']}) as read_id`;
    expect(read_id).toBe(row?.['last']);
  });

  it('reads few pages, however many lines are older', async () => {
    await sql`
      insert into builder.changes (xid, collection, operation, account_id, key)
      select '3', 'quotes', 'I', ${account}, n::text from generate_series(1, 20000) n`;
    const session = await sql.reserve();
    const { next } = await read(null);
    // The first call of a session, and one after autovacuum has been at the table, also reads what Postgres knows of them.
    const explain = () =>
      session`explain (analyze, buffers, format json) select * from builder.changes_since(${next}, 5000)`;
    const pages = async () => pagesOf(await explain());
    await expect.poll(pages).toBeLessThan(10);
    session.release();
  });

  it('says that there is a gap when the cursor is too old, of a server that is ahead, of another timeline or before a restore', async () => {
    const { next } = await read(null);
    const [place = '', seconds = '', snapshot = '', id = ''] = next.split(' ');
    const reach = 65 * 60;
    const gapOf = async (...cursor: (string | number)[]) => (await read(cursor.join(' '))).gap;
    expect(await gapOf(place, Number(seconds) - reach + 5, snapshot, id)).toBe(false);
    expect(await gapOf(place, Number(seconds) - reach - 5, snapshot, id)).toBe(true);
    expect(await gapOf(place, seconds, '9000000000:9000000000:', id)).toBe(true);
    expect(await gapOf(place, seconds, snapshot, Number(id) + 1000)).toBe(true);
    const [timeline, table] = place.split('.');
    expect(await gapOf(`00000099.${table}`, seconds, snapshot, id)).toBe(true);
    expect(await gapOf(`${timeline}.${Number(table) + 1}`, seconds, snapshot, id)).toBe(true);
    expect(await gapOf(seconds, snapshot)).toBe(true);
  });
});

const moments = ['before', 'after'];

it.each(moments)('a line is read by its id, and its row by its key, %s tables are analyzed', async when => {
  await sql`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
    select ${account}, 'QT-2026-00001', gen_random_uuid(), 'golf', '{}' from generate_series(1, 20000)`;
  if (when === 'after') {
    await sql`analyze`;
  }
  const [line] = await sql`select max(id) as id from builder.changes`;
  const plan = await asCustomer(sql, claimsOf(account), async role => {
    const seen = role`builder.seen_lines('{1}', ${[line?.['id']]}::bigint[])`;
    // The first call of a session also reads what Postgres knows of the function.
    await role`select ${seen}`;
    return role`explain (analyze, buffers, format json) select ${seen}`;
  });
  expect(pagesOf(plan)).toBeLessThan(50);
});
