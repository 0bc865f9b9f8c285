/**
 * `/rest/v1/`: what the caller may do, as Swagger, as OpenAPI, or as types for TypeScript; `/rest/v1/openapi.json`: as OpenAPI,
 * for programs that take an address and no headers.
 */

import type { Audience, Collection } from '../../schema/collection.ts';
import { admit } from '../admission/admit.ts';
import type { Env } from '../common/env.ts';
import { memoizeBy } from '../common/memoize.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { newRouter, type Router } from '../common/router.ts';
import type { Failure } from '../failure/failure.ts';
import { Trace } from '../log/log.ts';
import { isTooLong } from '../request/excess.ts';
import { findUnexposed } from '../request/schema-name.ts';
import { respondOptions } from '../response/cors.ts';
import type { ResponseData } from '../response/response-data.ts';
import { describeTypes } from './client-types.ts';
import { describeApi, withServer } from './document.ts';
import { mediaTypes, type Representation, representationFor } from './representation.ts';
import { describeSwagger, withHost } from './swagger.ts';

const methods = 'OPTIONS,GET,HEAD';

export function apiRoot(collections: readonly Collection[]): Router {
  const app = newRouter();
  for (const path of ['/rest/v1', '/rest/v1/']) {
    app.all(path, ({ req, env }) => handle(req.raw, env, collections, representationFor));
  }
  app.all('/rest/v1/openapi.json', ({ req, env }) => handle(req.raw, env, collections, () => 'openapi'));
  return app;
}

/** Chooses a representation by the Accept header. */
type Choose = (accept: string | null) => Representation;

async function handle(
  request: Request,
  env: Env,
  collections: readonly Collection[],
  choose: Choose,
): Promise<Response> {
  if (request.method === 'OPTIONS') {
    return respondOptions(request, methods);
  }
  const trace = new Trace(request);
  return trace.finish(await respond(request, env, collections, choose, trace));
}

async function respond(
  request: Request,
  env: Env,
  collections: readonly Collection[],
  choose: Choose,
  trace: Trace,
): Promise<Result<ResponseData>> {
  const { method, headers, url } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    return fail<Failure>({ is: 'unsupported method', method, allow: methods });
  }
  const caller = await admit(request, env, trace);
  if (!caller.ok) {
    return caller;
  }
  const accept = headers.get('accept');
  if (isTooLong(accept)) {
    return fail<Failure>({ is: 'header too long' });
  }
  const schema = headers.get('accept-profile');
  const unexposed = schema === null ? undefined : findUnexposed(schema);
  if (unexposed) {
    return fail(unexposed);
  }
  const representation = choose(accept);
  const text = textFor(collections, representation, caller.value.audience);
  return ok({
    status: 200,
    headers: {
      'content-type': `${mediaTypes[representation]}; charset=utf-8`,
      vary: 'Accept, Accept-Profile',
    },
    body: method === 'HEAD' ? null : locate[representation](text, url),
  });
}

const describe: Record<
  Representation,
  (collections: readonly Collection[], audience: Audience) => object | string
> = { openapi: describeApi, swagger: describeSwagger, typescript: describeTypes };

/**
 * Adds the address of the request, which is its sender's own word where no route decides it. So it is no part of the text
 * that is kept for others, and no cache may store the response.
 */
const locate: Record<Representation, (text: string, url: string) => string> = {
  openapi: withServer,
  swagger: withHost,
  typescript: text => text,
};

const textFor = memoizeBy(
  (collections: readonly Collection[], representation: Representation, audience: Audience): string => {
    const description = describe[representation](collections, audience);
    return typeof description === 'string' ? description : JSON.stringify(description);
  },
  (representation, audience) => `${representation} ${audience}`,
);
