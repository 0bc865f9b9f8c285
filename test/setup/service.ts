/** The whole service for a test file: the bundled worker `all` in workerd, over a database of its own. */
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
  /** Variables and secrets, in place of or on top of the usual ones. */
  bindings?: Record<string, string>;
  /**
   * Reach Postgres through the bindings HYPERDRIVE and HYPERDRIVE_SWEEPER instead of the pool. What miniflare puts in
   * Hyperdrive's place ends the process when a connection breaks: `direct` leaves it out.
   */
  hyperdrive?: boolean | 'direct';
  /** The database, which the service drops when it stops, in place of a new one from the template. */
  database?: TestDatabase;
  /** Where the worker finds Postgres: a proxy's port, or one where nobody listens. */
  databasePort?: number;
  /** Requests in ten seconds, by the name of the binding that counts them; without it nobody counts. */
  rateLimits?: Record<string, number>;
  /** Over https, with a certificate of its own. */
  https?: boolean;
}

export interface Service {
  /** Without a slash at the end. */
  url: string;
  database: TestDatabase;
  /** As the superuser, in the same database. */
  sql: Sql;
  publishableKey: string;
  secretKey: string;
  jwtSecret: string;
  token(holder: TokenHolder): Promise<string>;
  /** The two headers every request carries; without a token those of an anonymous caller. */
  headers(token?: string): { apikey: string; authorization: string };
  /** `fetch` of a path; adds nothing to it. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Runs the sweep, and waits for it. */
  sweep(): Promise<void>;
  /**
   * A new workerd, with other variables on top, over the database as it is: nothing is in an isolate's memory any more,
   * and everything is in the location's cache still. What is being done after an answer is lost.
   */
  restart(bindings?: Record<string, string>): Promise<void>;
  /** What the worker has logged, a line each. */
  logs: string[];
  /** Rejects when the service told, in its log or in an error, what is for nobody to know. */
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

/** The port of the tests' Postgres: what a proxy forwards to. */
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
