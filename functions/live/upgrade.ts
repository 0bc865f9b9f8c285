/** Admits a request for a socket, and hands it to the object. Who is asking, the first message says. */

import { countAddress } from '../admission/rate-limit.ts';
import { identifyBearer } from '../caller/caller.ts';
import { isFromBrowser } from '../caller/from-browser.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { refuseCredentials } from '../token/signature.ts';
import { liveObject } from './nudge.ts';

export const livePath = '/realtime/v1/websocket';

/** Whose key opens the socket: `anon` or `service`. The worker sets it for the object, whatever the request has there. */
export const keyKindHeader = 'x-live-key';

/** Returns the response of a request that gets its socket; the failure of another. */
export async function upgrade(request: Request, env: Env): Promise<Result<Response>> {
  const live = liveObject(env);
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
  if (holder.value.kind !== 'anon' && holder.value.kind !== 'service') {
    return refuseCredentials('The apikey is not a key of this service');
  }
  if (holder.value.kind === 'service' && isFromBrowser(request.headers)) {
    return fail<Failure>({ is: 'secret in browser' });
  }
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    return fail<Failure>({ is: 'no upgrade' });
  }
  try {
    const response = await live.fetch(forObject(request, holder.value.kind));
    return response.status === 101 ? ok(response) : fail<Failure>(await response.json());
  } catch {
    return fail<Failure>({ is: 'overloaded', reason: 'LIVE_UNREACHABLE' });
  }
}

function forObject(request: Request, kind: 'anon' | 'service'): Request {
  const headers = new Headers(request.headers);
  headers.set(keyKindHeader, kind);
  return new Request(request, { headers });
}
