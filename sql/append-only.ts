/**
 * Migrations are append-only: one that has landed may have been applied somewhere, so it must not change. Landed migrations
 * are listed in migrations/checksums.txt, in the format of `md5sum`, and applied ones in the database.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { TransactionSql } from 'postgres';

export const migrationsFolder = new URL('migrations/', import.meta.url);
const listFile = new URL('checksums.txt', migrationsFolder);

/** MD5 by file name, in the order of the migrations. */
type Checksums = Map<string, string>;

/** Computes the checksums of the files. */
export async function checksumsOfFiles(): Promise<Checksums> {
  const names = (await readdir(migrationsFolder)).filter(name => name.endsWith('.sql')).sort();
  return new Map(
    await Promise.all(
      names.map(async name => {
        const text = await readFile(new URL(name, migrationsFolder), 'utf8');
        return [name, createHash('md5').update(text).digest('hex')] as const;
      }),
    ),
  );
}

/** Reads the list of the migrations that have landed. */
export async function landedChecksums(): Promise<Checksums> {
  const text = await readFile(listFile, 'utf8');
  return new Map([...text.matchAll(/^(\S+) {2}(\S+)$/gm)].map(([, md5 = '', name = '']) => [name, md5]));
}

/** Returns a text for each landed migration whose file is changed or gone. */
export function rewritten(landed: Checksums, files: Checksums): string[] {
  return [...landed].flatMap(([name, md5]) => {
    const found = files.get(name);
    return found === md5 ? [] : [`${name} ${found === undefined ? 'is gone' : 'is changed'}`];
  });
}

/** Adds new migrations to the list, and keeps its existing lines. */
export async function landNew(): Promise<void> {
  const all = new Map([...(await checksumsOfFiles()), ...(await landedChecksums())]);
  const lines = [...all].sort().map(([name, md5]) => `${md5}  ${name}\n`);
  await writeFile(listFile, lines.join(''));
}

/** Throws when a file differs from the applied migration, or would never be applied because a later one was. */
export async function ensureAppendOnly(
  transaction: TransactionSql,
  files: readonly { version: number; name: string; md5: string | undefined }[],
): Promise<void> {
  const [table] = await transaction`select to_regclass('builder.migrations') is not null as exists`;
  if (table?.['exists'] !== true) {
    return;
  }
  const rows = await transaction<{ version: number; md5: string }[]>`
    select version::int, md5 from builder.migrations where version > 0`;
  const applied = new Map(rows.map(({ version, md5 }) => [version, md5]));
  const latest = Math.max(0, ...applied.keys());
  for (const { version, name, md5 } of files) {
    if (applied.has(version) && applied.get(version) !== md5) {
      throw new Error(
        `migration ${version} (${name}) differs from the one that was applied to this database. ` +
          'Restore the file, and put the change into a new migration',
      );
    }
    if (!applied.has(version) && version < latest) {
      throw new Error(
        `migration ${version} (${name}) was not applied to this database, which is already at ${latest}. ` +
          `Give it a number above ${latest}`,
      );
    }
  }
}
