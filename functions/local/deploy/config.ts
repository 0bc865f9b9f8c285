/** The configuration that wrangler gets: wrangler.toml with what an environment has of its own. */
import { join } from 'node:path';
import { Problem } from '../problem.ts';
import { root } from '../settings.ts';
import type { Settings } from './environments.ts';
import type { WorkerConfig, WranglerConfig } from './read-config.ts';
import { workers } from './workers.ts';

/** The first part of the names that wrangler.toml has, which are those of production. */
const service = 'uniform-builder';

/**
 * What Cloudflare keeps of the workers' logs: the lines that they write, to each of which it adds the address of the request
 * without its query. There is no line of Cloudflare's own beside ours, since it would have all headers, and one for each
 * heartbeat of a socket would cost $300 a month for 5,000 sockets. Nor are there traces: they have the text of statements.
 */
const observability = {
  enabled: true,
  redact_query_string: true,
  logs: { enabled: true, invocation_logs: false },
  traces: { enabled: false },
};

/** Returns the name that the workers of an environment have in common. */
const groupOf = (environment: string): string =>
  environment === 'production' ? service : `${service}-${environment}`;

/** Returns the name of a worker in an environment, by its env in wrangler.toml. Cloudflare's names have no underscores. */
export const nameOf = (worker: string, environment: string): string =>
  `${groupOf(environment)}-${worker.replaceAll('_', '-')}`;

/** Returns the configuration of all workers of an environment, to be written anywhere: its paths are absolute. */
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
    ...(hyperdrive && { hyperdrive: hyperdrive.map(bound => ({ ...bound, id: settings[idOf(worker)] })) }),
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

/** Returns the name of the setting with the Hyperdrive configuration that a worker is bound to. */
const idOf = (worker: string) => ids[worker] ?? 'hyperdrive';
const ids: Record<string, keyof Settings & `hyperdrive${string}`> = {
  live: 'hyperdrive_live',
  delivery: 'hyperdrive_delivery',
  expiry: 'hyperdrive_sweep',
};

/**
 * Returns the addresses that a worker answers, on the one host that clients use. Each ends in `*`, since Cloudflare compares a route with the whole address:
 * without it no query would match. Of several that match the longest counts, so `reference` answers what no other worker
 * does, with the 404 of this service. No route may be another's with `/*` in place of `*`: Cloudflare takes the shorter one.
 * https://developers.cloudflare.com/workers/configuration/routing/routes/
 */
function pathsOf(worker: string): string[] {
  switch (worker) {
    case 'expiry':
      return [];
    case 'live':
      return ['/realtime/v1/*'];
    case 'delivery':
      return ['/unsubscribe/*'];
    case 'reference':
      return ['/*'];
    case 'quotes':
      return ['/rest/v1/quotes*', '/rest/v1/rpc/*', '/health*'];
    case 'deliveries':
      return ['/rest/v1/deliveries*', '/rest/v1/rpc/redeliver*'];
    default:
      return [`/rest/v1/${worker}*`];
  }
}

export const routesOf = (worker: string, host: string, zone: string) =>
  pathsOf(worker).map(path => ({ pattern: `${host}${path}`, zone_name: zone }));
