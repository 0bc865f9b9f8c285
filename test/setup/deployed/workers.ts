/** The workers that `npm run deploy` uploads, each an isolate of one workerd, and a router in place of Cloudflare's routes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Miniflare, MiniflareOptions, WorkerOptions } from 'miniflare';
import { loopback } from '../../../functions/local/port.ts';
import { instanceOptions, optionsOf, readConfig, startMiniflare } from '../../../functions/local/worker.ts';
import { routesOf } from '../../../functions/operate/deploy/config.ts';
import { workers } from '../../../functions/operate/deploy/workers.ts';
import { freePort } from '../free-port.ts';

export type DeployedWorker = ReturnType<typeof readWorkers>[number];

/** Reads all that `npm run deploy` uploads; the bundle of each is in a directory of its name. */
export function readWorkers(directory: string) {
  return workers.map(env => {
    const config = readConfig(env);
    const modulesRoot = join(directory, env);
    return {
      /** The env of wrangler.toml. */
      env,
      /** What others name as `script_name`. */
      name: config.name ?? env,
      /** For miniflare: the bundle and all bindings but Hyperdrive's and the secrets, which a deployment has of its own. */
      options: {
        // Wrangler would want the address of a database for them.
        ...optionsOf({ ...config, hyperdrive: [] }),
        modules: [{ type: 'ESModule', path: join(modulesRoot, `${env}.js`) }],
        modulesRoot,
      } as Partial<WorkerOptions>,
      hyperdrives: config.hyperdrive.map(({ binding }: { binding: string }) => binding) as string[],
      // A Custom Domain serves what no route matches.
      routes: routesOf(env, 'host').map(route =>
        typeof route === 'string' ? route.replace('https://host', '') : '/*',
      ),
      crons: (config.triggers.crons ?? []) as string[],
    };
  });
}

/** The connections of the logins to Postgres itself. */
export interface Addresses {
  apiUrl: string;
  jobsUrl: string;
}

export interface WorkersOptions {
  workers: DeployedWorker[];
  database: Addresses;
  /** Where Hyperdrive listens. */
  hyperdrivePort: number;
  secrets: Record<string, string>;
  /** Receives each line of the log; by default nobody reads them. */
  onLog?(line: string): void;
  /** Options of the whole miniflare, such as `inspectorPort`: see test/setup/heap.ts. */
  instance?: Partial<MiniflareOptions>;
}

export async function startWorkers(options: WorkersOptions) {
  const { workers, onLog, instance } = options;
  const ports = await Promise.all([routerName, ...workers].map(freePort));
  const socketOf = (index: number) => [{ host: loopback, port: ports[index] }];
  const miniflareOptions = (secrets: Record<string, string>): MiniflareOptions =>
    ({
      ...instanceOptions(onLog),
      ...(!onLog && unreadLog),
      ...instance,
      workers: [
        { ...router(workers), unsafeDirectSockets: socketOf(0) },
        ...workers.map((worker, index) => ({
          ...worker.options,
          name: worker.name,
          bindings: { ...worker.options.bindings, ...hyperdrivesOf(worker, options), ...secrets },
          unsafeDirectSockets: socketOf(index + 1),
        })),
      ],
    }) as MiniflareOptions;
  const miniflare = await startMiniflare(miniflareOptions(options.secrets));
  return {
    /** The router's. */
    url: (await miniflare.unsafeGetDirectURL(routerName)).origin,
    /** The same, before which miniflare has its own worker. */
    ready: miniflare.ready,
    /** By env: past the routes. */
    urls: await directUrls(miniflare, workers),
    restart: (secrets: Record<string, string>) => miniflare.setOptions(miniflareOptions(secrets)),
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

const router = (workers: DeployedWorker[]) => ({
  name: routerName,
  modules: [
    {
      type: 'ESModule',
      path: 'router.mjs',
      contents: readFileSync(new URL('router.mjs', import.meta.url), 'utf8'),
    },
  ],
  compatibilityDate: workers[0]?.options.compatibilityDate,
  // Cloudflare has no worker here that would compress the messages of sockets.
  compatibilityFlags: ['service_binding_extra_handlers', 'no_web_socket_compression'],
  serviceBindings: Object.fromEntries(workers.map(({ env, name }) => [env, name])),
  bindings: {
    routes: workers
      .flatMap(({ env, routes }) => routes.map(pattern => ({ pattern, worker: env })))
      // The longest match wins.
      .sort((one, other) => other.pattern.length - one.pattern.length),
    crons: workers.flatMap(({ env, crons }) => crons.map(cron => ({ cron, worker: env }))),
  },
});

/** The bindings to Postgres. Miniflare's own would end the process when the database closes a connection. */
function hyperdrivesOf({ hyperdrives }: DeployedWorker, { database, hyperdrivePort }: WorkersOptions) {
  const { apiUrl, jobsUrl } = database;
  const addressOf = (binding: string): string => {
    const url = new URL(binding === 'HYPERDRIVE_JOBS' ? jobsUrl : apiUrl);
    return Object.assign(url, { port: String(hyperdrivePort) }).href;
  };
  return Object.fromEntries(hyperdrives.map(name => [name, { connectionString: addressOf(name) }]));
}

async function directUrls(miniflare: Miniflare, workers: DeployedWorker[]): Promise<Record<string, string>> {
  const urls = workers.map(async ({ env, name }) => [env, (await miniflare.unsafeGetDirectURL(name)).origin]);
  return Object.fromEntries(await Promise.all(urls));
}
