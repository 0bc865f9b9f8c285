/** The service in workerd, over a database of its own: the deployed workers over Hyperdrive, or the worker `all` over its pool. */
import { randomBytes } from 'node:crypto';
import type { MiniflareOptions, WorkerOptions } from 'miniflare';
import { inject } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { addressOf, miniflareOptions, startWorker } from '../../functions/local/worker.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { bundleDeployed, bundleOnce, demoIn } from './deployed/bundles.ts';
import { startWorkers } from './deployed/workers.ts';
import { freePort } from './free-port.ts';

export interface ServiceOptions {
  /** `all`: the worker of everything, as `npm start` runs it, over its pool. Otherwise the deployed workers over Hyperdrive. */
  worker?: 'all';
  /** Variables and secrets, in place of or on top of the usual ones. */
  bindings?: Record<string, string>;
  /** The database, which the service drops when it stops, in place of a new one from the template. */
  database?: TestDatabase;
  /** Where the worker finds Postgres: a proxy's port, or one where nobody listens. Otherwise deployed workers reach PgBouncer. */
  databasePort?: number;
  /** Requests in ten seconds, by the name of the binding of wrangler.toml that counts them; without it nobody counts. */
  rateLimits?: Record<string, number>;
  /** Further services that `all` is bound to, by the name of the binding. */
  services?: WorkerOptions['serviceBindings'];
  /** Over https, with a certificate of its own. */
  https?: boolean;
  /** Where V8's inspector listens: see heap.ts. */
  inspectorPort?: number;
}

export type RunningWorker = Awaited<ReturnType<typeof startRunningWorker>>;

export async function startRunningWorker(options: ServiceOptions) {
  const database = options.database ?? (await createDatabase());
  const keys = { ...newKeys(), ...options.bindings };
  const logs: string[] = [];
  const onLog = (line: string): void => void logs.push(line);
  const start = isDeployed(options) ? startDeployed : startAll;
  const worker = await start(options, database, keys, onLog).catch(async error => {
    await database.drop();
    throw error;
  });
  return {
    ...worker,
    database,
    /** Its variables and secrets. */
    keys,
    /** What it has logged, a line each. */
    logs,
    async stop(): Promise<void> {
      await worker.stop();
      await database.drop();
    },
  };
}

/** Without PgBouncer, each request would open a connection to Postgres, which takes ten times as long as the request. */
const isDeployed = ({ worker, databasePort }: ServiceOptions): boolean =>
  worker !== 'all' && (databasePort !== undefined || inject('hyperdrivePort') > 0);

/**
 * A service that runs. `restart` starts a new workerd on the same database, with other variables on top. The isolates' memory
 * is empty then, and the location's cache is kept. Work that continues after a response (`waitUntil`) is lost.
 */
interface Started {
  url: string;
  /** The address of each deployed worker by its env in wrangler.toml, past the routes. */
  urls?: Record<string, string>;
  restart(bindings?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

type Start = (
  options: ServiceOptions,
  database: TestDatabase,
  keys: Record<string, string>,
  onLog: (line: string) => void,
) => Promise<Started>;

const usual = { GRAPHICS_CACHE_SECONDS: '0' };

const startDeployed: Start = async (options, database, keys, onLog) => {
  await bundleDeployed();
  const { databasePort = inject('hyperdrivePort') } = options;
  const secrets = { ...usual, ...keys };
  const workers = inject('deployed').map(worker => ({
    ...worker,
    options: { ...worker.options, ratelimits: counting(options, worker.options.ratelimits) },
  }));
  const instance = await instanceOf(options);
  const running = await startWorkers({
    ...{ workers, database, hyperdrivePort: databasePort, secrets, onLog, instance },
  });
  return {
    ...running,
    url: options.https ? (await running.ready).origin : running.url,
    restart: bindings => running.restart({ ...secrets, ...bindings }),
  };
};

const startAll: Start = async (options, database, keys, onLog) => {
  const { script } = await bundleOnce('all');
  const written = inject('all');
  const deployment = {
    ...{ script, demo: demoIn(inject('bundles')), port: await freePort(), onLog },
    options: {
      ...{ ...written, ratelimits: counting(options), ...(await instanceOf(options)) },
      serviceBindings: { ...written.serviceBindings, ...options.services },
    },
    bindings: { ...poolBindings(database, options), LOCAL: '1', ...usual, ...keys },
  };
  const worker = await startWorker(deployment);
  return {
    // Only miniflare's own worker takes https.
    url: (await (options.https ? worker.ready : addressOf(worker))).origin,
    restart: bindings =>
      worker.setOptions(
        miniflareOptions({ ...deployment, bindings: { ...deployment.bindings, ...bindings } }),
      ),
    stop: () => worker.dispose(),
  };
};

export const newKeys = () => ({
  PUBLISHABLE_KEY: `sb_publishable_${randomBytes(16).toString('hex')}`,
  SECRET_KEY: `sb_secret_${randomBytes(16).toString('hex')}`,
  READ_KEY: `sb_secret_read_${randomBytes(16).toString('hex')}`,
  JWT_SECRET: randomBytes(32).toString('hex'),
});

function poolBindings({ apiUrl, jobsUrl }: TestDatabase, { databasePort }: ServiceOptions) {
  const seen = (url: string) =>
    databasePort === undefined ? url : Object.assign(new URL(url), { port: String(databasePort) }).href;
  return { DATABASE_URL: seen(apiUrl), JOBS_DATABASE_URL: seen(jobsUrl) };
}

/** The bindings that count requests: those that a deployed worker has too. */
function counting({ rateLimits = {} }: ServiceOptions, ofWorker: object = rateLimits) {
  const { periodSeconds: period } = limits.rate;
  const counted = Object.entries(rateLimits).filter(([name]) => name in ofWorker);
  return Object.fromEntries(counted.map(([name, limit]) => [name, { simple: { limit, period } }]));
}

/** What concerns a whole miniflare. */
const instanceOf = async ({ https, inspectorPort }: ServiceOptions): Promise<Partial<MiniflareOptions>> =>
  ({
    ...(https && { https, port: await freePort() }),
    ...(inspectorPort && { inspectorPort }),
  }) as Partial<MiniflareOptions>;
