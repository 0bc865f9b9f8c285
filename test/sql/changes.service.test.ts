/** The feed of changes: what the triggers write, and that reading it by snapshots misses nothing. */
import { randomUUID } from 'node:crypto';
import postgres, { type Row, type Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import '../setup/with-resolvers.ts';
import { asCustomer, asStaff, claimsOf, everyone } from './roles.ts';

const database = useDatabase();
let sql: Sql;
let api: Sql;
beforeAll(async () => {
  sql = database.sql;
  api = postgres(database.apiUrl, { max: 4, onnotice: () => {} });
});
afterAll(async () => {
  await api.end();
});

let account: string;
beforeEach(async () => {
  account = randomUUID();
  await sql`truncate builder.changes, builder.notifications, builder.quotes restart identity`;
});

interface Feed {
  next: string;
  gap: boolean;
  partial: boolean;
  lines: { id: string; collection: string; operation: string; account: string; key: string }[];
}

/** As the service reads it. */
const read = (cursor: string | null, most = 5000): Promise<Feed> =>
  api.begin(async transaction => {
    await transaction`select set_config('role', 'builder_live', true)`;
    const [feed] = await transaction<Feed[]>`
      select next, gap, partial, lines from builder.changes_since(${cursor}, ${most})`;
    return feed as Feed;
  }) as Promise<Feed>;

const lines = async (): Promise<string[]> => {
  const rows = await sql`select collection, operation, account_id, key from builder.changes order by xid, id`;
  return rows.map(row => `${row['operation']} ${row['collection']} ${row['key']} ${row['account_id']}`);
};

/** The pages that Postgres read for what it explains. */
function pagesOf([row]: readonly Row[]): number {
  const plan = row?.['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

describe('each changed row is recorded', () => {
  it('when notifications are inserted, updated, moved and deleted, by statements of one row and of many', async () => {
    const other = randomUUID();
    const rows = [1, 2].map(id => aNotification(account, { id: id + 100 }));
    await sql`insert into builder.notifications ${sql(rows)}`;
    await sql`update builder.notifications set dismissed = true where account_id = ${account}`;
    await sql`update builder.notifications set account_id = ${other} where id = 101`;
    await sql`delete from builder.notifications where id in (101, 102)`;
    await sql`update builder.notifications set dismissed = true where id = 0`;
    expect(await lines()).toEqual([
      `I notifications 101 ${account}`,
      `I notifications 102 ${account}`,
      `U notifications 101 ${account}`,
      `U notifications 102 ${account}`,
      `D notifications 101 ${account}`,
      `I notifications 101 ${other}`,
      expect.stringMatching(/^D notifications 10[12] /),
      expect.stringMatching(/^D notifications 10[12] /),
    ]);
  });

  it('when quotes are marked as deleted and restored, and not while they are marked', async () => {
    const id = randomUUID();
    await sql`insert into builder.quotes ${sql(aQuote(account, { id }))}`;
    await sql`update builder.quotes set company = 'Lions' where id = ${id}`;
    await sql`update builder.quotes set deleted_at = now() where id = ${id}`;
    await sql`update builder.quotes set company = 'Tigers' where id = ${id}`;
    await sql`update builder.quotes set deleted_at = null where id = ${id}`;
    await sql`delete from builder.quotes where id = ${id}`;
    const operations = (await lines()).filter(line => / quotes /.test(line)).map(line => line.split(' ')[0]);
    expect(operations).toEqual(['I', 'U', 'D', 'I', 'D']);
  });

  it('when its key changes: one row is deleted and another inserted', async () => {
    const [id, next] = [randomUUID(), randomUUID()];
    await sql`insert into builder.quotes ${sql(aQuote(account, { id }))}`;
    await sql`update builder.quotes set id = ${next} where id = ${id}`;
    expect((await lines()).slice(1)).toEqual([`D quotes ${id} ${account}`, `I quotes ${next} ${account}`]);
  });
});

describe('a line is read', () => {
  it('by customers of its account, by everyone if it is for everyone, and by staff', async () => {
    const stranger = randomUUID();
    for (const owner of [account, stranger, everyone]) {
      await sql`insert into builder.notifications ${sql(aNotification(owner))}`;
    }
    const accounts = async (as: typeof asCustomer, claims: object): Promise<string[]> =>
      (await as(api, claims, role => role`select account_id from builder.changes order by id`)).map(
        row => row['account_id'],
      );
    expect(await accounts(asCustomer, claimsOf(account))).toEqual([account, everyone]);
    expect(await accounts(asCustomer, {})).toEqual([everyone]);
    expect(await accounts(asStaff, {})).toEqual([account, stranger, everyone]);
  });
});

describe('changes_since()', () => {
  it('begins now, and then has what was committed since, once', async () => {
    await sql`insert into builder.notifications ${sql(aNotification(account))}`;
    const begun = await read(null);
    expect(begun).toMatchObject({ gap: false, partial: false, lines: [] });
    await sql`insert into builder.notifications ${sql(aNotification(account, { id: 201 }))}`;
    const first = await read(begun.next);
    expect(first.lines).toMatchObject([{ collection: 'notifications', operation: 'I', key: '201' }]);
    expect((await read(first.next)).lines).toEqual([]);
    expect((await read(begun.next)).lines).toEqual(first.lines);
  });

  it('has what commits late, and waits for nobody', async () => {
    const begun = await read(null);
    const gate = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const late = sql.begin(async transaction => {
      await transaction`insert into builder.notifications ${sql(aNotification(account, { id: 301 }))}`;
      written.resolve();
      await gate.promise;
    });
    await written.promise;
    await sql`insert into builder.notifications ${sql(aNotification(account, { id: 302 }))}`;
    const first = await read(begun.next);
    gate.resolve();
    await late;
    const second = await read(first.next);
    expect([first, second].map(({ lines }) => lines.map(({ key }) => key))).toEqual([['302'], ['301']]);
  });

  it('has every line once, in pages, while many write and roll back', { timeout: 60_000 }, async () => {
    let { next } = await read(null);
    let isRunning = true;
    const write = async (): Promise<void> => {
      for (let written = 0; written < 60; written++) {
        await sql
          .begin(async transaction => {
            await transaction`insert into builder.notifications ${sql(aNotification(account))}`;
            await transaction.savepoint(
              inner => inner`update builder.notifications set dismissed = true
              where id = (select min(id) from builder.notifications where account_id = ${account})`,
            );
            if (written % 5 === 0) {
              throw new Error('undone');
            }
          })
          .catch(() => {});
      }
    };
    const writers = Promise.all([write(), write(), write()]).then(() => {
      isRunning = false;
    });
    const found: string[] = [];
    for (let isLast = false; !isLast; ) {
      isLast = !isRunning;
      for (let partial = true; partial; ) {
        const feed = await read(next, 7);
        found.push(...feed.lines.map(({ id }) => id));
        ({ next, partial } = feed);
      }
    }
    await writers;
    const all = await sql`select id::text from builder.changes`;
    expect(found.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  });

  it('reads few pages, however many lines are older', async () => {
    await sql`
      insert into builder.changes (xid, collection, operation, account_id, key)
      select '3', 'quotes', 'I', ${account}, n::text from generate_series(1, 20000) n`;
    const session = await sql.reserve();
    const { next } = await read(null);
    // The first call of a session, and one after autovacuum has been at the table, also reads what Postgres knows of them.
    const pages = async () =>
      pagesOf(
        await session`
        explain (analyze, buffers, format json) select * from builder.changes_since(${next}, 5000)`,
      );
    await expect.poll(pages).toBeLessThan(10);
    session.release();
  });

  it('has what is written with transaction numbers that come again, as after a crash', async () => {
    await sql`insert into builder.notifications ${sql(aNotification(account))}`;
    const { next } = await read(null);
    const [row] = await sql<{ xid: string }[]>`select xid::text from builder.changes`;
    const line = { xid: row?.xid, collection: 'quotes', operation: 'I', account_id: account, key: 'again' };
    await sql`insert into builder.changes ${sql(line as never)}`;
    const feed = await read(next);
    expect(feed.lines.map(({ key }) => key)).toEqual(['again']);
    expect((await read(feed.next)).lines).toEqual([]);
  });

  it('says that there is a gap when the cursor is too old, of a server that is ahead, or of another timeline', async () => {
    const { next } = await read(null);
    const [timeline = '', seconds = '', snapshot = '', id = ''] = next.split(' ');
    const reach = 65 * 60;
    const gapOf = async (...cursor: (string | number)[]) => (await read(cursor.join(' '))).gap;
    expect(await gapOf(timeline, Number(seconds) - reach + 5, snapshot, id)).toBe(false);
    expect(await gapOf(timeline, Number(seconds) - reach - 5, snapshot, id)).toBe(true);
    expect(await gapOf(timeline, seconds, '9000000000:9000000000:', id)).toBe(true);
    expect(await gapOf(timeline, seconds, snapshot, Number(id) + 1000)).toBe(true);
    expect(await gapOf('00000099', seconds, snapshot, id)).toBe(true);
    expect(await gapOf(seconds, snapshot)).toBe(true);
  });
});

it.each([
  'before',
  'after',
])('a line is read by its id, and its row by its key, %s the tables are analyzed', async when => {
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

it('prune_changes() deletes what is two hours old, at most a batch', async () => {
  for (const minutes of [150, 140, 121, 119]) {
    await sql`insert into builder.changes (collection, operation, account_id, key, at)
      values ('quotes', 'I', ${account}, ${minutes}, now() - ${minutes} * interval '1 minute')`;
  }
  const prune = async (batch: number) => (await sql`select builder.prune_changes(${batch}) as n`)[0]?.['n'];
  expect([await prune(2), await prune(2), await prune(2)]).toEqual([2, 1, 0]);
  expect(await sql`select key from builder.changes`).toEqual([{ key: '119' }]);
});
