/**
 * What `npm run deploy` uploads, as Cloudflare runs it, in one workerd: each worker in an isolate of its own, bound to the
 * others' objects, with its limits, its files and its cron, and a router in the place of Cloudflare's routes.
 */
import { readFileSync } from 'node:fs';
import type { Miniflare, MiniflareOptions } from 'miniflare';
import { loopback } from '../../functions/local/port.ts';
import { instanceOptions, startMiniflare } from '../../functions/local/worker.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { newKeys } from '../setup/running-worker.ts';
import { type Service, serviceOf } from '../setup/service.ts';
import { type DeployedWorker, readWorkers } from './workers.ts';

export interface Deployment extends Service {
  /** A worker by its env in wrangler.toml, past the routes. */
  at(env: string): Pick<Service, 'fetch'>;
}

export interface DeploymentOptions {
  /** The database, which it drops when it is stopped. */
  database?: TestDatabase;
  /** Where Hyperdrive listens; by default its bindings lead to Postgres itself. */
  hyperdrivePort?: number;
}

export async function startDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  const [database, workers] = await Promise.all([options.database ?? createDatabase(), readWorkers()]);
  const keys = newKeys();
  const logs: string[] = [];
  const miniflareOptions = (secrets: Record<string, string>): MiniflareOptions =>
    ({
      ...instanceOptions(line => logs.push(line)),
      workers: [
        router(workers),
        ...workers.map(worker => ({
          ...worker.options,
          name: worker.name,
          bindings: { ...worker.options.bindings, ...hyperdrivesOf(worker, database, options), ...secrets },
          unsafeDirectSockets,
        })),
      ],
    }) as MiniflareOptions;
  const miniflare = await startMiniflare(miniflareOptions(keys));
  const urls = await directUrls(miniflare, workers);
  const service = serviceOf({
    url: (await miniflare.unsafeGetDirectURL(routerName)).origin,
    database,
    keys,
    logs,
    restart: bindings => miniflare.setOptions(miniflareOptions({ ...keys, ...bindings })),
    async stop() {
      await miniflare.dispose();
      await database.drop();
    },
  });
  return { ...service, at: env => ({ fetch: (path, init) => fetch(`${urls[env]}${path}`, init) }) };
}

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
  { apiUrl, sweeperUrl, delivererUrl }: TestDatabase,
  { hyperdrivePort }: DeploymentOptions,
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

async function directUrls(miniflare: Miniflare, workers: DeployedWorker[]): Promise<Record<string, string>> {
  const urls = workers.map(async ({ env, name }) => [env, (await miniflare.unsafeGetDirectURL(name)).origin]);
  return Object.fromEntries(await Promise.all(urls));
}
