/**
 * A collection → its Hono app. Lists all stages of a request for rows:
 *
 *   serve.ts:    trace → preflight → method → admit →
 *   this file:   (cached?) → parse → permit → body → plan → statement → execute → respond → (why not?) →
 *   serve.ts:    nudge → log
 */
import type { Collection } from '../../schema/collection.ts';
import { health } from '../app/health.ts';
import { admit } from '../caller/admit.ts';
import type { Failure, Unwritten } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { limits } from '../common/limits.ts';
import { execute, type SendMessage } from '../database/execute.ts';
import { apiRoot, openApiPath } from './api-root.ts';
import { respondFromCache } from './cache.ts';
import type { Call, Endpoint, RowsFunction, ServedFunction } from './endpoint.ts';
import { newApp, type Router } from './new-app.ts';
import type { Plan } from './plan/plan.ts';
import { permit } from './plan/plan-base.ts';
import { planRequest } from './plan/plan-request.ts';
import { contentOf, type HttpContent, parseContent } from './request/parse-body.ts';
import { headOf, parseHead } from './request/parse-request.ts';
import { readBody } from './request/read-body.ts';
import { type ApiRequest, isRead, takesBody } from './request/request.ts';
import { withLease } from './response/large-response.ts';
import { withFields } from './response/refused-fields.ts';
import { respond } from './response/response.ts';
import type { ResponseData } from './response/response-data.ts';
import { functionsOf } from './rpc.ts';
import { collectionMethods, serve } from './serve.ts';
import { unwrittenMessage } from './statement/change.ts';
import { marked } from './statement/session.ts';
import { messageOf } from './statement/statement.ts';
import { executeWithinMemory } from './within-memory.ts';

/** Creates the app of a collection, and of those that are served beside it. */
export function createApp(...collections: Collection[]): Router {
  const app = newApp(collections);
  for (const collection of collections) {
    app.all(`/rest/v1/${collection.name}`, serve(endpointOf(collection)));
    for (const served of functionsOf(collection)) {
      app.all(`/rest/v1/rpc/${served.name}`, serve(endpointOfFunction(served)));
    }
  }
  const root = serve(apiRoot(collections));
  app.all('/rest/v1', root);
  app.all('/rest/v1/', root);
  app.all(openApiPath, root);
  app.all('/health', serve(health));
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
    nudges: method => collection.live !== undefined && !isRead(method),
    respond: call =>
      collection.cachedFor
        ? respondFromCache(collection, call, () => respondFromDatabase(rows, call))
        : respondFromDatabase(rows, call),
  };
}

const endpointOfFunction = ({ name, writes, ...served }: ServedFunction): Endpoint => ({
  name,
  methods: 'OPTIONS,POST',
  otherMethod: 'function method',
  admit,
  nudges: () => writes,
  respond: 'respond' in served ? served.respond : call => respondFromDatabase(served, call),
});

/** Responds to a request for rows: each stage by its name, in order. Holds the lease on the body's memory until the end. */
async function respondFromDatabase(served: RowsFunction, call: Call): Promise<Result<ResponseData>> {
  const { request, env, caller, callerKey } = call;
  const head = parseHead(headOf(request));
  if (!head.ok) {
    return head;
  }
  const context = served.permit(head.value, { caller, maxRows: maxRowsOf(env.MAX_ROWS) });
  if (!context.ok) {
    return context;
  }
  const body = takesBody(head.value.method) ? await readBody(request, callerKey) : ok(undefined);
  if (!body.ok) {
    return body;
  }
  try {
    const content = body.value && contentOf(request, head.value, body.value.text);
    const planned = planWithBody(head.value, content, parsed => served.plan(parsed, context.value));
    if (!planned.ok) {
      return planned;
    }
    const plan = planned.value;
    const send = senderOf(call);
    const statement = (maxBytes: number) => messageOf({ ...plan, maxBytes });
    const executed = await executeWithinMemory(statement, plan.maxBytes, callerKey, send(plan.is === 'read'));
    const response = executed.ok
      ? withLease(respond(plan, executed.value.rows, request.url), executed.value.lease)
      : executed;
    const explained = response.ok ? response : await explainFailure(response.failure, plan, send(true));
    return served.adapt ? served.adapt(explained, head.value) : explained;
  } finally {
    body.value?.release();
  }
}

/** Plans a request with its body. A separate function, so that the parsed rows can be collected while the database is awaited. */
function planWithBody(
  head: ApiRequest,
  content: HttpContent | undefined,
  plan: (request: ApiRequest) => Result<Plan>,
): Result<Plan> {
  const request = content ? parseContent(head, content) : ok(head);
  return request.ok ? plan(request.value) : request;
}

/** Returns what sends the messages of a request. `repeatable`: the message only reads, so it may be sent twice. */
const senderOf =
  ({ env, caller, callerKey, trace }: Call) =>
  (repeatable: boolean): SendMessage =>
  message =>
    trace.database(() =>
      execute(marked(message, trace), env, { login: 'api', callerKey, caller, repeatable }),
    );

/** Uses the default unless MAX_ROWS is a positive number. */
const maxRowsOf = (setting = ''): number =>
  /^[1-9]\d{0,8}$/.test(setting) ? Number(setting) : limits.response.rows;

/**
 * Fails with details: the invalid fields, or the reason why a change of a row by its key found no row. Any other failure is
 * unchanged. The reason needs a second message, because a statement that waited for another writer does not see that writer's
 * changes.
 */
async function explainFailure(failure: Failure, plan: Plan, send: SendMessage): Promise<Result<never>> {
  const foundNone =
    failure.is === 'precondition failed' || (failure.is === 'not singular' && failure.rows === '0');
  if (!foundNone) {
    return fail(withFields(failure, plan));
  }
  const message = writes(plan) ? unwrittenMessage(plan) : undefined;
  const rows = message && (await send(message));
  const why = rows?.ok && rows.value[0]?.['body'];
  return fail(why ? { ...failure, why: why as Unwritten } : failure);
}

const writes = (plan: Plan): plan is Extract<Plan, { is: 'update' | 'delete' }> =>
  plan.is === 'delete' || (plan.is === 'update' && plan.body.columns.length > 0);
