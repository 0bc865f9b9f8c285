/**
 * The engine of `/rest/v1/`, as its workers see it: what it takes, and the app that they get. It knows collections, functions and
 * other endpoints as data, and no feature.
 */
import type { Collection } from '../../schema/collection.ts';
import { admit } from '../caller/admit.ts';
import { apiRoot, openApiPath } from './api-root.ts';
import { respondFromCache } from './cache.ts';
import type { Endpoint, Hooks, RowsFunction } from './endpoint.ts';
import { newApp, type Router } from './new-app.ts';
import { permit } from './plan/plan-base.ts';
import { planRequest } from './plan/plan-request.ts';
import { isRead } from './request/request.ts';
import { respondWithRows } from './rows.ts';
import { endpointOfFunction, type ServedFunction } from './rpc.ts';
import { collectionMethods, serve } from './serve.ts';

/** What a worker serves. */
export interface Service {
  /** At `/rest/v1/<name>`. */
  collections: readonly Collection[];
  /** At `/rest/v1/rpc/<name>`. */
  functions: readonly ServedFunction[];
}

export interface RestOptions extends Partial<Service> {
  /** The database, and what follows a write. */
  hooks: Hooks;
  /** What `/rest/v1/` describes, and a 404 suggests: also what other workers serve. By default, what this one serves. */
  described?: Service;
  /** Other endpoints, by their paths. */
  endpoints?: Record<string, Endpoint>;
}

/** Creates the app of a worker. */
export function createRest(options: RestOptions): Router {
  const { hooks, collections = [], functions = [], endpoints = {} } = options;
  const described = options.described ?? { collections, functions };
  const app = newApp(described);
  const root = apiRoot(described);
  const all: Record<string, Endpoint> = {
    ...Object.fromEntries(collections.map(one => [`/rest/v1/${one.name}`, endpointOf(one)])),
    ...Object.fromEntries(functions.map(one => [`/rest/v1/rpc/${one.name}`, endpointOfFunction(one)])),
    ...(described.collections.length > 0 && { '/rest/v1': root, '/rest/v1/': root, [openApiPath]: root }),
    ...endpoints,
  };
  for (const [path, endpoint] of Object.entries(all)) {
    // A page has no preflight, and any other method is an unknown path.
    const route = endpoint.methods.includes('OPTIONS') ? app.all : app.get;
    route(path, serve(endpoint, hooks));
  }
  return app;
}

/** Serves a collection. */
function endpointOf(collection: Collection): Endpoint {
  const rows: RowsFunction = {
    permit: (head, context) => permit(head.method, { ...context, collection }),
    plan: planRequest,
  };
  return {
    name: collection.name,
    methods: collectionMethods,
    admit,
    writes: method => collection.live !== undefined && !isRead(method),
    respond: call =>
      collection.cachedFor
        ? respondFromCache(collection, call, () => respondWithRows(rows, call))
        : respondWithRows(rows, call),
  };
}
