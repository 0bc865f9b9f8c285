/**
 * The embedded Postgres: a server for one data directory, on a free port, that ends with this process however that ends.
 * Knows nothing of the server's contents.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { lockDirectory, stopLeftover } from './leftover.ts';
import { loopback, tryPort } from './port.ts';
import { copyName, findPrograms, type Programs } from './postgres-programs.ts';
import { Problem } from './problem.ts';
import { chooseRunAs, type RunAs } from './run-as.ts';

const execute = promisify(execFile);

/** Milliseconds for a server to become ready, and to stop. */
const readyTimeout = 60_000;
const stopTimeout = 60_000;

export interface PostgresOptions {
  /** An absolute path; created when missing, and its parent too. */
  directory: string;
  /** The password of the superuser `postgres`, who owns everything. */
  password: string;
  /** Any free port when left out. */
  port?: number;
  /** Settings as `name=value`, in addition to the defaults. */
  settings?: string[];
  /** Whether to run a copy of Postgres's programs, beside the directory. */
  copiesPrograms?: boolean;
}

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
  const parent = dirname(options.directory);
  await mkdir(parent, { recursive: true });
  const programs = await findPrograms(options.copiesPrograms ? parent : undefined);
  const copy = options.copiesPrograms ? join(dirname(programs.postgres), '../..') : undefined;
  try {
    const server = await startWith(programs, options);
    if (copy !== undefined) {
      await removeCopies(parent, basename(copy));
    }
    return server;
  } catch (error) {
    if (copy !== undefined) {
      await rm(copy, { recursive: true, force: true });
    }
    throw error;
  }
}

/** Removes the copies of programs whose servers have ended. */
async function removeCopies(parent: string, inUse: string): Promise<void> {
  const others = (await readdir(parent)).filter(name => name.startsWith(copyName) && name !== inUse);
  await Promise.all(others.map(name => rm(join(parent, name), { recursive: true, force: true })));
}

async function startWith(programs: Programs, options: PostgresOptions): Promise<PostgresServer> {
  const { directory, password } = options;
  const as = await chooseRunAs(programs.postgres, dirname(directory));
  await ensureOwned(directory, as);
  if (!(await exists(`${directory}/PG_VERSION`))) {
    await initialise(programs.initdb, as, directory, password);
  }
  await stopLeftover(directory, password, () =>
    run(as, programs.pg_ctl, ['-D', directory, '-m', 'fast', '-w', 'stop']),
  );
  try {
    return await serve(programs.postgres, as, options);
  } catch (error) {
    if (!isPasswordRefused(error)) {
      throw error;
    }
    // The secrets were lost or replaced. Whoever may write the data may set its password.
    const sql = `alter role postgres password '${password.replaceAll("'", "''")}'\n`;
    await run(as, programs.postgres, ['--single', '-D', directory, 'postgres'], sql);
    console.log(`The database in ${directory} has the password of the new secrets now.`);
    return await serve(programs.postgres, as, options);
  }
}

const isPasswordRefused = (error: unknown): boolean => (error as { code?: string }).code === '28P01';

