/** The whole service for a test file, in workerd, with its own database. */
import { randomUUID } from 'node:crypto';
import { inject, vi } from 'vitest';
import { createAccessToken, type TokenHolder } from '../../functions/local/access-token.ts';
import { emptyDatabase, type TestDatabase } from './database.ts';
import { type RunningWorker, type ServiceOptions, startRunningWorker } from './running-worker.ts';
import { Secrets } from './secrets.ts';
import { use } from './use.ts';
import { watchService } from './watch.ts';

export type { ServiceOptions } from './running-worker.ts';

export type Service = ReturnType<typeof serviceOf>;

/** The service with the usual settings that the test file before has given back, while nobody uses it. */
let spare: RunningWorker | undefined;

/** Without options, the files that a process runs one after the other share one service; each begins with empty tables. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  let isUsual = Object.keys(options).length === 0;
  const running = (isUsual && (await takeSpare())) || (await startRunningWorker(options));
  return serviceOf({
    ...running,
    async restart(bindings) {
      isUsual &&= bindings === undefined;
      await running.restart(bindings);
    },
    async stop() {
      if (isUsual && spare === undefined && (await hasLogged(running))) {
        spare = running;
      } else {
        await running.stop();
      }
    },
  });
}

/** What tests do with a service; all that it logs is watched until it is stopped. */
export function serviceOf({ url, urls, database, keys, logs, restart, stop }: RunningWorker) {
  const secrets = secretsOf(database, keys);
  const watch = watchService(url, logs, secrets);
  /** `fetch` of a path, without added headers. */
  const call = (path: string, init?: RequestInit): Promise<Response> => fetch(`${url}${path}`, init);
  return {
    /** Without a slash at the end. */
    url,
    database,
    /** Connected to the same database as the superuser. */
    sql: database.sql,
    publishableKey: keys.PUBLISHABLE_KEY,
    secretKey: keys.SECRET_KEY,
    readKey: keys.READ_KEY,
    jwtSecret: keys.JWT_SECRET,
    /** The lines that the worker has logged. */
    logs,
    restart,
    async token(holder: TokenHolder): Promise<string> {
      const token = await createAccessToken(keys.JWT_SECRET, holder);
      secrets.add('a token', token);
      return token;
    },
    /** The two headers that every request needs; without a token, those of an anonymous caller. */
    headers: (token = keys.PUBLISHABLE_KEY) => ({
      apikey: keys.PUBLISHABLE_KEY,
      authorization: `Bearer ${token}`,
    }),
    fetch: call,
    /** A deployed worker by its env in wrangler.toml, past the routes. */
    at(env: string) {
      const own = urls?.[env] ?? url;
      return {
        url: own,
        fetch: (path: string, init?: RequestInit): Promise<Response> => fetch(`${own}${path}`, init),
      };
    },
    /** Runs the sweep to its end. */
    async sweep(): Promise<void> {
      const { status, body } = await call('/cdn-cgi/handler/scheduled');
      await body?.cancel();
      if (status !== 200) {
        throw new Error(`The sweep was answered with ${status}.`);
      }
    },
    /** Rejects when the log or an error of the service contained a secret. */
    async stop(): Promise<void> {
      await stop();
      const leaks = await watch.leaks();
      if (leaks.length > 0) {
        throw new Error(leaks.join('\n'));
      }
    },
  };
}

/** The service of a test file, or of a `describe`: it is started before its tests, and until then has no properties. */
export const useService = (options?: ServiceOptions): Service => use(() => startService(options), 'stop');

async function takeSpare(): Promise<RunningWorker | undefined> {
  const taken = spare;
  spare = undefined;
  if (taken) {
    await emptyDatabase(taken.database);
    taken.logs.length = 0;
  }
  return taken;
}

/** Waits until the worker has logged what it was asked before. False when it does not answer any more. */
async function hasLogged({ url, logs }: RunningWorker): Promise<boolean> {
  const id = randomUUID();
  const isLogged = () => logs.some(line => line.includes(id));
  try {
    const response = await fetch(url, {
      headers: { 'x-request-id': id },
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    return await vi.waitUntil(isLogged, { timeout: 10_000 });
  } catch {
    return false;
  }
}

function secretsOf(database: TestDatabase, bindings: Record<string, string>): Secrets {
  const secrets = new Secrets();
  for (const [name, value] of Object.entries(bindings)) {
    if (/KEY|SECRET|URL/.test(name)) {
      secrets.add(name, value);
    }
  }
  for (const url of [database.ownerUrl, database.apiUrl, database.jobsUrl]) {
    secrets.add('the address of the database', url);
    secrets.add('the password of the database', new URL(url).password);
  }
  return secrets;
}

/** The port of the tests' Postgres, which proxies forward to. */
export const postgresPort = (): number => inject('postgres').port;
