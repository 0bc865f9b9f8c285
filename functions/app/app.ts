/** A collection → its Hono app. The one place that lists the stages a request goes through. */

import type { Collection } from '../../schema/collection.ts';
import { admit } from '../admission/admit.ts';
import { callerKey } from '../admission/caller-key.ts';
import { withLease } from '../admission/large-response.ts';
import { type CacheableRead, respondFromCache } from '../cache/cache.ts';
import type { Caller } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { newRouter, type Router } from '../common/router.ts';
import { runPlan } from '../database/run-plan.ts';
import { withReason } from '../database/with-reason.ts';
import { nudgeDeliveryAfter } from '../delivery/nudge.ts';
import type { Failure } from '../failure/failure.ts';
import { nudgeAfter } from '../live/objects.ts';
import { Trace } from '../log/log.ts';
import { apiRoot } from '../openapi/openapi.ts';
import { findPlan, rememberPlan } from '../plan/known-plans.ts';
import { type PermittedContext, permit } from '../plan/permission.ts';
import type { Plan } from '../plan/plan.ts';
import { planRequest } from '../plan/plan-request.ts';
import { contentOf, type HttpContent, parseContent } from '../request/content.ts';
import { isMethod, isRead, takesBody } from '../request/method.ts';
import { type HttpHead, parseHead } from '../request/parse-request.ts';
import { readBody } from '../request/read-body.ts';
import type { ApiRequest, Method } from '../request/request.ts';
import { shapeOf } from '../request/shape.ts';
import { respondOptions } from '../response/cors.ts';
import { respond } from '../response/response.ts';
import type { ResponseData } from '../response/response-data.ts';
import { callFunction } from '../routes/call.ts';
import { health } from '../routes/health.ts';
import { functionsOf } from '../routes/rpc.ts';
import { crash, finish, methods } from './finish.ts';
import { notFound } from './not-found.ts';

export function createApp(collection: Collection): Router {
  const app = newRouter();
  app.all(`/rest/v1/${collection.name}`, ({ req, env, executionCtx }) =>
    handle(req.raw, env, executionCtx, collection),
  );
  for (const served of functionsOf(collection)) {
    app.all(`/rest/v1/rpc/${served.name}`, ({ req, env, executionCtx }) =>
      callFunction(served, req.raw, env, executionCtx),
    );
  }
  app.route('/', apiRoot([collection]));
  app.get('/health', ({ req, env }) => health(req.raw, env));
  app.notFound(({ req }) => finish(req.raw, notFound(req.path, [collection])));
  app.onError((error, { req }) => crash(req.raw, error));
  return app;
}

async function handle(
  request: Request,
  env: Env,
  context: CacheableRead['context'],
  collection: Collection,
): Promise<Response> {
  if (request.method === 'OPTIONS') {
    return respondOptions(request, methods);
  }
  const trace = new Trace(request, collection.name);
  const result = await respondTo(request, env, context, collection, trace);
  if (collection.live && result.ok && !isRead(request.method)) {
    nudgeAfter(context, env);
    nudgeDeliveryAfter(context, env);
  }
  return trace.finish(result);
}

async function respondTo(
  request: Request,
  env: Env,
  context: CacheableRead['context'],
  collection: Collection,
  trace: Trace,
): Promise<Result<ResponseData>> {
  if (!isMethod(request.method)) {
    return fail<Failure>({ is: 'unsupported method', method: request.method, allow: methods });
  }
  const caller = await admit(request, env, trace);
  if (!caller.ok) {
    return caller;
  }
  const respondUncached = () => respondFromDatabase(request, env, collection, caller.value, trace);
  return collection.cachedFor
    ? respondFromCache({ request, collection, caller: caller.value, env, context }, respondUncached)
    : respondUncached();
}

async function respondFromDatabase(
  request: Request,
  env: Env,
  collection: Collection,
  caller: Caller,
  trace: Trace,
): Promise<Result<ResponseData>> {
  const url = new URL(request.url);
  const key = callerKey(request.headers, caller);
  const execute = (plan: Plan) => respondToPlan(plan, url, env, key, trace);
  const header = (name: string): string | null => request.headers.get(name);
  const http: HttpHead = { method: request.method as Method, query: url.search.slice(1), header };
  const planContext = { collection, caller, maxRows: maxRowsOf(env) };
  const shape = shapeOf(http);
  const known = shape && findPlan(shape, planContext);
  if (known) {
    return execute(known);
  }
  const head = parseHead(http);
  if (!head.ok) {
    return head;
  }
  const context = permit(head.value.method, planContext);
  if (!context.ok) {
    return context;
  }
  const body = takesBody(head.value.method) ? await readBody(request, key) : ok(undefined);
  if (!body.ok) {
    return body;
  }
  try {
    const content = body.value && contentOf(request, head.value, body.value.text);
    const plan = planWithBody(head.value, context.value, content);
    if (!plan.ok) {
      return plan;
    }
    if (shape && plan.value.is === 'read') {
      rememberPlan(shape, planContext, plan.value);
    }
    return await execute(plan.value);
  } finally {
    body.value?.release();
  }
}

async function respondToPlan(
  plan: Plan,
  url: URL,
  env: Env,
  callerKey: string,
  trace: Trace,
): Promise<Result<ResponseData>> {
  const { caller } = plan;
  const options = { login: 'api', callerKey, caller, repeatable: plan.is === 'read' } as const;
  const result = await runPlan(plan, env, options, trace);
  const response = result.ok ? respond(plan, result.value.rows, url) : result;
  if (result.ok && result.value.lease) {
    return withLease(response, result.value.lease);
  }
  return response.ok ? response : fail(await withReason(response.failure, plan, env, options, trace));
}

/** Plans a request with its body, in a function of its own: its parsed rows can be collected before the database is awaited. */
function planWithBody(head: ApiRequest, context: PermittedContext, content?: HttpContent): Result<Plan> {
  const request = content ? parseContent(head, content) : ok(head);
  return request.ok ? planRequest(request.value, context) : request;
}

/** Uses the default unless MAX_ROWS is a positive number. */
const maxRowsOf = ({ MAX_ROWS = '' }: Env): number =>
  /^[1-9]\d{0,8}$/.test(MAX_ROWS) ? Number(MAX_ROWS) : limits.response.rows;
