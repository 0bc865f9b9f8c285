/** Every collection and the cron in one worker, for local use and small deployments. */
import { collections } from '../schema/collections.ts';
import { described } from './app/described.ts';
import { hooks } from './app/hooks.ts';
import { isOwnRequest } from './caller/origin.ts';
import type { Env } from './common/env.ts';
import type { Failure } from './common/failure/failure.ts';
import { fail, ok, type Result } from './common/failure/result.ts';
import delivery from './delivery.ts';
import live from './live.ts';
import quotes from './quotes.ts';
import { demoEndpoints } from './reference/demo.ts';
import { joinApps } from './rest/new-app.ts';
import type { ResponseData } from './rest/response/response-data.ts';
import { createRest } from './rest/rest.ts';
import { finish } from './rest/serve.ts';
import { sweep } from './sweep/sweep.ts';

export { DatabasePool } from './database/pool.ts';
export { Delivery } from './delivery.ts';
export { Live } from './live.ts';

const others = createRest({ hooks, collections, endpoints: demoEndpoints });
// `/rest/v1/` must come from `quotes`, which describes the functions too.
const app = joinApps([quotes, live, delivery, others], described);
app.all('/cdn-cgi/handler/scheduled', async ({ req, env }, next) =>
  env.LOCAL === '1' ? finish(req.raw, await sweepOnRequest(req.raw, env)) : next(),
);

/** Runs the cron's sweep on a developer's machine, where no cron runs. */
async function sweepOnRequest(request: Request, env: Env): Promise<Result<ResponseData>> {
  if (!isOwnRequest(request)) {
    return fail<Failure>({ is: 'not own request' });
  }
  if (request.method !== 'GET') {
    return fail<Failure>({ is: 'unsupported method', method: request.method, allow: 'GET' });
  }
  await sweep(env);
  return ok({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'The sweep ran.\n' });
}

export default {
  fetch: app.fetch,
  scheduled: (_controller, env) => sweep(env),
} satisfies ExportedHandler<Env>;
