/** A Hono app with the responses to unknown paths and to bugs. */
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { otherServiceOf } from '../common/failure/other-services.ts';
import { fail, type Result } from '../common/failure/result.ts';
import { nearest } from './plan/nearest.ts';
import { crash, finish } from './serve.ts';

export type Router = HonoBase<{ Bindings: Env }>;

/** The names that a 404 suggests. */
interface Known {
  collections: readonly { name: string }[];
  functions: readonly { name: string }[];
}

const nothing: Known = { collections: [], functions: [] };

export function newApp(known: Known = nothing): Router {
  // Hono's smallest router that matches paths literally. Smaller ones serve `/quotes/` as `/quotes`.
  const app: Router = new HonoBase({ router: new TrieRouter() });
  app.notFound(({ req }) => finish(req.raw, notFound(req.path, known)));
  app.onError((error, { req }) => crash(req.raw, error));
  const { fetch } = app;
  app.fetch = (request, ...rest) => (hasUrl(request) ? fetch(request, ...rest) : refuseHost(request));
  return app;
}

/**
 * Creates an app with the routes of others. The first of them with a path serves it. `app.route()` would wrap each handler
 * for an error handler of its own, and all of them have the same.
 */
export function joinApps(parts: readonly Router[], known: Known): Router {
  const app = newApp(known);
  for (const { method, path, handler } of parts.flatMap(({ routes }) => routes)) {
    app.on(method, path, handler);
  }
  return app;
}

/** Whether the URL of a request is valid. workerd takes any Host, and writes it into the URL. */
function hasUrl({ url }: Request): boolean {
  try {
    return new URL(url).host !== '';
  } catch {
    return false;
  }
}

const refuseHost = (request: Request): Promise<Response> =>
  finish(new Request('http://host.invalid/', request), fail<Failure>({ is: 'invalid host' }));

/** Returns the failure of an unknown path: of another Supabase service, a function, a collection, or anything else. */
function notFound(path: string, { collections, functions }: Known): Result<never> {
  const service = otherServiceOf(path);
  if (service !== undefined) {
    return fail<Failure>({
      is: 'other service',
      service,
      functions: functions.map(served => served.name),
    });
  }
  const [, rpc, name] = /^\/rest\/v1\/(rpc\/)?([^/]+)$/.exec(path) ?? [];
  if (name === undefined) {
    return fail<Failure>({ is: 'unknown path' });
  }
  const known = (rpc ? functions : collections).map(served => served.name);
  return fail<Failure>({
    is: rpc ? 'unknown function' : 'unknown collection',
    name,
    known,
    nearest: nearest(name, known),
  });
}
