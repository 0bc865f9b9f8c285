/** The bundled worker `all` in workerd, over a database of its own. */
import { randomBytes } from 'node:crypto';
import type { WorkerOptions } from 'miniflare';
import { inject } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { tryPort } from '../../functions/local/port.ts';
import { addressOf, miniflareOptions, startWorker } from '../../functions/local/worker.ts';
import { createDatabase, type TestDatabase } from './database.ts';

export interface ServiceOptions {
  /** Variables and secrets, in place of or on top of the usual ones. */
  bindings?: Record<string, string>;
  /**
   * Reach Postgres not by the pool but by the bindings HYPERDRIVE and HYPERDRIVE_JOBS: `direct` without
   * the pool, `and pool` with it bound too. They are plain connection strings. Miniflare 4.20260426's own Hyperdrive is a proxy
   * without error handlers, which ends this process with ECONNRESET when a connection breaks.
   */
  hyperdrive?: 'direct' | 'and pool';
  /** The database, which the service drops when it stops, in place of a new one from the template. */
  database?: TestDatabase;
  /** Where the worker finds Postgres: a proxy's port, or one where nobody listens. */
  databasePort?: number;
  /** Requests in ten seconds, by the name of the binding that counts them; without it nobody counts. */
  rateLimits?: Record<string, number>;
  /** Over https, with a certificate of its own. */
  https?: boolean;
  /** Further services that are bound, by the name of the binding. */
  services?: WorkerOptions['serviceBindings'];
  /** Where V8's inspector listens: see heap.ts. */
  inspectorPort?: number;
}

export type RunningWorker = Awaited<ReturnType<typeof startRunningWorker>>;

export async function startRunningWorker(options: ServiceOptions) {
  const { script, demo, options: written } = inject('worker');
  const database = options.database ?? (await createDatabase());
  const keys = { ...newKeys(), ...options.bindings };
  const logs: string[] = [];
  const deployment = {
    script,
    demo,
    port: 0,
    onLog: (line: string): void => void logs.push(line),
    options: await workerOptions(database, written, options),
    bindings: { ...poolBindings(database, options), LOCAL: '1', GRAPHICS_CACHE_SECONDS: '0', ...keys },
  };
  const worker = await startWorker(deployment).catch(async error => {
    await database.drop();
    throw error;
  });
  return {
    // Only miniflare's own worker takes https.
    url: (await (options.https ? worker.ready : addressOf(worker))).origin,
    database,
    /** Its variables and secrets. */
    keys,
    /** What it has logged, a line each. */
    logs,
    /**
     * Starts a new workerd on the same database, with other variables on top. The isolates' memory is empty then, and the
     * location's cache is kept. Work that continues after a response (`waitUntil`) is lost.
     */
    restart: (bindings?: Record<string, string>): Promise<void> =>
      worker.setOptions(
        miniflareOptions({ ...deployment, bindings: { ...deployment.bindings, ...bindings } }),
      ),
    async stop(): Promise<void> {
      await worker.dispose();
      await database.drop();
    },
  };
}

export const newKeys = () => ({
  PUBLISHABLE_KEY: `sb_publishable_${randomBytes(16).toString('hex')}`,
  SECRET_KEY: `sb_secret_${randomBytes(16).toString('hex')}`,
  READ_KEY: `sb_secret_read_${randomBytes(16).toString('hex')}`,
  JWT_SECRET: randomBytes(32).toString('hex'),
});

const seenByWorker = (url: string, { databasePort }: ServiceOptions): string =>
  databasePort === undefined ? url : Object.assign(new URL(url), { port: String(databasePort) }).href;

function poolBindings(database: TestDatabase, options: ServiceOptions): Record<string, string> {
  if (options.hyperdrive) {
    return {};
  }
  return {
    DATABASE_URL: seenByWorker(database.apiUrl, options),
    JOBS_DATABASE_URL: seenByWorker(database.jobsUrl, options),
  };
}

async function workerOptions(
  database: TestDatabase,
  written: Partial<WorkerOptions>,
  { rateLimits = {}, https = false, services, inspectorPort, ...options }: ServiceOptions,
): Promise<Partial<WorkerOptions>> {
  const counted = Object.entries(rateLimits).map(([name, limit]) => [
    name,
    { simple: { limit, period: limits.rate.periodSeconds } },
  ]);
  const hyperdrives = {
    HYPERDRIVE: seenByWorker(database.apiUrl, options),
    HYPERDRIVE_JOBS: seenByWorker(database.jobsUrl, options),
  };
  return {
    ...written,
    ratelimits: Object.fromEntries(counted),
    ...(https && { https, port: Number(await tryPort(0)) }),
    ...(inspectorPort && { inspectorPort }),
    ...(services && { serviceBindings: { ...written.serviceBindings, ...services } }),
    ...(options.hyperdrive === 'direct' && { durableObjects: withoutPool(written) }),
    ...(options.hyperdrive && { bindings: asBindings(hyperdrives) }),
  } as Partial<WorkerOptions>;
}

const withoutPool = ({ durableObjects }: Partial<WorkerOptions>): WorkerOptions['durableObjects'] =>
  Object.fromEntries(Object.entries(durableObjects ?? {}).filter(([name]) => name !== 'DATABASE_POOL'));

const asBindings = (hyperdrives: Record<string, string>): Record<string, { connectionString: string }> =>
  Object.fromEntries(
    Object.entries(hyperdrives).map(([name, connectionString]) => [name, { connectionString }]),
  );
