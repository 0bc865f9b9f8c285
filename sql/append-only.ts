/**
 * Migrations are append-only: one that has landed may have been applied somewhere, so it is never changed. The landed
 * ones are in migrations/checksums.txt, as `md5sum` writes them, and the applied ones in the database.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { TransactionSql } from 'postgres';

export const migrationsFolder = new URL('migrations/', import.meta.url);
const listFile = new URL('checksums.txt', migrationsFolder);

/** By file name, in the order of the migrations. */
type Checksums = Map<string, string>;

/** Reads the files that are there. */
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

/** Returns the landed migrations whose file is changed or gone, and which of these it is. */
export function rewritten(landed: Checksums, files: Checksums): string[] {
  return [...landed].flatMap(([name, md5]) => {
    const found = files.get(name);
    return found === md5 ? [] : [`${name} ${found === undefined ? 'is gone' : 'is changed'}`];
  });
}

/** Adds the new migrations to the list, and keeps the lines that are there. */
export async function landNew(): Promise<void> {
  const all = new Map([...(await checksumsOfFiles()), ...(await landedChecksums())]);
  const lines = [...all].sort().map(([name, md5]) => `${md5}  ${name}\n`);
  await writeFile(listFile, lines.join(''));
}

/** Throws when a file is not the migration that this database has applied, or would never be applied to it. */
export async function refuseRewritten(
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
        `migration ${version} (${name}) is not the one that was applied to this database. ` +
          'Restore that file, and put the change into a new migration',
      );
    }
    if (!applied.has(version) && version < latest) {
      throw new Error(
        `migration ${version} (${name}) was not applied to this database, which is at ${latest} already. ` +
          `Give it a number above ${latest}`,
      );
    }
  }
}
