/** An empty database for each test, and copies of sql/ with other migrations or other code. */
import { randomBytes, randomUUID } from 'node:crypto';
import { appendFile, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, inject } from 'vitest';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';

interface EmptyDatabase {
  name: string;
  /** The connection string of the superuser, or of another role with the usual password. */
  urlOf(role?: string): string;
  sql: Sql;
  /** Connected to another database of the server. */
  server: Sql;
}

export function useEmptyDatabase(): EmptyDatabase {
  const { ownerUrl, loginPassword } = inject('postgres');
  const empty = {} as EmptyDatabase;
  beforeEach(async () => {
    const name = `empty_${randomBytes(6).toString('hex')}`;
    const server = postgres(ownerUrl, { max: 1, onnotice: () => {} });
    await server`create database ${server(name)}`;
    const url = Object.assign(new URL(ownerUrl), { pathname: name }).href;
    const urlOf = (role?: string) =>
      role ? Object.assign(new URL(url), { username: role, password: loginPassword }).href : url;
    Object.assign(empty, { name, urlOf, server, sql: postgres(url, { max: 3, onnotice: () => {} }) });
  });
  afterEach(async () => {
    await empty.sql.end({ timeout: 5 });
    await empty.server`drop database ${empty.server(empty.name)} with (force)`;
    await empty.server.end();
  });
  return empty;
}

const parts = ['migrations', 'code'];
export const sqlFolder = new URL('../../sql/', import.meta.url);

export function useSqlFolders() {
  const directory = use(makeTemporaryDirectory, 'remove');
  return {
    /** Writes a folder with the migrations and the code. `others` are files by path, `comment` goes to the end of each file of code/. */
    async folderWith(others: Record<string, string>, comment = ''): Promise<URL> {
      const folder = join(directory.path, randomUUID());
      for (const part of parts) {
        await mkdir(join(folder, part), { recursive: true });
        for (const file of await readdir(new URL(`${part}/`, sqlFolder))) {
          await cp(new URL(`${part}/${file}`, sqlFolder), join(folder, part, file));
          if (part === 'code') {
            await appendFile(join(folder, part, file), comment);
          }
        }
      }
      for (const [file, text] of Object.entries(others)) {
        await writeFile(join(folder, file), text);
      }
      return pathToFileURL(`${folder}/`);
    },
  };
}
