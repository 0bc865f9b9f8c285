/** `POST /rest/v1/rpc/duplicate_quote` with `{"id": …}`: makes a draft of a quote (`supabase.rpc('duplicate_quote', { id })`). */
import { quotes } from '../../schema/quotes.ts';
import { callerKey } from '../admission/caller-key.ts';
import { withLease } from '../admission/large-response.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { runPlan } from '../database/run-plan.ts';
import type { Failure } from '../failure/failure.ts';
import { planCopy } from '../plan/plan-copy.ts';
import { contentOf, parseContent } from '../request/content.ts';
import { contentType } from '../request/media-type.ts';
import { parseHead } from '../request/parse-request.ts';
import { readBody } from '../request/read-body.ts';
import type { ApiRequest } from '../request/request.ts';
import { respond } from '../response/response.ts';
import type { ResponseData } from '../response/response-data.ts';
import type { Call, ServedFunction } from './call.ts';

const name = 'duplicate_quote';

export const duplicateQuote: ServedFunction = { name, writes: true, respond: respondToCall };

async function respondToCall(call: Call): Promise<Result<ResponseData>> {
  const { request, caller } = call;
  const query = new URL(request.url).search.slice(1);
  const head = parseHead({ method: 'POST', query, header: header => request.headers.get(header) });
  if (!head.ok) {
    return head;
  }
  if (caller.kind === 'anon') {
    return fail<Failure>({ is: 'forbidden function', name });
  }
  const body = await readBody(request, callerKey(request.headers, caller));
  if (!body.ok) {
    return body;
  }
  try {
    const parsed = parseContent(head.value, contentOf(request, head.value, body.value.text));
    return parsed.ok ? await copy(parsed.value, call) : parsed;
  } finally {
    body.value.release();
  }
}

async function copy(
  parsed: ApiRequest,
  { request, env, caller, trace }: Call,
): Promise<Result<ResponseData>> {
  const plan = planCopy(parsed, name, { collection: quotes, caller, maxRows: limits.response.rows });
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
