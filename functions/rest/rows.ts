/**
 * A request for rows or for a function → its response, through all stages:
 *
 *   serve.ts:    trace → preflight → method → admit →
 *   this file:   parse → permit → body → plan → statement → execute → respond → (why not?) →
 *   serve.ts:    after a write → log
 */
import type { Failure, Unwritten } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { limits } from '../common/limits.ts';
import type { SendMessage } from '../database/execute.ts';
import type { Described } from './describe/functions.ts';
import type { Call } from './endpoint.ts';
import { needsNoArguments } from './plan/call.ts';
import { type Permitted, type Plan, permit, planRequest, type Target } from './plan/plan-request.ts';
import { contentOf, type HttpContent, parseContent } from './request/parse-body.ts';
import { headOf, parseHead } from './request/parse-request.ts';
import { readBody } from './request/read-body.ts';
import { type ApiRequest, takesBody } from './request/request.ts';
import { attachLease } from './response/large-response.ts';
import { addFields } from './response/refused-fields.ts';
import { respond } from './response/response.ts';
import type { ResponseData } from './response/response-data.ts';
import type { Again } from './statement/session.ts';
import { messageOf } from './statement/statement.ts';
import { unwrittenMessage } from './statement/unwritten.ts';
import { executeWithinMemory } from './within-memory.ts';

/**
 * Responds to a request: each stage by its name, in order. Holds the lease on the body's memory until the end. A large response
 * has a lease of its own, which its stream releases when it is sent (`response/large-response.ts`).
 */
export async function respondWithRows(
  target: Target,
  { collections }: Described,
  call: Call,
): Promise<Result<ResponseData>> {
  const { request, env, caller, callerKey } = call;
  const head = parseHead(headOf(request));
  if (!head.ok) {
    return head;
  }
  const context = permit(head.value, target, { caller, collections, maxRows: maxRowsOf(env.MAX_ROWS) });
  if (!context.ok) {
    return context;
  }
  const body = takesBody(head.value.method) ? await readBody(request, callerKey) : ok(undefined);
  if (!body.ok) {
    return body;
  }
  try {
    const content = body.value && contentOf(request, head.value, body.value.text);
    const planned = planWithBody(head.value, content, context.value);
    if (!planned.ok) {
      return planned;
    }
    const plan = planned.value;
    const statement = (maxBytes: number, again?: Again) => messageOf({ ...plan, maxBytes }, again);
    const executed = await executeWithinMemory(
      statement,
      plan.maxBytes,
      callerKey,
      call.send(plan.is === 'read' || (plan.is === 'value' && plan.called.repeatable)),
    );
    const response = executed.ok
      ? attachLease(respond(plan, executed.value.rows, request.url), executed.value.lease)
      : executed;
    return response.ok ? response : await explainFailure(response.failure, plan, call.send(true));
  } finally {
    body.value?.release();
  }
}

/** Plans a request with its body. A separate function, so that the parsed rows can be collected while the database is awaited. */
function planWithBody(head: ApiRequest, content: HttpContent | undefined, context: Permitted): Result<Plan> {
  const mayBeEmpty = 'called' in context && needsNoArguments(context.called);
  const request = content ? parseContent(head, content, mayBeEmpty) : ok(head);
  return request.ok ? planRequest(request.value, context) : request;
}

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
    return fail(addFilters(addFields(failure, plan), plan));
  }
  if (!writes(plan)) {
    return fail(failure);
  }
  const message = unwrittenMessage(plan);
  const rows = message && (await send(message));
  const why = rows?.ok && rows.value[0]?.['body'];
  return fail(why ? { ...failure, why: why as Unwritten, version: filteredVersion(plan) } : failure);
}

/** Adds the columns of the filters to the failure of a value that Postgres refused: its error names none. */
function addFilters(failure: Failure, plan: Plan): Failure {
  if (failure.is !== 'database' || !failure.sqlstate.startsWith('22') || !('conditions' in plan)) {
    return failure;
  }
  const names = plan.conditions.flatMap(condition =>
    condition.is === 'filter' && condition.operation.operator !== 'is' ? [condition.field.column] : [],
  );
  return { ...failure, filtered: [...new Set(names)].slice(0, 10) };
}

/** Returns the column of the time of the last change, if the filter has it. */
function filteredVersion(plan: Plan): string | undefined {
  if (plan.is !== 'update' && plan.is !== 'delete') {
    return undefined;
  }
  const { changedAt } = plan.collection;
  return plan.conditions.some(condition => condition.is === 'filter' && condition.field.column === changedAt)
    ? changedAt
    : undefined;
}

const writes = (plan: Plan): plan is Extract<Plan, { is: 'update' | 'delete' }> =>
  plan.is === 'delete' || (plan.is === 'update' && plan.body.columns.length > 0);
