/**
 * `npm run account`, for operators whom a person asks for their data: exports an account as JSON, erases it, or replaces a name in
 * a quote. DATABASE_URL is the owner's connection to the database.
 */
import { pipeline } from 'node:stream/promises';
import { uuidPattern } from '../../schema/uuid.ts';
import { endWithReader } from '../../sql/output.ts';
import { exitWith, Problem, parseArguments } from '../local/program.ts';
import { eraseAccount } from './account/erase.ts';
import { analyze, type OwnerDatabase, read, unusable, withOwnerDatabase } from './owner-database.ts';

const usage =
  'Usage: DATABASE_URL=… npm run --silent account -- export <uuid> [--email <address>] | ' +
  'erase <uuid> [--email <address>] [--keep-orders] [--yes] | replace-name <quote> <old> <new>';

/** The positional arguments and the options of each command. */
const commands: Record<string, { arguments: number; options: string[] }> = {
  export: { arguments: 1, options: ['email'] },
  erase: { arguments: 1, options: ['email', 'keep-orders', 'yes'] },
  'replace-name': { arguments: 3, options: [] },
};

interface Given {
  command: string;
  /** Of the account, or of the quote. */
  id: string;
  names: string[];
  email: string | null;
  keepOrders: boolean;
  yes: boolean;
}

function readArguments(args: string[]): Given {
  const flag = { type: 'boolean' } as const;
  const options = { yes: flag, 'keep-orders': flag, email: { type: 'string' } } as const;
  const { positionals, values } = parseArguments({ args, allowPositionals: true, options }, usage);
  const [command = '', id = '', ...names] = positionals;
  const known = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (
    known?.arguments !== names.length + 1 ||
    !Object.keys(values).every(name => known.options.includes(name))
  ) {
    throw new Problem(usage);
  }
  if (!uuidPattern.test(id)) {
    throw new Problem(
      `"${id}" is not ${command === 'replace-name' ? 'a quote' : 'an account'} id (a UUID). ${usage}`,
    );
  }
  const { email = null, yes = false, 'keep-orders': keepOrders = false } = values;
  return { command, id: id.toLowerCase(), names, email, keepOrders, yes };
}

/** Yields one JSON object with the rows of each table, one per line. Reads a hundred rows at a time. */
async function* exportAccount({ sql }: OwnerDatabase, { id, email }: Given): AsyncGenerator<string> {
  const head = `{"account": "${id}", "exported_at": "${new Date().toISOString()}"`;
  let table = '';
  const rows = sql<{ of_table: string; content: string }[]>`
    select of_table, content::text as content from builder.account_rows(${id})
    union all
    select 'named_elsewhere', json_build_object('table', of_table, 'column', of_column, 'key', key)::text
    from builder.account_mentions(${id}, ${email})
    order by of_table`;
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

/** Replaces a name in a quote and its offers, and returns the line to print. */
async function replaceName(
  { sql }: OwnerDatabase,
  { id, names: [was = '', becomes = ''] }: Given,
): Promise<string> {
  if (was.trim() === '') {
    throw new Problem(`The name to replace is empty. ${usage}`);
  }
  const [row] = await read(sql<{ replaced: number | null }[]>`
    select builder.correct_name(${id}, ${was}, ${becomes})::int as replaced`);
  const replaced = row?.replaced ?? null;
  if (replaced === null) {
    throw new Problem(`There is no quote ${id}.`);
  }
  if (replaced === 0) {
    throw new Problem(
      `Neither quote ${id} nor its offers and answers by link have that name as a word of its own.`,
    );
  }
  await analyze(sql);
  return (
    `Replaced the name in ${replaced} of quote ${id}, its offers and its answers by link.\n` +
    'This does not cover other quotes, pictures, files, sent e-mails, webhook receivers, logs and backups.'
  );
}

async function main(): Promise<void> {
  const given = readArguments(process.argv.slice(2));
  await withOwnerDatabase(async database => {
    if (given.command === 'export') {
      await pipeline(exportAccount(database, given), process.stdout, { end: false });
    } else {
      console.log(
        given.command === 'erase'
          ? await eraseAccount(database, given.id, given)
          : await replaceName(database, given),
      );
    }
  });
}

endWithReader();
await main().catch(exitWith);
