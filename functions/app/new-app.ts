/** A Hono app that responds to what it does not serve, and to bugs. */
import type { Collection } from '../../schema/collection.ts';
import { newRouter, type Router } from '../common/router.ts';
import { crash, finish } from './endpoint.ts';
import { notFound } from './not-found.ts';

/** `collections` are those that the worker serves, which a 404 names. */
export function newApp(collections: readonly Collection[] = []): Router {
  const app = newRouter();
  app.notFound(({ req }) => finish(req.raw, notFound(req.path, collections)));
  app.onError((error, { req }) => crash(req.raw, error));
  return app;
}
