import { admitAddress } from '../admission/admit.ts';
import type { Call, Endpoint } from '../app/endpoint.ts';
import type { Env } from '../common/env.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { execute } from '../database/execute.ts';
import { deliveryStatus } from '../delivery/nudge.ts';
import type { Failure } from '../failure/failure.ts';
import { liveStatus } from '../live/nudge.ts';
import { jsonType, type ResponseData } from '../response/response-data.ts';
import { healthStatement } from '../statement/health.ts';

/**
 * Responds with 200 when the database replies, and with whether live updates read their feed and deliveries are sent; else
 * 503, or 500 when its address is not set. It needs no key, reveals nothing else and writes no line to the log.
 */
export const health: Endpoint = {
  methods: 'GET,HEAD',
  admit: admitAddress('health'),
  logged: false,
  respond,
};

async function respond({ env, callerKey }: Call): Promise<Result<ResponseData>> {
  const reply = await execute(healthStatement, env, { login: 'api', callerKey, repeatable: true });
  if (reply.ok) {
    return ok({ status: 200, headers: jsonType, body: JSON.stringify(await statusOf(env)) });
  }
  return reply.failure.is === 'not set'
    ? reply
    : fail<Failure>({ is: 'database unavailable', reason: 'health' });
}

async function statusOf(env: Env): Promise<object> {
  const [live, delivery] = await Promise.all([liveStatus(env), deliveryStatus(env)]);
  return { status: 'ok', live, delivery };
}
