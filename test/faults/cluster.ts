/** A Postgres of a test file's own. What it has written outlives a killed process, since the machine goes on. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { inject } from 'vitest';
import type { Certificate } from '../setup/certificate.ts';
import { copyStopped } from '../setup/data-directory.ts';
import { databaseAt, type TestDatabase } from '../setup/database.ts';
import { freePort } from '../setup/free-port.ts';
import { startTestPostgres } from '../setup/postgres.ts';
import { makeDirectoryInMemory } from '../setup/temporary-directory.ts';

/** The postmaster's signals: see "Shutting Down the Server" in Postgres's documentation. */
const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** A commit is written before it is acknowledged; the log is small, so that it is soon copied. */
export const clusterSettings = ['fsync=off', 'min_wal_size=32MB', 'max_wal_size=512MB'];

export interface ClusterOptions {
  /** With the certificate that the tests' workers trust, or with another. */
  tls?: boolean | Pick<Certificate, 'path' | 'key'>;
  /** Settings as `name=value`, in addition to the usual ones. */
  settings?: string[];
}

export async function startCluster({ tls = false, settings: more = [] }: ClusterOptions = {}) {
  const temporary = await makeDirectoryInMemory();
  const directory = join(temporary.path, 'postgres');
  await copyStopped(inject('postgres').directory, directory);
  const password = superuserPassword();
  const certificate = typeof tls === 'object' ? tls : inject('certificate');
  const settings = [
    ...clusterSettings,
    ...more,
    ...(tls ? ['ssl=on', `ssl_cert_file=${certificate.path}`, `ssl_key_file=${certificate.key}`] : []),
  ];
  const port = await freePort();
  let server = await startTestPostgres({ directory, password, port, settings });
  const database = databaseOf(server.url(inject('postgres').template));
  return {
    /** A migrated database. Its `drop` does nothing. */
    database: { ...database, drop: async () => {} },
    /** Resolves when the last process has ended. `fast` aborts transactions, `immediate` leaves them to recovery. */
    async stop(how: keyof typeof signals): Promise<void> {
      await killPostmaster(directory, signals[how]);
      await server.stop();
    },
    /** Resolves when it accepts connections, on the same port as before. */
    async start(): Promise<void> {
      server = await startTestPostgres({ directory, password, port, settings });
    },
    async remove(): Promise<void> {
      await database.drop();
      await server.stop();
      await temporary.remove();
    },
  };
}

/** Returns the password of every server that is a copy of the shared one. */
export const superuserPassword = (): string => new URL(inject('postgres').ownerUrl).password;

/** The migrated database of such a server. Its `drop` closes the owner's connection. */
export function databaseOf(ownerUrl: string): TestDatabase {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {}, backoff: false });
  return databaseAt(ownerUrl, sql, () => sql.end({ timeout: 1 }));
}

/** Resolves when the last process of the server in that directory has ended. */
export async function killPostmaster(directory: string, signal = 'SIGQUIT'): Promise<void> {
  const [pid] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n').map(Number);
  process.kill(Number(pid), signal);
  while (isRunning(Number(pid))) {
    await sleep(20);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
