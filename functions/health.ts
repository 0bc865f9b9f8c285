import { callerName } from './caller-name.ts';
import { corsHeaders } from './cors.ts';
import type { Env } from './env.ts';
import { execute } from './execute.ts';
import { requestIdOf } from './request-id.ts';
import { jsonType, respondFailure } from './respond.ts';
import { healthStatement } from './statement/health.ts';

/** 200 when the database answers, else 503. Needs no key, tells nothing else, and is not worth a line in the log. */
export async function health(request: Request, env: Env): Promise<Response> {
  const rows = await execute(healthStatement, env, {
    login: 'api',
    name: callerName(request.headers),
    repeatable: true,
  });
  const { status, headers, body } = rows.ok
    ? { status: 200, headers: jsonType, body: '{"status":"ok"}' }
    : respondFailure({ is: 'database unavailable', reason: 'health' }, false);
  const more = { 'cache-control': 'no-store', 'x-request-id': requestIdOf(request) };
  return new Response(body, { status, headers: { ...headers, ...corsHeaders, ...more } });
}
