/**
 * The checksums of the migrations that have landed, in migrations/checksums.txt as `md5sum` writes them. A migration that
 * has landed may have been applied somewhere, so it is never changed; a database that has applied it refuses another.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';

export const migrationsFolder = new URL('migrations/', import.meta.url);

/** By file name, in the order of the migrations. */
type Checksums = Map<string, string>;

/** Of the files that are there. */
export async function checksumsOfFiles(folder = migrationsFolder): Promise<Checksums> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort();
  return new Map(
    await Promise.all(
      names.map(async name => {
        const text = await readFile(new URL(name, folder), 'utf8');
        return [name, createHash('md5').update(text).digest('hex')] as const;
      }),
    ),
  );
}

/** Of the migrations that have landed. */
export async function landedChecksums(folder = migrationsFolder): Promise<Checksums> {
  const text = await readFile(new URL('checksums.txt', folder), 'utf8');
  return new Map([...text.matchAll(/^(\S+) {2}(\S+)$/gm)].map(([, md5 = '', name = '']) => [name, md5]));
}

/** What was done to migrations that have landed: nothing, as long as they are append-only. */
export function rewritten(landed: Checksums, files: Checksums): string[] {
  return [...landed].flatMap(([name, md5]) => {
    const found = files.get(name);
    return found === md5 ? [] : [`${name} ${found === undefined ? 'is gone' : 'is changed'}`];
  });
}

/** Adds the lines of new migrations, and keeps those that are there. */
export async function landNew(folder = migrationsFolder): Promise<void> {
  const all = new Map([...(await checksumsOfFiles(folder)), ...(await landedChecksums(folder))]);
  const lines = [...all].sort().map(([name, md5]) => `${md5}  ${name}\n`);
  await writeFile(new URL('checksums.txt', folder), lines.join(''));
}
