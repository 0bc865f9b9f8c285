/** Every collection and the cron in one worker, for local use and small deployments. */
import { collections } from '../schema/collections.ts';
import { createApp } from './app/app.ts';
import { newApp } from './app/new-app.ts';
import { finish } from './app/serve.ts';
import { isOwnRequest } from './caller/origin.ts';
import type { Env } from './common/env.ts';
import delivery from './delivery.ts';
import type { Failure } from './failure/failure.ts';
import { fail, ok, type Result } from './failure/result.ts';
import live from './live.ts';
import reference from './reference.ts';
import type { ResponseData } from './response/response-data.ts';
import { sweep } from './sweep/sweep.ts';

export { DatabasePool } from './database/pool.ts';
export { Delivery } from './delivery.ts';
export { Live } from './live.ts';

const app = newApp(collections);
// The first app with a path serves it: `/rest/v1/` must come from the reference, which knows every collection.
for (const part of [reference, ...collections.map(collection => createApp(collection))]) {
  app.route('/', part);
}
app.route('/', live);
app.route('/', delivery);
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
