/** `POST /rest/v1/rpc/duplicate_quote` with `{"id": …}`: makes a draft of a quote (`supabase.rpc('duplicate_quote', { id })`). */
import { quotes } from '../../schema/quotes.ts';
import { admit } from '../admission/admit.ts';
import { callerKey } from '../admission/caller-key.ts';
import { withLease } from '../admission/large-response.ts';
import type { Caller } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { runPlan } from '../database/run-plan.ts';
import type { Failure } from '../failure/failure.ts';
import { nudge } from '../live/nudge.ts';
import { Trace } from '../log/log.ts';
import { planCopy } from '../plan/plan-copy.ts';
import { fingerprintOf } from '../request/fingerprint.ts';
import { contentType } from '../request/media-type.ts';
import { parseContent, parseHead } from '../request/parse-request.ts';
import { readBody } from '../request/read-body.ts';
import type { ApiRequest } from '../request/request.ts';
import { respondOptions } from '../response/cors.ts';
import { respond } from '../response/response.ts';
import type { ResponseData } from '../response/response-data.ts';

export const duplicateQuoteName = 'duplicate_quote';
const methods = 'OPTIONS,POST';

export async function duplicateQuote(
  request: Request,
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<Response> {
  if (request.method === 'OPTIONS') {
    return respondOptions(request, methods);
  }
  const trace = new Trace(request, duplicateQuoteName);
  const result = await respondTo(request, env, trace);
  const nudging = result.ok ? nudge(env) : undefined;
  if (nudging) {
    context.waitUntil(nudging);
  }
  return trace.finish(result);
}

async function respondTo(request: Request, env: Env, trace: Trace): Promise<Result<ResponseData>> {
  const { method } = request;
  if (method !== 'POST') {
    return fail<Failure>({ is: 'function method', method, allow: methods });
  }
  const caller = await admit(request, env, trace);
  if (!caller.ok) {
    return caller;
  }
  const query = new URL(request.url).search.slice(1);
  const head = parseHead({ method, query, header: name => request.headers.get(name) });
  if (!head.ok) {
    return head;
  }
  if (caller.value.kind === 'anon') {
    return fail<Failure>({ is: 'forbidden function', name: duplicateQuoteName });
  }
  const body = await readBody(request, callerKey(request.headers, caller.value));
  if (!body.ok) {
    return body;
  }
  try {
    const parsed = parseContent(head.value, {
      contentType: request.headers.get('content-type'),
      text: body.value.text,
      ...(head.value.idempotencyKey !== undefined && {
        fingerprint: fingerprintOf(request, body.value.text),
      }),
    });
    return parsed.ok ? await copy(parsed.value, request, env, caller.value, trace) : parsed;
  } finally {
    body.value.release();
  }
}

async function copy(
  parsed: ApiRequest,
  request: Request,
  env: Env,
  caller: Caller,
  trace: Trace,
): Promise<Result<ResponseData>> {
  const plan = planCopy(parsed, duplicateQuoteName, {
    collection: quotes,
    caller,
    maxRows: limits.response.rows,
  });
  if (!plan.ok) {
    return plan;
  }
  const options = { login: 'api', callerKey: callerKey(request.headers, caller), caller } as const;
  const result = await runPlan(plan.value, env, options, trace);
  const response = result.ok ? respond(plan.value, result.value.rows, new URL(request.url)) : result;
  if (!response.ok) {
    return response.failure.is === 'not singular'
      ? fail<Failure>({ is: 'row not found', collection: quotes.name })
      : response;
  }
  const { headers } = response.value;
  const copied = ok({
    ...response.value,
    status: 200,
    headers: { ...headers, 'content-type': contentType(parsed.mediaType) },
  });
  return result.ok && result.value.lease ? withLease(copied, result.value.lease) : copied;
}
