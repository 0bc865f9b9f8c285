// @ts-check
/** In the place of Cloudflare's routes and crons: the worker that everybody asks first, and that sends each on. */

/**
 * A pattern of a route matches the whole rest of an address, with its query. A `*` at its end matches anything.
 * @param {string} pattern
 * @param {string} path
 */
const matches = (pattern, path) =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;

export default {
  /**
   * @param {Request} request
   * @param {{ routes: { pattern: string, worker: string }[], crons: { cron: string, worker: string }[] } & Record<string, any>} env
   */
  async fetch(request, env) {
    // A Host that makes no URL is for the worker to refuse.
    const path = request.url.replace(/^\w+:\/\/[^/?]*/, '');
    if (path === '/cdn-cgi/handler/scheduled') {
      const runs = env.crons.map(({ cron, worker }) => env[worker].scheduled({ cron }));
      await Promise.all(runs);
      return new Response();
    }
    const route = env.routes.find(({ pattern }) => matches(pattern, path));
    // Where no route matches, Cloudflare asks the host that the name leads to, and there is none.
    return route ? env[route.worker].fetch(request) : new Response(null, { status: 522 });
  },
};
