/** The routes of the workers, on the one host that clients use. */

/**
 * Returns the addresses that a worker answers. Each ends in `*`, since Cloudflare compares a route with the whole address:
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
