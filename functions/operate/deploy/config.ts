/** The configuration that is passed to wrangler: wrangler.toml with the settings of an environment. */
import { join } from 'node:path';
import { collections } from '../../../schema/collections.ts';
import { functions } from '../../../schema/functions.ts';
import { keyVariables } from '../../caller/unset-keys.ts';
import { Problem } from '../../local/program.ts';
import { root } from '../../local/settings.ts';
import type { Settings } from './environments.ts';
import { bindings } from './hyperdrives.ts';
import type { WorkerConfig, WranglerConfig } from './read-config.ts';
import { servingWorkers, workerOf, workers } from './workers.ts';

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

/** The secrets without which wrangler deploys no worker that serves requests. Of alternatives it knows nothing. */
const required = keyVariables.filter(({ length }) => length === 1).flat();

/** Returns the common prefix of the workers' names in an environment. */
export const groupOf = (environment: string): string =>
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
  const { host, location } = settings;
  return {
    name: nameOf(worker, environment),
    main: join(root, main),
    routes: routesOf(worker, host),
    ...(servingWorkers.includes(worker) && { secrets: { required } }),
    vars: {
      ...vars,
      DATABASE_LOCATION: location,
      ...(worker === 'delivery' && { SERVICE_URL: `https://${host}` }),
      ...settings.vars,
    },
    ...(hyperdrive && {
      hyperdrive: hyperdrive.map(bound => ({ ...bound, id: settings[settingOf(bound.binding)] })),
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

/** Returns the name of the setting with a binding's Hyperdrive configuration. */
function settingOf(binding: string): (typeof bindings)[keyof typeof bindings]['setting'] {
  if (!(binding in bindings)) {
    throw new Problem(`wrangler.toml has an unknown Hyperdrive binding, ${binding}.`);
  }
  return bindings[binding as keyof typeof bindings].setting;
}

/** The worker of the host's Custom Domain. Its routes take precedence, so this worker serves all other paths. */
const domainWorker = 'quotes';

/** Paths of workers, beside those of their collections and functions. */
const otherPaths: Record<string, string[]> = {
  live: ['/realtime/v1/*'],
  delivery: ['/unsubscribe/*'],
};

/**
 * Returns the routes of a worker on the one host that clients use. Each ends in `*`, since Cloudflare compares a route with the
 * whole URL, including the query; the longest matching route wins. A route without a scheme would match http:// too. No two
 * may differ only in `/*` and `*`: Cloudflare would choose the shorter one. Wrangler finds the zone by the host.
 * https://developers.cloudflare.com/workers/configuration/routing/routes/
 */
export function routesOf(worker: string, host: string): Exclude<WorkerConfig['routes'], undefined> {
  if (worker === domainWorker) {
    return [{ pattern: host, custom_domain: true }];
  }
  const served = collections.filter(({ name }) => workerOf(name) === worker);
  const called = functions.filter(({ about }) => served.includes(about));
  const paths = [
    ...served.map(({ name }) => `/rest/v1/${name}*`),
    ...called.map(({ name }) => `/rest/v1/rpc/${name}*`),
    ...(otherPaths[worker] ?? []),
  ];
  return paths.map(path => `https://${host}${path}`);
}
