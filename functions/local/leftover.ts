/**
 * Detects whether a data directory is in use. The process that started the server holds an advisory lock in it. A server
 * without that lock was left behind by a killed process.
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
  for (const deadline = Date.now() + timeout; Date.now() < deadline; await sleep(200)) {
    const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
    if (lines.length < 2) {
      return;
    }
    const port = lines[3];
    switch (await inspect(`postgres://postgres:${password}@${loopback}:${port}/postgres`, directory)) {
      case 'in use':
        throw new Problem(`The service is already running on the data in ${directory}.`);
      case 'left behind':
        return stop();
      case 'gone':
        // After a crash the file names a process that has ended, or another that has its id now.
        return rm(pidFile, { force: true });
    }
  }
  throw new Problem(
    `The Postgres in ${directory} neither accepts connections nor stops; see ${directory}/server.log.`,
  );
}

async function inspect(
  url: string,
  directory: string,
): Promise<'in use' | 'left behind' | 'gone' | 'not ready'> {
  const sql = connect(url);
  try {
    const [row] = await sql<{ directory: string; free: boolean }[]>`
      select current_setting('data_directory') as directory, pg_try_advisory_lock(${directoryLock}) as free`;
    if (row === undefined || (await realpath(row.directory)) !== (await realpath(directory))) {
      return 'gone';
    }
    return row.free ? 'left behind' : 'in use';
  } catch (error) {
    const cannotConnectNow = '57P03';
    return (error as { code?: string }).code === cannotConnectNow ? 'not ready' : 'gone';
  } finally {
    await sql.end({ timeout: 1 });
  }
}
