/**
 * `/demo`, on a developer's machine alone: the life of a quote on one page, with supabase-js. `npm start` binds its files,
 * and tells it the tokens of the demo's users; without them there is no such page.
 */

import type { Next } from 'hono';
import { isOwnRequest } from '../caller/own-request.ts';
import type { Env } from '../common/env.ts';
import { newRouter, type Router } from '../common/router.ts';
import { jsonType } from '../response/response-data.ts';
import { send } from '../response/send.ts';
import { forThisOrigin, servePageText } from './serve-text.ts';

/** `npm start` serves the demo's graphics at another port. */
const thisMachine = ' http://127.0.0.1:*';

const types: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

/** Serves the page. Requests that are not the developer's, and other paths, fall through to 404. */
export function serveDemo(): Router {
  const app = newRouter();
  app.get('/demo', ({ req, env }, next) => serveFile(req.raw, 'index.html', env.DEMO, env, next));
  app.get('/demo/supabase.js', ({ req, env }, next) =>
    serveFile(req.raw, 'supabase.js', env.SUPABASE_JS, env, next),
  );
  app.get('/demo/session.json', ({ req, env }, next) =>
    hasDemo(req.raw, env) ? servePageText(req.raw, 'application/json', sessionOf(env)) : next(),
  );
  for (const path of ['/demo/inbox', '/demo/webhooks']) {
    app.get(path, ({ req, env }, next) => serveDeliveries(req.raw, env, next));
  }
  app.get('/demo/:file', ({ req, env }, next) => serveFile(req.raw, req.param('file'), env.DEMO, env, next));
  return app;
}

/** Says whether the page is there for this request. */
export const hasDemo = (request: Request, { LOCAL, DEMO, DEMO_TOKEN, DEMO_STAFF_TOKEN }: Env): boolean =>
  LOCAL === '1' && [DEMO, DEMO_TOKEN, DEMO_STAFF_TOKEN].every(Boolean) && isOwnRequest(request);

const sessionOf = ({ PUBLISHABLE_KEY, DEMO_TOKEN, DEMO_STAFF_TOKEN, DEMO_DELIVERIES }: Env): string =>
  JSON.stringify({
    apikey: PUBLISHABLE_KEY,
    customer: DEMO_TOKEN,
    staff: DEMO_STAFF_TOKEN,
    showsDeliveries: DEMO_DELIVERIES !== undefined,
  });

/** The page asks for these all the time, so they write no line to the log. */
async function serveDeliveries(request: Request, env: Env, next: Next): Promise<Response | undefined> {
  if (env.DEMO_DELIVERIES !== undefined && hasDemo(request, env)) {
    const { status, body } = await env.DEMO_DELIVERIES.fetch(request.url);
    return forThisOrigin(send(request, { status, headers: jsonType, body }));
  }
  await next();
  return;
}

async function serveFile(
  request: Request,
  name: string,
  files: Fetcher | undefined,
  env: Env,
  next: Next,
): Promise<Response | undefined> {
  const type = types[/^[a-z]+\.([a-z]+)$/.exec(name)?.[1] ?? ''];
  if (files !== undefined && type !== undefined && hasDemo(request, env)) {
    const file = await files.fetch(new URL(`/${name}`, request.url));
    if (file.ok) {
      return servePageText(request, type, await file.text(), thisMachine);
    }
    await file.body?.cancel();
  }
  await next();
  return;
}
