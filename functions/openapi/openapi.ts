/** `/rest/v1/`: the OpenAPI document of what the caller may do. */
import { Hono } from 'hono/tiny';
import type { Audience, Collection } from '../../schema/collection.ts';
import { admit } from '../caller/admit.ts';
import type { Env } from '../common/env.ts';
import { memoize } from '../common/memoize.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { Trace } from '../log/log.ts';
import { respondOptions } from '../response/cors.ts';
import type { ResponseData } from '../response/response-data.ts';
import { describeApi, mediaType } from './document.ts';

const methods = 'OPTIONS,GET,HEAD';

export function apiRoot(collections: readonly Collection[]): Hono<{ Bindings: Env }> {
  const documentFor = memoize(audience => JSON.stringify(describeApi(collections, audience as Audience)));
  const app = new Hono<{ Bindings: Env }>();
  for (const path of ['/rest/v1', '/rest/v1/']) {
    app.all(path, ({ req, env }) => handle(req.raw, env, documentFor));
  }
  return app;
}

async function handle(
  request: Request,
  env: Env,
  documentFor: (audience: Audience) => string,
): Promise<Response> {
  if (request.method === 'OPTIONS') {
    return respondOptions(request, methods);
  }
  const trace = new Trace(request);
  return trace.finish(await respond(request, env, documentFor, trace));
}

async function respond(
  request: Request,
  env: Env,
  documentFor: (audience: Audience) => string,
  trace: Trace,
): Promise<Result<ResponseData>> {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    return fail<Failure>({ is: 'unsupported method', method, allow: methods });
  }
  const caller = await admit(request, env, trace);
  if (!caller.ok) {
    return caller;
  }
  return ok({
    status: 200,
    headers: { 'content-type': `${mediaType}; charset=utf-8` },
    body: method === 'HEAD' ? null : documentFor(caller.value.audience),
  });
}
