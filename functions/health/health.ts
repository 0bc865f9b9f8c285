import { callerKey } from '../caller/caller-key.ts';
import { countAddress } from '../caller/rate-limit.ts';
import type { Env } from '../common/env.ts';
import { fail, type Result } from '../common/result.ts';
import { execute } from '../database/execute.ts';
import type { Failure } from '../failure/failure.ts';
import { requestIdOf } from '../request/request-id.ts';
import { commonHeaders } from '../response/headers.ts';
import { jsonType, respondFailure } from '../response/response.ts';
import { healthStatement } from '../statement/health.ts';

/** 200 when the database answers, else 503. Needs no key, tells nothing else, and is not worth a line in the log. */
export async function health(request: Request, env: Env): Promise<Response> {
  const answers = await databaseAnswers(request, env);
  const { status, headers, body } = answers.ok
    ? { status: 200, headers: jsonType, body: '{"status":"ok"}' }
    : respondFailure(answers.failure, false);
  return new Response(body, {
    status,
    headers: { ...commonHeaders(request), ...headers, 'x-request-id': requestIdOf(request) },
  });
}

/** Whoever asks too often does not reach the database. */
async function databaseAnswers(request: Request, env: Env): Promise<Result<unknown>> {
  const counted = await countAddress(request, 'health', env);
  if (!counted.ok) {
    return counted;
  }
  const rows = await execute(healthStatement, env, {
    login: 'api',
    callerKey: callerKey(request.headers),
    repeatable: true,
  });
  return rows.ok ? rows : fail<Failure>({ is: 'database unavailable', reason: 'health' });
}
