/** The process of the embedded Postgres: its start, its end, what its log says of either, and another one on its data. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Problem } from './program.ts';
import type { RunAs } from './run-as.ts';

const execute = promisify(execFile);

/** Milliseconds for a server to become ready, and to stop. */
const readyTimeout = 60_000;
const stopTimeout = 60_000;
/** Milliseconds for the server of a killed program to stop. */
const leftoverTimeout = 10_000;
/** Milliseconds after which a file that names no server is not one that a server is writing. */
const writingTime = 1000;

/** The problem of a database that Postgres can't use. */
export const unusable = (directory: string, reason: string): Problem =>
  new Problem(
    `The database in ${directory} cannot be used: ${reason}. Postgres's log is ${directory}/server.log. If the data is ` +
      'damaged or of another version, restore the directory, or move it away: then a new database is created.',
  );

/**
 * Waits until no server uses a data directory: one may still be stopping. Removes a file that names none, or a process that has
 * the id of the last server since a container was started again: Postgres would refuse to start. Throws a Problem when one is running.
 */
export async function untilFree(directory: string): Promise<void> {
  const file = `${directory}/postmaster.pid`;
  let id = '';
  for (const began = performance.now(); performance.now() - began < leftoverTimeout; await sleep(200)) {
    if (!existsSync(file)) {
      return;
    }
    [id = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    const isNamed = /^[1-9]\d*$/.test(id);
    if (isNamed ? !(await commandOf(id)).includes(directory) : performance.now() - began > writingTime) {
      return rm(file, { recursive: true, force: true });
    }
  }
  throw new Problem(
    `The service is already running on the data in ${directory}, or a Postgres (process ${id}) that was left behind: stop it.`,
  );
}

/** Returns the command line of a process; empty when there is none. */
const commandOf = async (id: string): Promise<string> =>
  readFile(`/proc/${id}/cmdline`, 'utf8').catch(() =>
    execute('ps', ['-o', 'args=', '-p', id]).then(
      ({ stdout }) => stdout,
      () => '',
    ),
  );

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
export async function supervise(
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
  const isRunning = () => shell.exitCode === null && shell.signalCode === null;
  const outcome = await untilReady(directory, port, isRunning);
  if (outcome !== 'ready') {
    await stop();
    const said = outcome === 'ended' ? await reasonOf(directory, await errors) : 'it does not become ready';
    throw unusable(directory, said);
  }
  return { stop, ended };
}

/** Waits until the server writes that it is up: "postmaster.pid" in Postgres's chapter on database files. */
async function untilReady(
  directory: string,
  port: number,
  isRunning: () => boolean,
): Promise<'ready' | 'ended' | 'timeout'> {
  for (const until = performance.now() + readyTimeout; performance.now() < until; await sleep(50)) {
    if (!isRunning()) {
      return 'ended';
    }
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
export const linesOf = async (directory: string): Promise<string[]> =>
  (await readFile(`${directory}/server.log`, 'utf8').catch(() => '')).split('\n').filter(line => line.trim());
