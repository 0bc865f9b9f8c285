/** The configuration that is passed to wrangler: wrangler.toml with the settings of an environment. */
import { join } from 'node:path';
import { collections } from '../../../schema/collections.ts';
import { Problem } from '../problem.ts';
import { root } from '../settings.ts';
import type { Settings } from './environments.ts';
import type { WorkerConfig, WranglerConfig } from './read-config.ts';
import { workerOf, workers } from './workers.ts';

/** The common prefix of the workers' names in wrangler.toml, which are production's. */
const service = 'uniform-builder';

/**
 * The logs that Cloudflare keeps: the workers' own lines, each with the address of the request but not its query.
 * Cloudflare's invocation logs are off, since they contain all headers, and a line for each heartbeat of 5,000 sockets would
 * cost $300 a month. Traces are off, since they contain the text of statements.
 */
const observability = {
  enabled: true,
  redact_query_string: true,
  logs: { enabled: true, invocation_logs: false },
  traces: { enabled: false },
};

/** Returns the common prefix of the workers' names in an environment. */
const groupOf = (environment: string): string =>
  environment === 'production' ? service : `${service}-${environment}`;

/** Returns the name of a worker in an environment, by its env in wrangler.toml. Cloudflare's names have no underscores. */
export const nameOf = (worker: string, environment: string): string =>
  `${groupOf(environment)}-${worker.replaceAll('_', '-')}`;

/** Returns the configuration of all workers of an environment. Its paths are absolute, so its file can be anywhere. */
export function configOf(config: WranglerConfig, environment: string, settings: Settings) {
  const envs = workers.map(worker => {
    const env = config.env[worker];
    if (env === undefined) {
      throw new Problem(`wrangler.toml has no [env.${worker}].`);
    }
    return [worker, { ...env, ...ownOf(worker, env, environment, settings) }] as const;
  });
  return { ...config, name: groupOf(environment), observability, env: Object.fromEntries(envs) };
}

function ownOf(
  worker: string,
  { main = '', hyperdrive, ratelimits, durable_objects: objects, assets, vars }: WorkerConfig,
  environment: string,
  settings: Settings,
): WorkerConfig {
  const { host, zone, location } = settings;
  return {
    name: nameOf(worker, environment),
    main: join(root, main),
    routes: routesOf(worker, host, zone),
    vars: {
      ...vars,
      DATABASE_LOCATION: location,
      ...(worker === 'delivery' && { SERVICE_URL: `https://${host}` }),
      ...settings.vars,
    },
    ...(hyperdrive && {
      hyperdrive: hyperdrive.map(bound => ({ ...bound, id: settings[idOf(bound.binding)] })),
    }),
    ...(ratelimits && {
      ratelimits: ratelimits.map(bound => ({
        ...bound,
        namespace_id: settings[bound.name === 'ACCOUNT_LIMIT' ? 'account_limit' : 'address_limit'],
      })),
    }),
    ...(objects && {
      durable_objects: {
        bindings: objects.bindings.map(bound => ({
          ...bound,
          ...(bound.script_name && { script_name: nameOf(bound.name.toLowerCase(), environment) }),
        })),
      },
    }),
    ...(assets && { assets: { ...assets, directory: join(root, assets.directory) } }),
  };
}

/** Returns the name of the setting with the Hyperdrive configuration of a binding. */
const idOf = (binding: string) => (binding === 'HYPERDRIVE_JOBS' ? 'hyperdrive_jobs' : 'hyperdrive');

/**
 * Returns the paths that a worker serves, on the one host that clients use. Each ends in `*`, since Cloudflare compares a
 * route with the whole URL, including the query. The longest matching route wins, so `quotes` serves all other paths, some
 * with this service's 404. No two routes may differ only in `/*` and `*`: Cloudflare would choose the shorter one.
 * https://developers.cloudflare.com/workers/configuration/routing/routes/
 */
function pathsOf(worker: string): string[] {
  switch (worker) {
    case 'expiry':
      return [];
    case 'live':
      return ['/realtime/v1/*'];
    case 'delivery':
      return ['/unsubscribe/*', ...pathsOfCollections(worker), '/rest/v1/rpc/redeliver*'];
    case 'quotes':
      return ['/*'];
    default:
      return pathsOfCollections(worker);
  }
}

const pathsOfCollections = (worker: string): string[] =>
  collections.filter(({ name }) => workerOf(name) === worker).map(({ name }) => `/rest/v1/${name}*`);

export const routesOf = (worker: string, host: string, zone: string) =>
  pathsOf(worker).map(path => ({ pattern: `${host}${path}`, zone_name: zone }));
