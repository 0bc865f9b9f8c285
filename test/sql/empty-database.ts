/** An empty database for each test, and folders with some of the migrations. */
import { randomBytes, randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, inject } from 'vitest';
import { migrationsFolder } from '../../sql/append-only.ts';
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

export function useMigrations() {
  const directory = use(makeTemporaryDirectory, 'remove');
  return {
    /** Writes a folder with the migrations up to one, and others beside them. */
    async folderOf(upTo: number, others: Record<string, string> = {}): Promise<URL> {
      const folder = join(directory.path, randomUUID());
      await mkdir(folder);
      for (const file of await readdir(migrationsFolder)) {
        if (Number.parseInt(file, 10) <= upTo) {
          await cp(new URL(file, migrationsFolder), join(folder, file));
        }
      }
      for (const [file, text] of Object.entries(others)) {
        await writeFile(join(folder, file), text);
      }
      return pathToFileURL(`${folder}/`);
    },
  };
}
