/** What the calls of all functions have in common: `POST /rest/v1/rpc/<name>`. */
import { admit } from '../admission/admit.ts';
import type { Caller } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import { fail, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { nudgeAfter } from '../live/objects.ts';
import { Trace } from '../log/log.ts';
import { respondOptions } from '../response/cors.ts';
import type { ResponseData } from '../response/response-data.ts';

/** A call by a caller who was admitted. */
export interface Call {
  request: Request;
  env: Env;
  caller: Caller;
  trace: Trace;
}

export interface ServedFunction {
  name: string;
  /** Whether it writes rows of which live updates tell. */
  writes: boolean;
  respond(call: Call): Promise<Result<ResponseData>>;
}

const methods = 'OPTIONS,POST';

export async function callFunction(
  served: ServedFunction,
  request: Request,
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<Response> {
  if (request.method === 'OPTIONS') {
    return respondOptions(request, methods);
  }
  const trace = new Trace(request, served.name);
  const result = await admitAndRespond(served, request, env, trace);
  if (served.writes && result.ok) {
    nudgeAfter(context, env);
  }
  return trace.finish(result);
}

async function admitAndRespond(
  { respond }: ServedFunction,
  request: Request,
  env: Env,
  trace: Trace,
): Promise<Result<ResponseData>> {
  const { method } = request;
  if (method !== 'POST') {
    return fail<Failure>({ is: 'function method', method, allow: methods });
  }
  const caller = await admit(request, env, trace);
  return caller.ok ? respond({ request, env, caller: caller.value, trace }) : caller;
}
