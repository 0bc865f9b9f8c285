/** The whole service for a test file: the bundled worker `all` in workerd, with its own database. */
import { randomBytes } from 'node:crypto';
import type { WorkerOptions } from 'miniflare';
import type { Sql } from 'postgres';
import { inject } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { createAccessToken, type TokenHolder } from '../../functions/local/access-token.ts';
import { miniflareOptions, startWorker } from '../../functions/local/worker.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { Secrets } from './secrets.ts';
import { watchService } from './watch.ts';

export interface ServiceOptions {
  /** Variables and secrets, which override the usual ones. */
  bindings?: Record<string, string>;
  /**
   * Reach Postgres through the bindings HYPERDRIVE and HYPERDRIVE_SWEEPER instead of the pool. Miniflare's stand-in for
   * Hyperdrive ends the process when a connection breaks; `direct` bypasses it.
   */
  hyperdrive?: boolean | 'direct';
  /** The database, by default a new one from the template. The service drops it when it stops. */
  database?: TestDatabase;
  /** The port at which the worker expects Postgres: a proxy's, or a closed one. */
  databasePort?: number;
  /** Requests in ten seconds, by the name of the rate limit binding. Bindings that are left out do not limit. */
  rateLimits?: Record<string, number>;
  /** Serve over https, with a self-signed certificate. */
  https?: boolean;
}

export interface Service {
  /** Without a slash at the end. */
  url: string;
  database: TestDatabase;
  /** Connected to the same database as the superuser. */
  sql: Sql;
  publishableKey: string;
  secretKey: string;
  jwtSecret: string;
  token(holder: TokenHolder): Promise<string>;
  /** The two headers that every request needs; without a token, those of an anonymous caller. */
  headers(token?: string): { apikey: string; authorization: string };
  /** `fetch` of a path, without added headers. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Runs the sweep to its end. */
  sweep(): Promise<void>;
  /**
   * Starts a new workerd with changed variables on the same database. The isolates' memory is empty then, and the location's
   * cache is kept. Work that continues after a response (`waitUntil`) is lost.
   */
  restart(bindings?: Record<string, string>): Promise<void>;
  /** The lines that the worker has logged. */
  logs: string[];
  /** Rejects when the log or an error of the service contained a secret. */
  stop(): Promise<void>;
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { script, options: written } = inject('worker');
  const database = options.database ?? (await createDatabase());
  const keys = {
    PUBLISHABLE_KEY: `sb_publishable_${randomBytes(16).toString('hex')}`,
    SECRET_KEY: `sb_secret_${randomBytes(16).toString('hex')}`,
    JWT_SECRET: randomBytes(32).toString('hex'),
    ...options.bindings,
  };
  const logs: string[] = [];
  const deployment = {
    script,
    port: 0,
    onLog: (line: string): void => void logs.push(line),
    options: workerOptions(database, written, options),
    bindings: { ...poolBindings(database, options), LOCAL: '1', GRAPHICS_CACHE_SECONDS: '0', ...keys },
  };
  const worker = await startWorker(deployment).catch(async error => {
    await database.drop();
    throw error;
  });
  const url = (await worker.ready).origin;
  const secrets = secretsOf(database, keys);
  const watch = watchService(url, logs, secrets);
  const call = (path: string, init?: RequestInit) => fetch(`${url}${path}`, init);
  return {
    url,
    database,
    sql: database.sql,
    publishableKey: keys.PUBLISHABLE_KEY,
    secretKey: keys.SECRET_KEY,
    jwtSecret: keys.JWT_SECRET,
    logs,
    async token(holder) {
      const token = await createAccessToken(keys.JWT_SECRET, holder);
      secrets.add('a token', token);
      return token;
    },
    headers: token => ({
      apikey: keys.PUBLISHABLE_KEY,
      authorization: `Bearer ${token ?? keys.PUBLISHABLE_KEY}`,
    }),
    fetch: call,
    async sweep() {
      const { status, body } = await call('/cdn-cgi/handler/scheduled');
      await body?.cancel();
      if (status !== 200) {
        throw new Error(`The sweep was answered with ${status}.`);
      }
    },
    restart: bindings =>
      worker.setOptions(
        miniflareOptions({ ...deployment, bindings: { ...deployment.bindings, ...bindings } }),
      ),
    async stop() {
      await worker.dispose();
      await database.drop();
      const leaks = await watch.leaks();
      if (leaks.length > 0) {
        throw new Error(leaks.join('\n'));
      }
    },
  };
}

function secretsOf(database: TestDatabase, bindings: Record<string, string>): Secrets {
  const secrets = new Secrets();
  for (const [name, value] of Object.entries(bindings)) {
    if (/KEY|SECRET|URL/.test(name)) {
      secrets.add(name, value);
    }
  }
  for (const url of [database.ownerUrl, database.apiUrl, database.sweeperUrl]) {
    secrets.add('the address of the database', url);
    secrets.add('the password of the database', new URL(url).password);
  }
  return secrets;
}

/** The port of the tests' Postgres, which proxies forward to. */
export const postgresPort = (): number => inject('postgres').port;

const seenByWorker = (url: string, { databasePort }: ServiceOptions): string =>
  databasePort === undefined ? url : Object.assign(new URL(url), { port: String(databasePort) }).href;

function poolBindings(database: TestDatabase, options: ServiceOptions): Record<string, string> {
  if (options.hyperdrive) {
    return {};
  }
  return {
    DATABASE_URL: seenByWorker(database.apiUrl, options),
    SWEEPER_DATABASE_URL: seenByWorker(database.sweeperUrl, options),
  };
}

function workerOptions(
  database: TestDatabase,
  written: Partial<WorkerOptions>,
  { rateLimits = {}, https = false, ...options }: ServiceOptions,
): Partial<WorkerOptions> {
  const counted = Object.entries(rateLimits).map(([name, limit]) => [
    name,
    { simple: { limit, period: limits.rate.periodSeconds } },
  ]);
  const hyperdrives = {
    HYPERDRIVE: seenByWorker(database.apiUrl, options),
    HYPERDRIVE_SWEEPER: seenByWorker(database.sweeperUrl, options),
  };
  return {
    ...written,
    ratelimits: Object.fromEntries(counted),
    ...(https && { https }),
    ...(options.hyperdrive && { durableObjects: {} }),
    ...(options.hyperdrive === true && { hyperdrives }),
    ...(options.hyperdrive === 'direct' && { bindings: asBindings(hyperdrives) }),
  } as Partial<WorkerOptions>;
}

const asBindings = (hyperdrives: Record<string, string>): Record<string, { connectionString: string }> =>
  Object.fromEntries(
    Object.entries(hyperdrives).map(([name, connectionString]) => [name, { connectionString }]),
  );
