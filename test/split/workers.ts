/**
 * The workers of a deployment, as `npm run deploy` uploads them, in one workerd: each in an isolate of its own, bound to the
 * others' objects, with its limits, its files and its cron, and a router in the place of Cloudflare's routes.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Miniflare, MiniflareOptions, WorkerOptions } from 'miniflare';
import { routesOf } from '../../functions/local/deploy/config.ts';
import { workers } from '../../functions/local/deploy/workers.ts';
import { loopback } from '../../functions/local/port.ts';
import { instanceOptions, optionsOf, readConfig, startMiniflare } from '../../functions/local/worker.ts';

export interface DeployedWorker {
  /** The env of wrangler.toml. */
  env: string;
  /** What others name as `script_name`. */
  name: string;
  /** For miniflare: the bundle and all bindings but Hyperdrive's and the secrets, which a deployment has of its own. */
  options: Partial<WorkerOptions>;
  /** The names of its bindings to Hyperdrive. */
  hyperdrives: string[];
  /** What it answers of a host: the patterns of its routes. */
  routes: string[];
  crons: string[];
}

/** Reads all that `npm run deploy` uploads; the bundle of each is in a directory of its name. */
export function readWorkers(directory: string): DeployedWorker[] {
  return workers.map(env => {
    const config = readConfig(env);
    const modulesRoot = join(directory, env);
    return {
      env,
      name: config.name ?? env,
      options: {
        // Wrangler would want the address of a database for them.
        ...optionsOf({ ...config, hyperdrive: [] }),
        modules: [{ type: 'ESModule', path: join(modulesRoot, `${env}.js`) }],
        modulesRoot,
      } as Partial<WorkerOptions>,
      hyperdrives: config.hyperdrive.map(({ binding }: { binding: string }) => binding),
      routes: routesOf(env, '', '').map(({ pattern }) => pattern),
      crons: config.triggers.crons ?? [],
    };
  });
}

/** The connections of the logins to Postgres itself. */
export interface Addresses {
  apiUrl: string;
  sweeperUrl: string;
  delivererUrl: string;
}

export interface WorkersOptions {
  workers: DeployedWorker[];
  database: Addresses;
  /** Where Hyperdrive listens; by default its bindings lead to Postgres itself. */
  hyperdrivePort?: number | undefined;
  secrets: Record<string, string>;
  /** Receives each line of the log; by default nobody reads them. */
  onLog?(line: string): void;
}

export interface RunningWorkers {
  /** The router's. */
  url: string;
  /** By env: past the routes. */
  urls: Record<string, string>;
  restart(secrets: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

export async function startWorkers(options: WorkersOptions): Promise<RunningWorkers> {
  const { workers, database, hyperdrivePort, onLog } = options;
  const miniflareOptions = (secrets: Record<string, string>): MiniflareOptions =>
    ({
      ...instanceOptions(onLog),
      ...(!onLog && unreadLog),
      workers: [
        router(workers),
        ...workers.map(worker => ({
          ...worker.options,
          name: worker.name,
          bindings: {
            ...worker.options.bindings,
            ...hyperdrivesOf(worker, database, hyperdrivePort),
            ...secrets,
          },
          unsafeDirectSockets,
        })),
      ],
    }) as MiniflareOptions;
  const miniflare = await withCurrentWorkerd(() => startMiniflare(miniflareOptions(options.secrets)));
  return {
    url: (await miniflare.unsafeGetDirectURL(routerName)).origin,
    urls: await directUrls(miniflare, workers),
    restart: secrets => withCurrentWorkerd(() => miniflare.setOptions(miniflareOptions(secrets))),
    stop: () => miniflare.dispose(),
  };
}

/** Taken from workerd, and not parsed. */
export const unreadLog = {
  structuredWorkerdLogs: false,
  handleRuntimeStdio: (...streams: Readable[]): void => {
    for (const stream of streams) {
      stream.resume();
    }
  },
};

const routerName = 'router';
const unsafeDirectSockets = [{ host: loopback, port: 0 }];

const router = (workers: DeployedWorker[]) => ({
  name: routerName,
  unsafeDirectSockets,
  modules: [
    {
      type: 'ESModule',
      path: 'router.mjs',
      contents: readFileSync(new URL('router.mjs', import.meta.url), 'utf8'),
    },
  ],
  compatibilityDate: workers[0]?.options.compatibilityDate,
  compatibilityFlags: ['service_binding_extra_handlers'],
  serviceBindings: Object.fromEntries(workers.map(({ env, name }) => [env, name])),
  bindings: {
    routes: workers
      .flatMap(({ env, routes }) => routes.map(pattern => ({ pattern, worker: env })))
      // The longest match wins.
      .sort((one, other) => other.pattern.length - one.pattern.length),
    crons: workers.flatMap(({ env, crons }) => crons.map(cron => ({ cron, worker: env }))),
  },
});

/**
 * The bindings to Postgres, as the workers see them. Miniflare's stand-in for Hyperdrive is left out, since it ends the
 * process when the database closes a connection; the workers use nothing but the address.
 */
function hyperdrivesOf(
  { hyperdrives }: DeployedWorker,
  { apiUrl, sweeperUrl, delivererUrl }: Addresses,
  hyperdrivePort: number | undefined,
): Record<string, { connectionString: string }> {
  const addressOf = (binding: string): string => {
    const others: Record<string, string> = {
      HYPERDRIVE_SWEEPER: sweeperUrl,
      HYPERDRIVE_DELIVERER: delivererUrl,
    };
    const url = new URL(others[binding] ?? apiUrl);
    return hyperdrivePort === undefined
      ? url.href
      : Object.assign(url, { port: String(hyperdrivePort) }).href;
  };
  return Object.fromEntries(hyperdrives.map(name => [name, { connectionString: addressOf(name) }]));
}

/**
 * Has miniflare start a current workerd in place of the one that it brings, which keeps 0.8 KB of each socket that it opens. In
 * tests it stays bounded as setup/global.ts bounds it.
 */
export async function withCurrentWorkerd<Result>(start: () => Promise<Result>): Promise<Result> {
  const variable = process.env['WORKERD'] === undefined ? 'MINIFLARE_WORKERD_PATH' : 'WORKERD';
  const usual = process.env[variable];
  process.env[variable] = createRequire(import.meta.url)('workerd').default;
  try {
    return await start();
  } finally {
    if (usual === undefined) {
      delete process.env[variable];
    } else {
      process.env[variable] = usual;
    }
  }
}

async function directUrls(miniflare: Miniflare, workers: DeployedWorker[]): Promise<Record<string, string>> {
  const urls = workers.map(async ({ env, name }) => [env, (await miniflare.unsafeGetDirectURL(name)).origin]);
  return Object.fromEntries(await Promise.all(urls));
}
