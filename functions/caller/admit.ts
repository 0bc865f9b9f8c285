/**
 * Whether a request is let in, before its body is read or the database asked: an address of a length that is read, a
 * key and token that are believed, no secret in a browser, and not too many requests before it.
 */

import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { Trace } from '../log/trace.ts';
import { type Caller, identifyCaller } from './caller.ts';
import { countCaller } from './rate-limit.ts';

/** Who is asking, which the trace is told. */
export async function admit(request: Request, env: Env, trace: Trace): Promise<Result<Caller>> {
  if (request.url.length > limits.request.url) {
    return fail<Failure>({ is: 'url too long', limit: limits.request.url });
  }
  const caller = await identify(request.headers, env);
  if (caller.ok) {
    trace.caller = caller.value.kind;
  }
  const counted = await countCaller(request, caller, env);
  return counted.ok ? caller : counted;
}

async function identify(headers: Headers, env: Env): Promise<Result<Caller>> {
  const apiKey = headers.get('apikey');
  const caller = await identifyCaller(apiKey, headers.get('authorization'), env);
  if (!isFromBrowser(headers)) {
    return caller;
  }
  const holder = await identifyCaller(apiKey, `Bearer ${apiKey}`, env);
  return isService(caller) || isService(holder) ? fail<Failure>({ is: 'secret in browser' }) : caller;
}

const isService = (caller: Result<Caller>): boolean => caller.ok && caller.value.kind === 'service';

/**
 * A browser says where a request comes from, and a page can't keep it from that: in Sec-Fetch-Site over https, older
 * ones in Origin. Servers may send Origin as well, or call themselves Mozilla, and Node's fetch sends Sec-Fetch-Mode.
 */
const isFromBrowser = (headers: Headers): boolean =>
  headers.has('sec-fetch-site') ||
  (headers.has('origin') && headers.get('user-agent')?.startsWith('Mozilla/') === true);
