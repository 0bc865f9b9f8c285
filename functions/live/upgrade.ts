/** Admits a request for a socket, and passes it to the object of its network. The first message says who is asking. */
import { countAddress, originOf } from '../admission/rate-limit.ts';
import { identifyBearer, isForServers } from '../caller/caller.ts';
import { isFromBrowser } from '../caller/origin.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { refuseCredentials } from '../token/signature.ts';
import { liveObject, numberFor, objectCount } from './objects.ts';

export const livePath = '/realtime/v1/websocket';

/** Headers that the worker sets for the object: whose key opens the socket, `anon` or `service`, and the object's number. */
export const keyKindHeader = 'x-live-key';
export const objectHeader = 'x-live-object';

/** Returns the response of a request that gets its socket; the failure of another. */
export async function upgrade(request: Request, env: Env): Promise<Result<Response>> {
  const number = numberFor(originOf(request.headers), objectCount(env));
  const live = liveObject(env, number);
  if (live === undefined) {
    return fail<Failure>({ is: 'misconfigured', reason: 'LIVE is not bound' });
  }
  if (request.url.length > limits.request.url) {
    return fail<Failure>({ is: 'url too long' });
  }
  const key = new URL(request.url).searchParams.get('apikey') ?? '';
  const holder =
    key === ''
      ? fail<Failure>({ is: 'credentials missing', what: 'apikey in its address' })
      : await identifyBearer(key, env);
  const kind = holder.ok && holder.value.kind === 'anon' ? 'publishable' : 'secret';
  const counted = await countAddress(request, kind, env);
  if (!counted.ok) {
    return counted;
  }
  if (!holder.ok) {
    return holder;
  }
  if (holder.value.kind !== 'anon' && !isForServers(holder.value)) {
    return refuseCredentials('The apikey is not a key of this service');
  }
  if (isForServers(holder.value) && isFromBrowser(request.headers)) {
    return fail<Failure>({ is: 'secret in browser', kind: holder.value.kind });
  }
  if (holder.value.kind === 'reader') {
    return fail<Failure>({ is: 'read key', refused: 'live' });
  }
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    return fail<Failure>({ is: 'no upgrade' });
  }
  const headers = new Headers(request.headers);
  headers.set(keyKindHeader, holder.value.kind);
  headers.set(objectHeader, String(number));
  try {
    const response = await live.fetch(new Request(request, { headers }));
    return response.status === 101 ? ok(response) : fail<Failure>(await response.json());
  } catch {
    return fail<Failure>({ is: 'overloaded', reason: 'LIVE_UNREACHABLE' });
  }
}
