/** What the last release of the database consists of. record.ts writes it, and files.test.ts compares the files with it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { release } from '../../../sql/applied.ts';

export interface Release {
  number: number;
  /** The hashes of the files of sql/migrations/, by their names. They never change. */
  migrations: Record<string, string>;
  /** The hash of all files of sql/code/. */
  code: string;
}

const sqlFolder = new URL('../../../sql/', import.meta.url);
export const here = (file: string): URL => new URL(file, import.meta.url);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the names of the files of a folder with their texts. */
const filesOf = (folder: string): [name: string, text: string][] =>
  readdirSync(new URL(folder, sqlFolder))
    .sort()
    .map(name => [name, readFileSync(new URL(folder + name, sqlFolder), 'utf8')]);

export const releaseOfFiles = (): Release => ({
  number: release,
  migrations: Object.fromEntries(filesOf('migrations/').map(([name, text]) => [name, hashOf(text)])),
  code: hashOf(filesOf('code/').flat().join('\n')),
});

export const lastRelease = (): Release => JSON.parse(readFileSync(here('release.json'), 'utf8'));
