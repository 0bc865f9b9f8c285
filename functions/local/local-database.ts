/** The local service's database, migrated, with the logins that the worker needs and the demo. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { connect } from '../../sql/connect.ts';
import { type Passwords, tryLogin } from '../../sql/login-passwords.ts';
import { migrate } from '../../sql/migrate.ts';
import { type DemoFiles, serveDemoFiles } from './demo-files.ts';
import { startPostgres } from './postgres.ts';
import { end, Problem, running } from './program.ts';
import type { Secrets } from './secrets.ts';
import { root, type StartSettings } from './settings.ts';
import { step } from './start-report.ts';

export interface LocalDatabase {
  /** The connection string of the owner. */
  url: string;
  /** Brings it up to date, and tells what was done. */
  prepare(): Promise<string>;
  /** Whether it has the demo rows. */
  hasDemo: boolean;
}

/**
 * Runs the database of DATABASE_URL, or the embedded one with its demo, for as long as the program runs. Resolves once it is
 * up to date.
 */
export async function startDatabase(settings: StartSettings, secrets: Secrets): Promise<LocalDatabase> {
  const start = () => settings.databaseUrl ?? startEmbedded(settings, secrets);
  const url = await step(
    'postgres',
    async () => start(),
    url => placeOf(url, settings),
  );
  let demoFiles: DemoFiles | undefined;
  if (settings.databaseUrl === undefined) {
    demoFiles = await serveDemoFiles();
    running.push(demoFiles);
  }
  const prepare = () => prepareDatabase(url, settings, secrets, demoFiles?.address);
  await step('migrations', prepare, outcome => outcome);
  return { url, prepare, hasDemo: demoFiles !== undefined };
}

const embeddedDirectory = ({ directory }: StartSettings): string => join(directory, 'postgres');

async function startEmbedded(settings: StartSettings, secrets: Secrets): Promise<string> {
  const starting = startPostgres({
    directory: embeddedDirectory(settings),
    password: secrets.ownerPassword,
  });
  // A program that ends meanwhile stops it once it has started.
  running.push({ stop: async () => (await starting.catch(() => undefined))?.stop() });
  const server = await starting;
  server.ended.then(sentence => end(new Problem(sentence)));
  return server.url('postgres');
}

function placeOf(url: string, settings: StartSettings): string {
  const { host, port, pathname } = new URL(url);
  return settings.databaseUrl ? `${host}${pathname}` : `port ${port}, data in ${embeddedDirectory(settings)}`;
}

/**
 * Migrates, sets the logins' password, and loads the demo rows into a new embedded database. `demoFiles` is the address
 * of the demo graphics' files.
 */
async function prepareDatabase(
  url: string,
  settings: StartSettings,
  secrets: Secrets,
  demoFiles?: string,
): Promise<string> {
  const connected = connect(url, 5);
  if (!connected.ok) {
    throw new Problem(connected.failure);
  }
  const sql = connected.value;
  try {
    // The embedded one is of this program alone.
    const resetPassword = settings.databaseUrl === undefined;
    const { applied, passwords } = await migrate(sql, secrets.loginPassword, { resetPassword });
    await ensureLogins(url, secrets.loginPassword, passwords);
    const loadsDemo = demoFiles !== undefined && applied[0]?.startsWith('migrations/001.') === true;
    if (loadsDemo) {
      await loadDemoRows(sql);
    }
    if (demoFiles !== undefined) {
      await linkDemoFiles(sql, demoFiles);
    }
    const outcome = applied.length === 0 ? 'up to date' : `${applied.length} files applied`;
    return loadsDemo ? `${outcome}, demo rows loaded` : outcome;
  } catch (error) {
    throw unusable(settings, error as Error);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Throws when a role that logs in has another password, with which another service may log in. */
async function ensureLogins(url: string, password: string, passwords?: Passwords): Promise<void> {
  for (const role of passwords?.kept ?? []) {
    if ((await tryLogin(url, role, password)) !== 'accepted') {
      throw new Error(
        `${role} has another password, which a service may use. Set API_DATABASE_PASSWORD to it, or to a new one after ` +
          'npm run migrate -- --reset-password',
      );
    }
  }
}

async function loadDemoRows(sql: Sql): Promise<void> {
  await sql.unsafe(await readFile(join(root, 'sql/demo.sql'), 'utf8'));
}

/** Gives the demo graphics' files their address of today: the port may be another one than when the rows were loaded. */
async function linkDemoFiles(sql: Sql, address: string): Promise<void> {
  await sql`
    update builder.graphics set file_url = ${address} || substring(file_url from '[^/]*$')
    where file_url ~ '^http://127[.]0[.]0[.]1:[0-9]+/demo/[^/]+$' and not starts_with(file_url, ${address})`;
}

function unusable(settings: StartSettings, error: Error & { code?: string }): Problem {
  const reason = error.message || error.code;
  if (settings.databaseUrl === undefined) {
    const advice =
      error.code === '53100'
        ? 'Free some room there'
        : 'If you remove that directory, a new database is created';
    return new Problem(`The database in ${settings.directory} could not be prepared: ${reason}. ${advice}.`);
  }
  const { host, pathname } = new URL(settings.databaseUrl);
  return new Problem(`The database at ${host}${pathname} (DATABASE_URL) cannot be used: ${reason}`);
}
