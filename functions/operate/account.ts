/**
 * `npm run account`, for operators whom a person asks for their data: exports an account as JSON, or erases it.
 * DATABASE_URL is the owner's connection to the database.
 */
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { uuidPattern } from '../../schema/uuid.ts';
import { endWithReader } from '../../sql/output.ts';
import { exitWith, Problem, parseArguments } from '../local/program.ts';
import { type OwnerDatabase, read, unusable, withOwnerDatabase } from './owner-database.ts';

const usage = 'Usage: DATABASE_URL=… npm run --silent account -- export <uuid> | erase <uuid> [--yes]';

/** Rows of each kind that one transaction erases, so that others don't wait long for its locks. */
const batch = 200;
/** Milliseconds for live updates to send the deletions before the feed's rows are erased too. */
const sendingTime = 3000;

interface Given {
  command: string;
  account: string;
  yes: boolean;
}

function readArguments(args: string[]): Given {
  const options = { yes: { type: 'boolean' } } as const;
  const { positionals, values } = parseArguments({ args, allowPositionals: true, options }, usage);
  const [command = '', account = '', ...more] = positionals;
  if (!['export', 'erase'].includes(command) || more.length > 0 || (values.yes && command !== 'erase')) {
    throw new Problem(usage);
  }
  if (!uuidPattern.test(account)) {
    throw new Problem(`"${account}" is not an account id (a UUID). ${usage}`);
  }
  return { command, account: account.toLowerCase(), yes: values.yes ?? false };
}

/** Yields one JSON object with the rows of each table, one per line. Reads a hundred rows at a time. */
async function* exportAccount({ sql }: OwnerDatabase, account: string): AsyncGenerator<string> {
  const head = `{"account": "${account}", "exported_at": "${new Date().toISOString()}"`;
  let table = '';
  const rows = sql<{ of_table: string; content: string }[]>`
    select of_table, content::text as content from builder.account_rows(${account}) order by of_table`;
  try {
    for await (const some of rows.cursor(100)) {
      for (const { of_table, content } of some) {
        const before = table === '' ? head : '\n]';
        yield of_table === table ? ',\n  ' : `${before},\n"${of_table}": [\n  `;
        yield content;
        table = of_table;
      }
    }
  } catch (error) {
    throw unusable(error);
  }
  yield table === '' ? `${head}}\n` : '\n]}\n';
}

/** Returns the lines to print. */
async function eraseAccount({ sql }: OwnerDatabase, account: string, yes: boolean): Promise<string> {
  const found = await read(sql<{ of_table: string; count: number }[]>`
    select of_table, count(*)::int as count from builder.account_rows(${account}) group by 1 order by 1`);
  if (!yes) {
    return found.length === 0
      ? `Account ${account} has no rows.`
      : [
          `Rows of account ${account}:`,
          ...found.map(({ of_table, count }) => `  ${of_table}: ${count}`),
          'Nothing was erased. Run it again with --yes to erase these rows and their dependents for good.',
        ].join('\n');
  }
  await eraseInBatches(sql, account);
  return [
    `Erased account ${account}:`,
    ...found.map(({ of_table, count }) => `  ${of_table}: ${count}`),
    'This does not cover sent e-mails, webhook calls, logs and backups.',
  ].join('\n');
}

async function eraseInBatches(sql: Sql, account: string): Promise<void> {
  let erased = 0;
  for (let last = 1; last > 0; erased += last) {
    const [row] = await read(sql<{ erased: number }[]>`
      select builder.erase_account(${account}, ${batch})::int as erased`);
    last = row?.erased ?? 0;
  }
  if (erased > 0) {
    await wait(sendingTime);
  }
  await read(sql`select builder.erase_changes(${account})`);
}

async function main(): Promise<void> {
  const { command, account, yes } = readArguments(process.argv.slice(2));
  await withOwnerDatabase(async database =>
    command === 'export'
      ? pipeline(exportAccount(database, account), process.stdout, { end: false })
      : console.log(await eraseAccount(database, account, yes)),
  );
}

endWithReader();
await main().catch(exitWith);
