/** Erases an account, and says what is left. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { Problem } from '../../local/program.ts';
import { analyze, type OwnerDatabase, read } from '../owner-database.ts';

/** Rows of each kind that one transaction erases, so that others don't wait long for its locks. */
const batch = 200;
/** Milliseconds for live updates to send the deletions before the feed's rows are erased too. */
const sendingTime = 3000;
/** Milliseconds to wait for rows that another transaction has locked. */
const lockTime = 10_000;

interface Options {
  /** The person's address, by which rows of others are found. */
  email: string | null;
  /** Whether ordered quotes stay, anonymized. */
  keepOrders: boolean;
  /** Otherwise nothing is erased. */
  yes: boolean;
}

interface Tally {
  /** Rows that were erased. */
  erased: number;
}

interface Count {
  name: string;
  count: number;
}

/** Returns the lines to print. Throws a Problem if a row is left that should be gone. */
export async function eraseAccount(
  { sql }: OwnerDatabase,
  account: string,
  { email, keepOrders, yes }: Options,
): Promise<string> {
  const found = await countRows(sql, account, false);
  const due = await countRows(sql, account, keepOrders);
  const mentions = await read(sql<Count[]>`
    select of_table || '.' || of_column as name, count(*)::int as count
    from builder.account_mentions(${account}, ${email}) group by 1 order by 1`);
  if (found.length === 0 && mentions.length === 0) {
    return `Account ${account} has no rows.`;
  }
  const orders = await countOrders(sql, account);
  if (orders > 0 && yes && !keepOrders) {
    throw new Problem(
      `Account ${account} has ${orders} ordered quotes, which tax law may require you to keep: nothing was erased. Add ` +
        '--keep-orders to keep them without contact, notes, players and pictures. To erase one as well, cancel it first.',
    );
  }
  const lines = [
    ...found.map(({ name, count }) => `  ${name}: ${count}`),
    ...(orders > 0 ? [`Of these, ordered quotes, which stay with --keep-orders, anonymized: ${orders}`] : []),
    ...(mentions.length > 0 ? ['In rows of others:'] : []),
    ...mentions.map(({ name, count }) => `  ${name}: ${count}, ${fateOf(name)}`),
  ];
  if (!yes) {
    return [
      `Rows of account ${account}:`,
      ...lines,
      'Nothing was erased. Run it again with --yes to erase these rows and their dependents for good.',
    ].join('\n');
  }
  const erased = await eraseAll(sql, account, keepOrders);
  return [
    ...(erased === 0 && due.length === 0
      ? [`Nothing of account ${account} was left to erase. These rows stay:`]
      : [`Erased account ${account}:`]),
    ...lines,
    'This does not cover sent e-mails, webhook receivers, the login service, pictures, logs and backups.',
  ].join('\n');
}

/** Says what becomes of a column of others' rows that names the person. */
function fateOf(column: string): string {
  return column.endsWith('.created_by')
    ? 'which is removed'
    : column === 'quotes.quoted_by' || column === 'quote_events.staff_id'
      ? 'which stays: it records who of the staff did it'
      : 'which stays: it belongs to another account, whose quotes replace-name or an update corrects';
}

/** Returns how many rows it has erased. A Problem says it, too. */
async function eraseAll(sql: Sql, account: string, keepOrders: boolean): Promise<number> {
  const tally = { erased: 0 };
  try {
    await eraseUnlocked(sql, account, keepOrders, tally);
  } catch (error) {
    throw error instanceof Problem
      ? new Problem(`${error.message} Erased so far: ${tally.erased} rows.`)
      : error;
  }
  return tally.erased;
}

async function eraseUnlocked(sql: Sql, account: string, keepOrders: boolean, tally: Tally): Promise<void> {
  const until = Date.now() + lockTime;
  await eraseInBatches(sql, account, keepOrders, tally);
  for (;;) {
    const [locked] = await read(sql<{ of_table: string; key: string; process: number | null }[]>`
      select * from builder.locked_rows(${account}) order by process limit 1`);
    if (locked === undefined) {
      break;
    }
    if (Date.now() > until) {
      const { of_table, key, process } = locked;
      const holder = process === null ? 'another transaction' : `process ${process}`;
      throw new Problem(
        `The account is not erased: the ${of_table} ${key} has been locked by ${holder} for ${lockTime / 1000} s. ` +
          'Run it again when that has ended.',
      );
    }
    await wait(500);
    await eraseInBatches(sql, account, keepOrders, tally);
  }
  await wait(sendingTime);
  await read(sql`select builder.erase_changes(${account})`);
  await analyze(sql);
  const left = await countRows(sql, account, keepOrders);
  if (left.length > 0) {
    throw new Problem(
      `The account is not erased, since rows were written meanwhile: ${left.map(({ name, count }) => `${name}: ${count}`).join(', ')}. ` +
        'Close its login, wait until its tokens have ended, and run it again.',
    );
  }
}

/** Erases what there is: a batch that is not full was the last one, however many rows others write meanwhile. */
async function eraseInBatches(sql: Sql, account: string, keepOrders: boolean, tally: Tally): Promise<void> {
  let erased = 0;
  do {
    const [row] = await read(sql<{ erased: number }[]>`
      select builder.erase_account(${account}, ${batch}, ${keepOrders})::int as erased`);
    erased = row?.erased ?? 0;
    tally.erased += erased;
  } while (erased >= batch);
}

/** Counts the rows of an account, by table, without its ordered quotes if these are kept. */
const countRows = (sql: Sql, account: string, keepOrders: boolean): Promise<Count[]> =>
  read(sql<Count[]>`
    select of_table as name, count(*)::int as count from builder.account_rows(${account})
    where not ${keepOrders} or of_table not in ('quotes', 'quote_events', 'quote_offers') or coalesce(content ->> 'quote_id', content ->> 'id') not in (
      select q.id::text from builder.quotes q
      where q.account_id = ${account} and q.status = 'ordered' and builder.is_anonymous(q)
    )
    group by 1 order by 1`);

async function countOrders(sql: Sql, account: string): Promise<number> {
  const [row] = await read(sql<{ count: number }[]>`
    select count(*)::int as count from builder.quotes where account_id = ${account} and status = 'ordered'`);
  return row?.count ?? 0;
}
