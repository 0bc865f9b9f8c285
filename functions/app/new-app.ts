/** A Hono app that responds to what it does not serve, and to bugs. */
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import type { Collection } from '../../schema/collection.ts';
import type { Env } from '../common/env.ts';
import { fail, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { otherServiceOf } from '../failure/other-services.ts';
import { nearest } from '../plan/nearest.ts';
import { functionsOf } from '../routes/rpc.ts';
import { crash, finish } from './endpoint.ts';

export type Router = HonoBase<{ Bindings: Env }>;

/** `collections` are those that the worker serves, which a 404 names. */
export function newApp(collections: readonly Collection[] = []): Router {
  // The smallest router of Hono that takes a path as it is written: smaller ones serve `/quotes/` as `/quotes`.
  const app: Router = new HonoBase({ router: new TrieRouter() });
  app.notFound(({ req }) => finish(req.raw, notFound(req.path, collections)));
  app.onError((error, { req }) => crash(req.raw, error));
  return app;
}

/** Returns the failure of a path that is not served: of another service, an unknown function or collection, or nothing known. */
function notFound(path: string, collections: readonly Collection[]): Result<never> {
  const service = otherServiceOf(path);
  if (service !== undefined) {
    return fail<Failure>({ is: 'other service', service });
  }
  const [, rpc, name] = /^\/rest\/v1\/(rpc\/)?([^/]+)$/.exec(path) ?? [];
  if (name === undefined) {
    return fail<Failure>({ is: 'unknown path' });
  }
  const known = (rpc ? collections.flatMap(functionsOf) : collections).map(served => served.name);
  return fail<Failure>({
    is: rpc ? 'unknown function' : 'unknown collection',
    name,
    known,
    nearest: nearest(name, known),
  });
}
