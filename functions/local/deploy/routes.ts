/** The routes of the workers, on the one host that clients use. */
import type { Deployment, WorkerConfig } from './deployment.ts';
import { workers } from './workers.ts';

/** The paths that a worker answers, as the routes of wrangler.toml write them. */
function pathsOf(worker: string): string[] {
  switch (worker) {
    case 'expiry':
      return [];
    case 'live':
      return ['/realtime/v1/*'];
    case 'reference':
      return ['/', '/reference/*', '/rest/v1/'];
    case 'quotes':
      return ['/rest/v1/quotes*', '/rest/v1/rpc/*', '/health'];
    default:
      return [`/rest/v1/${worker}*`];
  }
}

export const routesOf = (worker: string, host: string, zone: string) =>
  pathsOf(worker).map(path => ({ pattern: `${host}${path}`, zone_name: zone }));

const patternsOf = ({ routes = [] }: WorkerConfig): string[] =>
  routes.map(route => (typeof route === 'string' ? route : route.pattern));

/** A line for each worker that lacks routes, with those it lacks. */
export function checkRoutes({ envs }: Deployment): string[] {
  const [known = '<host>/'] = Object.values(envs).flatMap(patternsOf);
  const host = known.replace(/\/.*$/, '');
  return workers.flatMap(worker => {
    const routed = patternsOf(envs[worker] ?? {}).map(pattern => pattern.replace(/^[^/]*/, ''));
    const missing = pathsOf(worker)
      .filter(path => !routed.includes(path))
      .map(path => `{ pattern = "${host}${path}", zone_name = "…" }`);
    return missing.length === 0
      ? []
      : [`wrangler.toml: the routes of [env.${worker}] need ${missing.join(', ')}.`];
  });
}
