/** What a database has of the files of migrations/ and code/. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { TransactionSql } from 'postgres';

/**
 * The number of this release's database. Whoever changes migrations/ or code/ first after a release raises it: a test says so.
 */
export const release = 2;

/**
 * The files of code/, in the order in which they are applied to an empty database: Postgres checks that what a policy, a
 * trigger or a function in SQL calls exists, so it stands in an earlier file.
 */
const codeFiles = [
  'callers',
  'access',
  'values',
  'quote-columns',
  'graphics',
  'terms',
  'corrections',
  'quote-names',
  'quote-fields',
  'quote-prices',
  'quote-life',
  'history',
  'numbers',
  'duplicates',
  'idempotency',
  'live',
  'languages',
  'quote-links',
  'dismissals',
  'message-texts',
  'messages',
  'outbox',
  'queue',
  'emails',
  'offer-page',
  'webhooks',
  'copies',
  'sweep',
  'accounts',
  'responses',
];

interface CodeFile {
  name: string;
  text: string;
  md5: string;
}

interface MigrationFile {
  version: number;
  name: string;
  md5: string | undefined;
}

const exists = async (transaction: TransactionSql, table: string): Promise<boolean> =>
  (await transaction`select to_regclass(${table}) is not null as exists`)[0]?.['exists'];

/**
 * Throws when a migration differs from the applied one, or would never be applied because a later one was, or when a later
 * release has migrated the database: its functions may need its tables.
 */
export async function compareMigrations(
  transaction: TransactionSql,
  files: readonly MigrationFile[],
): Promise<void> {
  if (!(await exists(transaction, 'builder.migrations'))) {
    return;
  }
  const rows = await transaction<{ version: number; name: string; md5: string }[]>`
    select version::int, name, md5 from builder.migrations where version > 0`;
  const applied = new Map(rows.map(row => [row.version, row]));
  const latest = Math.max(0, ...applied.keys());
  const [{ number } = {}] = await transaction<{ number: number }[]>`select number from builder.release`;
  if ((number ?? 0) > release || files.every(({ version }) => version < latest)) {
    throw new Error(
      `the database was migrated by a later version: its release is ${number}, at migration ${latest}, and this one's is ` +
        `${release}. Run npm run migrate of that version`,
    );
  }
  for (const { version, name, md5 } of files) {
    const row = applied.get(version);
    if (row && row.md5 !== md5) {
      throw new Error(
        `migration ${version} (${name}) differs from the one that was applied to this database. ` +
          'Restore the file, and put the change into a new migration',
      );
    }
    if (!row && version < latest) {
      throw new Error(
        `migration ${version} (${name}) was not applied to this database, which is already at ${latest}. ` +
          `Give it a number above ${latest}`,
      );
    }
  }
}

/** Reads the files of code/ that differ from those that were applied last. */
export async function changedCode(transaction: TransactionSql, folder: URL): Promise<CodeFile[]> {
  const rows = (await exists(transaction, 'builder.code'))
    ? await transaction<{ name: string; md5: string }[]>`select name, md5 from builder.code`
    : [];
  const applied = new Map(rows.map(({ name, md5 }) => [name, md5]));
  const files = await Promise.all(
    codeFiles.map(async name => {
      const text = await readFile(new URL(`code/${name}.sql`, folder), 'utf8');
      return { name, text, md5: createHash('md5').update(text).digest('hex') };
    }),
  );
  return files.filter(({ name, md5 }) => applied.get(name) !== md5);
}

/** The tables that a request writes before any other, in this order. */
const firstWritten = ['quotes', 'quote_events', 'quote_offers', 'notifications', 'dismissals', 'graphics'];

/** The tables that a request writes after any other. */
const lastWritten = ['deliveries', 'changes'];

/**
 * Locks the tables that have triggers or policies, in the order in which requests write to them: a request that has locked one
 * of them and waits for another would be in a deadlock with the migration.
 */
export async function lockForCode(transaction: TransactionSql, files: readonly CodeFile[]): Promise<void> {
  if (files.length > 0 && (await exists(transaction, 'builder.code'))) {
    const mode = files.some(({ name }) => name === 'access') ? 'access exclusive' : 'share row exclusive';
    const tables = await transaction<{ name: string }[]>`
      select oid::regclass::text as name from pg_class
      where relnamespace = 'builder'::regnamespace and relkind in ('r', 'p') and not relispartition
        and (
          exists (select from pg_policy where polrelid = pg_class.oid)
          or exists (select from pg_trigger where tgrelid = pg_class.oid and not tgisinternal)
        )
      order by array_position(${firstWritten}::text[], relname::text), array_position(${lastWritten}::text[], relname::text) nulls first,
        relname`;
    if (tables.length > 0) {
      await transaction.unsafe(`lock table ${tables.map(({ name }) => name).join()} in ${mode} mode`);
    }
  }
}

/** Applies files, forgets those that are no longer in code/, and notes the release. */
export async function applyCode(transaction: TransactionSql, files: readonly CodeFile[]): Promise<void> {
  for (const { name, text, md5 } of files) {
    try {
      await transaction.unsafe(text);
    } catch (error) {
      (error as Error).message = `code/${name}.sql: ${(error as Error).message}`;
      throw error;
    }
    await transaction`
      insert into builder.code values (${name}, ${md5}) on conflict (name) do update set md5 = excluded.md5`;
  }
  await transaction`delete from builder.code where name <> all (${codeFiles})`;
  await transaction`update builder.release set number = ${release} where number <> ${release}`;
}
