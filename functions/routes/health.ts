import { callerKey } from '../admission/caller-key.ts';
import { countAddress } from '../admission/rate-limit.ts';
import type { Env } from '../common/env.ts';
import { fail, type Result } from '../common/result.ts';
import { execute } from '../database/execute.ts';
import { deliveryStatus } from '../delivery/nudge.ts';
import type { Failure } from '../failure/failure.ts';
import { liveStatus } from '../live/objects.ts';
import { jsonType, respondFailure } from '../response/response-data.ts';
import { send } from '../response/send.ts';
import { healthStatement } from '../statement/health.ts';

/**
 * Responds with 200 when the database replies, and whether live updates read their feed; else 503, or 500 when its address
 * is not set. It needs no key, reveals nothing else and writes no line to the log.
 */
export async function health(request: Request, env: Env): Promise<Response> {
  const result = await checkDatabase(request, env);
  const response = result.ok
    ? { status: 200, headers: jsonType, body: JSON.stringify(await statusOf(env)) }
    : respondFailure(result.failure, request);
  return send(request, response);
}

async function statusOf(env: Env): Promise<object> {
  const [live, delivery] = await Promise.all([liveStatus(env), deliveryStatus(env)]);
  return { status: 'ok', live, delivery };
}

/** Asks the database. The rate limit is checked first, so that a flood of requests does not reach the database. */
async function checkDatabase(request: Request, env: Env): Promise<Result<unknown>> {
  const counted = await countAddress(request, 'health', env);
  if (!counted.ok) {
    return counted;
  }
  const rows = await execute(healthStatement, env, {
    login: 'api',
    callerKey: callerKey(request.headers),
    repeatable: true,
  });
  return rows.ok || rows.failure.is === 'not set'
    ? rows
    : fail<Failure>({ is: 'database unavailable', reason: 'health' });
}
