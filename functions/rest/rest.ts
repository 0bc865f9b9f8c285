/**
 * The engine of `/rest/v1/`, as its workers see it: what it takes, and the app that they get. It knows collections, functions and
 * other endpoints as data, and no feature.
 */
import type { Collection } from '../../schema/collection.ts';
import type { DatabaseFunction } from '../../schema/function.ts';
import { admit } from '../caller/admit.ts';
import { ok, type Result } from '../common/failure/result.ts';
import { apiRoot, openApiPath } from './api-root.ts';
import { respondFromCache } from './cache.ts';
import type { Described } from './describe/functions.ts';
import type { Call, Completion, Endpoint, Hooks } from './endpoint.ts';
import { newApp, type Router } from './new-app.ts';
import { isRead } from './request/request.ts';
import type { ResponseData } from './response/response-data.ts';
import { respondWithRows } from './rows.ts';
import { collectionMethods, serve } from './serve.ts';

export interface RestOptions {
  /** The database, and what follows a write. */
  hooks: Hooks;
  /** What is served at `/rest/v1/<name>`, with the functions about it. */
  collections?: readonly Collection[];
  /** What all workers serve together: `/rest/v1/` describes it, a 404 suggests it, and its rows may be embedded. */
  described?: Described;
  /** What is added to the objects that functions return, by their names. */
  completions?: Record<string, Completion>;
  /** Other endpoints, by their paths. */
  endpoints?: Record<string, Endpoint>;
}

/** Creates the app of a worker. */
export function createRest(options: RestOptions): Router {
  const { hooks, collections = [], completions = {}, endpoints = {} } = options;
  const { described = { collections, functions: [] } } = options;
  const functions = described.functions.filter(({ about }) =>
    collections.some(({ name }) => name === about.name),
  );
  const app = newApp(described);
  const root = apiRoot(described);
  const all: Record<string, Endpoint> = {
    ...Object.fromEntries(collections.map(one => [`/rest/v1/${one.name}`, endpointOf(one, described)])),
    ...Object.fromEntries(
      functions.map(one => [
        `/rest/v1/rpc/${one.name}`,
        endpointOfFunction(one, described, completions[one.name]),
      ]),
    ),
    ...(described.collections.length > 0 && { '/rest/v1': root, '/rest/v1/': root, [openApiPath]: root }),
    ...endpoints,
  };
  for (const [path, endpoint] of Object.entries(all)) {
    // Any other method of a file is an unknown path.
    const route = endpoint.methods === 'GET,HEAD' ? app.get : app.all;
    route(path, serve(endpoint, hooks));
  }
  return app;
}

/** Serves a collection. */
function endpointOf(collection: Collection, described: Described): Endpoint {
  return {
    name: collection.name,
    key: collection.primaryKey,
    names: Object.keys(collection.columns),
    methods: collectionMethods,
    admit,
    writes: method => collection.live === true && !isRead(method),
    respond: call =>
      collection.cached
        ? respondFromCache(collection.cached, call, () => respondWithRows({ collection }, described, call))
        : respondWithRows({ collection }, described, call),
  };
}

/** Serves a function. */
const endpointOfFunction = (
  called: DatabaseFunction,
  described: Described,
  completion?: Completion,
): Endpoint => ({
  name: called.name,
  names: Object.keys(called.args),
  methods: 'OPTIONS,POST',
  otherMethod: 'function method',
  admit,
  writes: () => called.writes,
  respond: call =>
    completion
      ? respondCompleted(completion, call, () => respondWithRows({ called }, described, call))
      : respondWithRows({ called }, described, call),
});

/** Responds with an object that the worker completes. */
async function respondCompleted(
  { prepare, complete }: Completion,
  call: Call,
  respond: () => Promise<Result<ResponseData>>,
): Promise<Result<ResponseData>> {
  const prepared = prepare(call.env);
  if (!prepared.ok) {
    return prepared;
  }
  const response = await respond();
  return response.ok
    ? ok({
        ...response.value,
        body: JSON.stringify(await complete(JSON.parse(response.value.body ?? '{}'), call)),
      })
    : response;
}
