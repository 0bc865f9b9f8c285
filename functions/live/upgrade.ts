/** The request for a socket of live updates: whose key it has, and which object gets it. */
import { type Caller, identifyBearer, isForServers } from '../caller/caller.ts';
import { isFromBrowser } from '../caller/origin.ts';
import { countAddress, originOf } from '../caller/rate-limit.ts';
import { refuseCredentials } from '../caller/token/signature.ts';
import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { limits } from '../common/limits.ts';
import { findRefusal } from './identify.ts';
import { liveObject, numberFor, objectCount } from './live-stub.ts';

export const livePath = '/realtime/v1/websocket';

/** Headers that the worker sets for the object: whose key opens the socket, `anon` or `service`, and the object's number. */
export const keyKindHeader = 'x-live-key';
export const objectHeader = 'x-live-object';

/** Passes a request to the object of its network. Returns the response of one that gets its socket; the failure of another. */
export async function upgrade(request: Request, env: Env): Promise<Result<Response>> {
  const { url, headers } = request;
  const number = numberFor(originOf(headers), objectCount(env));
  const live = liveObject(env, number);
  if (live === undefined) {
    return fail<Failure>({ is: 'misconfigured', reason: 'LIVE is not bound' });
  }
  if (url.length > limits.request.url) {
    return fail<Failure>({ is: 'url too long' });
  }
  const key = new URL(url).searchParams.get('apikey') ?? '';
  const holder: Result<Caller> =
    key === ''
      ? fail({ is: 'credentials missing', what: 'apikey in its address' })
      : await identifyBearer(key, env);
  const isPublishable = holder.ok && holder.value.kind === 'anon';
  const counted = await countAddress(request, isPublishable ? 'publishable' : 'secret', env);
  if (!counted.ok) {
    return counted;
  }
  if (!holder.ok) {
    return holder;
  }
  if (!isPublishable && !isForServers(holder.value)) {
    return refuseCredentials('The apikey is not a key of this service');
  }
  const refusal = findRefusal(holder.value, isFromBrowser(headers));
  if (refusal) {
    return fail(refusal);
  }
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    return fail<Failure>({ is: 'no upgrade' });
  }
  const passed = new Headers(headers);
  passed.set(keyKindHeader, holder.value.kind);
  passed.set(objectHeader, String(number));
  try {
    const response = await live.fetch(new Request(request, { headers: passed }));
    return response.status === 101 ? ok(response) : fail<Failure>(await response.json());
  } catch {
    return fail<Failure>({ is: 'no live connection', reason: 'LIVE_UNREACHABLE' });
  }
}