/** Starts the server, and locks its directory. */
async function serve(
  postgres: string,
  as: RunAs,
  { directory, password, port: wanted = 0, settings = [] }: PostgresOptions,
): Promise<PostgresServer> {
  const port = Number(await tryPort(wanted));
  const own = [`port=${port}`, `listen_addresses=${loopback}`, 'unix_socket_directories='];
  const { stop, ended } = await supervise(postgres, as, directory, port, [...own, ...settings]);
  const url = (database: string) =>
    `postgres://postgres:${encodeURIComponent(password)}@${loopback}:${port}/${database}`;
  try {
    const release = await lockDirectory(url('postgres'));
    return {
      port,
      url,
      stop: () => release().then(stop),
      ended: ended.then(async () => {
        const said = (await linesOf(directory)).at(-1);
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

/** The problem of a database that Postgres can't use. */
const unusable = (directory: string, reason: string): Problem =>
  new Problem(
    `The database in ${directory} cannot be used: ${reason}. Postgres's log is ${directory}/server.log. If the data is ` +
      'damaged or of another version, restore the directory, or move it away: then a new database is created.',
  );

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

/** Initialises a temporary directory and renames it, so that a data directory that exists is complete. */
async function initialise(initdb: string, as: RunAs, directory: string, password: string): Promise<void> {
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
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const login = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    await run(as, initdb, ['-D', draft, ...login, ...locale, '--no-sync']);
    await rename(draft, directory);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** A server under its shell script. */
interface Supervised {
  stop(): Promise<void>;
  /** Resolves when the server has ended without `stop()`. */
  ended: Promise<void>;
}

/**
 * Starts the server under a small shell script, which stops it when the pipe from this process closes: on `stop()`, and
 * when this process ends in any other way. The script has its own session, so that Ctrl-C doesn't reach it first.
 */
async function supervise(
  postgres: string,
  as: RunAs,
  directory: string,
  port: number,
  settings: string[],
): Promise<Supervised> {
  const script = `exec 3<&0
    directory=$1
    shift
    "$0" -D "$directory" "$@" > "$directory/server.log" 2>&1 < /dev/null 3<&- &
    server=$!
    { read -r end; kill -INT "$server"; } <&3 > /dev/null 2>&1 &
    stopper=$!
    exec 3<&-
    wait "$server"
    kill "$stopper"`;
  await rm(`${directory}/server.log`, { recursive: true, force: true });
  const flags = settings.flatMap(setting => ['-c', setting]);
  const [file = '', ...args] = [...as.prefix, 'sh', '-c', script, postgres, directory, ...flags];
  const shell = spawn(file, args, { ...as.options, detached: true, stdio: ['pipe', 'ignore', 'pipe'] });
  const [errors, exit] = [text(shell.stderr), once(shell, 'exit')];
  shell.stdin.on('error', () => {});
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    shell.stdin.end();
    await stopWithin(stopTimeout, exit, shell.pid);
  };
  const ended = exit.then(() => (isStopping ? new Promise<void>(() => {}) : undefined));
  const outcome = await Promise.race([untilReady(directory, port), exit.then(() => 'ended' as const)]);
  if (outcome !== 'ready') {
    await stop();
    const said = outcome === 'ended' ? await reasonOf(directory, await errors) : 'it does not become ready';
    throw unusable(directory, said);
  }
  return { stop, ended };
}

/** Waits until the server writes that it is up: "postmaster.pid" in Postgres's chapter on database files. */
async function untilReady(directory: string, port: number): Promise<'ready' | 'timeout'> {
  for (const until = performance.now() + readyTimeout; performance.now() < until; await sleep(50)) {
    const lines = (await readFile(`${directory}/postmaster.pid`, 'utf8').catch(() => '')).split('\n');
    // A standby says so.
    if (lines[3] === String(port) && ['ready', 'standby'].includes(lines[7]?.trim() ?? '')) {
      return 'ready';
    }
  }
  return 'timeout';
}

/** Waits until the shell has ended. After so many milliseconds, kills the server and the shell, which are a process group. */
async function stopWithin(milliseconds: number, exit: Promise<unknown>, group = Number.NaN): Promise<void> {
  const timer = setTimeout(() => process.kill(-group, 'SIGQUIT'), milliseconds);
  await exit;
  clearTimeout(timer);
}

/** Returns why the server ended, as its log says, or else the errors of the shell. */
async function reasonOf(directory: string, errors: string): Promise<string> {
  const lines = await linesOf(directory);
  const last = lines.findLastIndex(line => /FATAL:|PANIC:/.test(line));
  const [fatal = '', detail = ''] = lines.slice(Math.max(last, 0));
  const reason =
    /(?:FATAL|PANIC): +(.*)/.exec(fatal)?.[1] ?? lines.at(-1) ?? (errors.trim() || 'it said nothing');
  return [reason, ...(/DETAIL: +(.*)/.exec(detail)?.slice(1) ?? [])].join(': ').replace(/\.$/, '');
}

/** Returns the lines of the server's log that are not empty. */
const linesOf = async (directory: string): Promise<string[]> =>
  (await readFile(`${directory}/server.log`, 'utf8').catch(() => '')).split('\n').filter(line => line.trim());

async function run(as: RunAs, program: string, args: string[], input = ''): Promise<void> {
  const [file = '', ...rest] = [...as.prefix, program, ...args];
  try {
    const running = execute(file, rest, as.options);
    running.child.stdin?.on('error', () => {}).end(input);
    await running;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Problem(`${program} failed: ${stderr?.trim().split('\n').at(-1) || message}`);
  }
}

const exists = (path: string): Promise<boolean> => stat(path).then(Boolean, () => false);
