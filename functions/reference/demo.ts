/**
 * `/demo`, on a developer's machine alone: the life of a quote on one page, with supabase-js. `npm start` binds its files,
 * and tells it the tokens of the demo's users; without them there is no such page.
 */
import type { Call, Endpoint } from '../app/endpoint.ts';
import { isOwnRequest } from '../caller/own-request.ts';
import type { Env } from '../common/env.ts';
import { keysOf } from '../common/keys.ts';
import { jsonType, type ResponseData } from '../response/response-data.ts';
import { page, pageText } from './serve-text.ts';

/** `npm start` serves the demo's graphics at another port. */
const thisMachine = ' http://127.0.0.1:*';

const types: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

/** The endpoints of the page by their paths, for requests of the developer alone. */
export const demoEndpoints: Record<string, Endpoint> = {
  '/demo': page(call => readFile(call, 'index.html', call.env.DEMO)),
  '/demo/supabase.js': page(call => readFile(call, 'supabase.js', call.env.SUPABASE_JS)),
  '/demo/session.json': page(({ request, env }) =>
    hasDemo(request, env) ? pageText('application/json', sessionOf(env)) : undefined,
  ),
  // The page asks for these all the time.
  '/demo/inbox': { ...page(readDeliveries), logged: false },
  '/demo/webhooks': { ...page(readDeliveries), logged: false },
  '/demo/:file': page(call => readFile(call, fileOf(call.request), call.env.DEMO)),
};

const fileOf = ({ url }: Request): string => new URL(url).pathname.slice('/demo/'.length);

/** Says whether the page is there for this request. */
export const hasDemo = (request: Request, { LOCAL, DEMO, DEMO_TOKEN, DEMO_STAFF_TOKEN }: Env): boolean =>
  LOCAL === '1' && [DEMO, DEMO_TOKEN, DEMO_STAFF_TOKEN].every(Boolean) && isOwnRequest(request);

const sessionOf = ({ PUBLISHABLE_KEY, DEMO_TOKEN, DEMO_STAFF_TOKEN, DEMO_DELIVERIES }: Env): string =>
  JSON.stringify({
    apikey: keysOf(PUBLISHABLE_KEY)[0],
    customer: DEMO_TOKEN,
    staff: DEMO_STAFF_TOKEN,
    showsDeliveries: DEMO_DELIVERIES !== undefined,
  });

async function readDeliveries({ request, env }: Call): Promise<ResponseData | undefined> {
  if (env.DEMO_DELIVERIES === undefined || !hasDemo(request, env)) {
    return undefined;
  }
  const response = await env.DEMO_DELIVERIES.fetch(request.url);
  return { status: response.status, headers: jsonType, body: await response.text(), sameOrigin: true };
}

async function readFile(
  { request, env }: Call,
  name: string,
  files: Fetcher | undefined,
): Promise<ResponseData | undefined> {
  const type = types[/^[a-z]+\.([a-z]+)$/.exec(name)?.[1] ?? ''];
  if (files === undefined || type === undefined || !hasDemo(request, env)) {
    return undefined;
  }
  const file = await files.fetch(new URL(`/${name}`, request.url));
  if (file.ok) {
    return pageText(type, await file.text(), thisMachine);
  }
  await file.body?.cancel();
  return undefined;
}
