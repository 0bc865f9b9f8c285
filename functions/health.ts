import { corsHeaders } from './cors.ts';
import type { Env } from './env.ts';
import { execute } from './execute.ts';
import { respondFailure } from './respond.ts';
import { healthStatement } from './statement/health.ts';

/** 200 when the database answers, else 503. Needs no key and tells nothing else. */
export async function health(env: Env): Promise<Response> {
  const rows = await execute(healthStatement, env, 'api');
  const response = rows.ok
    ? Response.json({ status: 'ok' })
    : respondFailure({ is: 'database unavailable', reason: 'health' }, false);
  for (const [name, value] of Object.entries({ ...corsHeaders, 'cache-control': 'no-store' })) {
    response.headers.set(name, value);
  }
  return response;
}
