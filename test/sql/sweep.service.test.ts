/** The sweep: what is due, in which batches, and what others meanwhile do and suffer. What is kept for how long is in test/sweep/kept. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { aQuote } from '../setup/rows.ts';
import { asCustomer, claimsOf, insert, update } from './roles.ts';
import { useLogin } from './use-login.ts';

const database = useDatabase();
const sweeper = useLogin(() => database.jobsUrl, 2);
let sql: Sql;
beforeAll(() => {
  sql = database.sql;
});
beforeEach(() => sql`truncate builder.quotes, builder.notifications cascade`);

const account = randomUUID();
const past = '2020-01-01';

type Sweep = 'expire_quotes' | 'prune_notifications';
async function sweep(name: Sweep, batch: number): Promise<number> {
  const [row] = await sweeper.unsafe<{ swept: number }[]>(
    `select swept from builder.${name}(${batch}) as done (swept)`,
  );
  return row?.swept ?? -1;
}

/** Batch after batch, until nothing is left that others do not hold; returns the batches. */
async function sweepAll(name: Sweep, batch: number): Promise<number[]> {
  const batches: number[] = [];
  do {
    batches.push(await sweep(name, batch));
  } while (batches.at(-1));
  return batches;
}

/** Quotes that are due, as a bulk. */
const addDueQuotes = (count: number) => sql`
  insert into builder.quotes (account_id, quote_number, product_id, sport, customization, status, expires_at)
  select ${account}, 'QT-2026-' || lpad((n % 100000)::text, 5, '0'), gen_random_uuid(), 'baseball', '{}',
    (array['draft', 'submitted'])[1 + n % 2], ${past}::timestamptz + n * interval '1 second'
  from generate_series(1, ${count}::int) n`;
const addDueNotifications = (count: number) => sql`
  insert into builder.notifications (account_id, body, dismissed, expires_at)
  select ${account}, 'Ready', false, ${past}::timestamptz + n * interval '1 second' from generate_series(1, ${count}::int) n`;

const newQuote = (status: string, expires_at: string | null, more: object = {}) =>
  insert(sql, 'quotes', aQuote(account, { status, expires_at, unit_price: 1, total_price: 1, ...more }));

it('the number of a draft is taken when staff move the expired quote on, and not when the sweep lets it expire', async () => {
  await asCustomer(sql, claimsOf(account), as => insert(as, 'quotes', aQuote(account)));
  await sql`update builder.quotes set expires_at = ${past}`;
  expect(await sweepAll('expire_quotes', 10)).toEqual([1, 0]);
  const taken = () => sql`select quote_number from builder.imported_quote_numbers`;
  expect(await taken()).toHaveLength(0);
  await sql`update builder.quotes set status = 'submitted'`;
  expect(await taken()).toEqual([{ quote_number: aQuote(account).quote_number }]);
});

it('expire_quotes leaves quotes that are not due, never expire, are approved or deleted', async () => {
  for (const expires_at of [null, 'tomorrow', 'infinity']) {
    await newQuote('draft', expires_at);
  }
  await newQuote('draft', past, { deleted_at: 'now' });
  const id = await newQuote('quoted', 'tomorrow');
  await asCustomer(sql, claimsOf(account), async as => {
    await update(as, 'quotes', id, { status: 'approved' });
    expect(await sweep('expire_quotes', 10)).toBe(0);
  });
  await update(sql, 'quotes', id, { expires_at: past });
  expect(await sweepAll('expire_quotes', 10)).toEqual([0]);
});

it('expire_quotes expires the longest due first, at most a batch', async () => {
  await addDueQuotes(5);
  expect(await sweep('expire_quotes', 2)).toBe(2);
  const rows = await sql<{ status: string }[]>`select status from builder.quotes order by expires_at`;
  expect(rows.map(({ status }) => status === 'expired')).toEqual([true, true, false, false, false]);
  expect(await sweepAll('expire_quotes', 2)).toEqual([2, 1, 0]);
});

describe.each([
  ['expire_quotes', 'quotes', addDueQuotes],
  ['prune_notifications', 'notifications', addDueNotifications],
] as const)('%s, while other transactions hold rows', (name, table, addDue) => {
  /** How many are due still. */
  const due = async (): Promise<number> => {
    const isDue = table === 'quotes' ? sql`status <> 'expired'` : sql`true`;
    return (await sql`select from builder.${sql(table)} where ${isDue}`).count;
  };

  it('skips a locked row without waiting, and sweeps it in the next call', async () => {
    await addDue(3);
    await sql.begin(async holder => {
      await holder`select from builder.${holder(table)} order by expires_at limit 1 for update`;
      expect(await sweep(name, 1)).toBe(1);
      expect(await sweepAll(name, 10)).toEqual([1, 0]);
    });
    expect(await sweep(name, 10)).toBe(1);
  });

  it('sweeps each row once in two concurrent calls, and all rows together', async () => {
    await addDue(600);
    const swept = await Promise.all([sweepAll(name, 7), sweepAll(name, 11)]);
    expect(swept.flat().reduce((sum, count) => sum + count)).toBe(600);
    expect(await due()).toBe(0);
  });
});
