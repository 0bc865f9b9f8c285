/**
 * Detects whether a data directory is in use. The process that started the server holds an advisory lock in it. A server
 * without that lock was left behind by a killed process. Postgres itself refuses to start as long as any process has the id
 * of its last server: one that is still ending after a kill, or another one after a container has started again.
 */
import { readFile, realpath, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { loopback } from './port.ts';
import { Problem } from './problem.ts';

/** Any constant will do. */
const directoryLock = 4_127_770_219;
/** Milliseconds for a server to finish starting or stopping. */
const timeout = 15_000;
/** Milliseconds after which a file that names no server is not one that a server is writing. */
const writingTime = 1000;

const connect = (url: string): Sql =>
  postgres(url, { max: 1, connect_timeout: 3, idle_timeout: 0, max_lifetime: null, onnotice: () => {} });

/** Acquires the lock, and returns a function that releases it. */
export async function lockDirectory(url: string): Promise<() => Promise<void>> {
  const sql = connect(url);
  const [row] = await sql<{ acquired: boolean }[]>`select pg_try_advisory_lock(${directoryLock}) as acquired`;
  if (!row?.acquired) {
    await sql.end();
    throw new Problem('Another `npm start` began to use the database at the same time.');
  }
  return () => sql.end({ timeout: 1 });
}

/** Stops a server that was left behind. Throws a Problem when the server is in use. */
export async function stopLeftover(
  directory: string,
  password: string,
  stop: () => Promise<void>,
): Promise<void> {
  const pidFile = `${directory}/postmaster.pid`;
  const began = performance.now();
  for (let passed = 0; passed < timeout; passed = performance.now() - began) {
    const noted = await readNoted(pidFile);
    if (noted === undefined) {
      return;
    }
    switch (noted === 'damaged' ? noted : await inspect(noted, password, directory)) {
      case 'in use':
        throw new Problem(`The service is already running on the data in ${directory}.`);
      case 'left behind':
        return stop();
      case 'gone':
        // After a crash the file names a process that has ended, or another that has its id now.
        return rm(pidFile, { force: true });
      case 'damaged':
        if (passed > writingTime) {
          return rm(pidFile, { recursive: true });
        }
    }
    await sleep(200);
  }
  throw new Problem(
    `The Postgres in ${directory} neither accepts connections nor stops; see ${directory}/server.log. Its process is named ` +
      `in ${pidFile}.`,
  );
}

interface Noted {
  process: number;
  port: number;
}

/** Returns what a server has written of itself into a file; undefined without a file. */
async function readNoted(pidFile: string): Promise<Noted | 'damaged' | undefined> {
  try {
    const [id, , , port] = (await readFile(pidFile, 'utf8')).split('\n').map(Number);
    const areValid = [id, port].every(number => Number.isInteger(number) && Number(number) > 0);
    return areValid && Number(port) < 65_536 ? { process: Number(id), port: Number(port) } : 'damaged';
  } catch (error) {
    return (error as { code?: string }).code === 'ENOENT' ? undefined : 'damaged';
  }
}

function isRunning({ process: id }: Noted): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

async function inspect(
  noted: Noted,
  password: string,
  directory: string,
): Promise<'in use' | 'left behind' | 'gone' | 'not ready'> {
  const sql = connect(
    `postgres://postgres:${encodeURIComponent(password)}@${loopback}:${noted.port}/postgres`,
  );
  try {
    const [row] = await sql<{ directory: string; free: boolean }[]>`
      select current_setting('data_directory') as directory, pg_try_advisory_lock(${directoryLock}) as free`;
    if (row === undefined || (await realpath(row.directory)) !== (await realpath(directory))) {
      return 'gone';
    }
    return row.free ? 'left behind' : 'in use';
  } catch (error) {
    // It is starting or stopping, or has the password of other secrets.
    const isOurs = ['57P03', '28P01'].includes((error as { code?: string }).code ?? '') && isRunning(noted);
    return isOurs ? 'not ready' : 'gone';
  } finally {
    await sql.end({ timeout: 1 });
  }
}
