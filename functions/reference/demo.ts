/**
 * The demo at `/demo`: a small application of this service, only for the developer. `npm start` bundles and binds its files, and
 * sets the tokens of its users; without them there is no such page.
 */
import { type Env, keysOf } from '../common/env.ts';
import type { Call, Endpoint } from '../rest/endpoint.ts';
import { jsonType, type ResponseData } from '../rest/response/response-data.ts';
import { renderMissingDemo } from './page.ts';
import { hasDemo, missesDemo, page, pageText } from './reference.ts';

/** The origin of the demo's graphics: `npm start` serves them on another port. */
const thisMachine = ' http://127.0.0.1:*';

const types: Record<string, string> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  map: 'application/json',
};

/** The endpoints by their paths. */
export const demoEndpoints: Record<string, Endpoint> = {
  '/demo': page(async call => (await readDemoFile(call, 'index.html')) ?? missingDemo(call)),
  '/demo/session.json': page(({ request, env }) =>
    hasDemo(request, env) ? pageText('application/json', sessionOf(env)) : undefined,
  ),
  // The page polls it.
  '/demo/inbox': { ...page(readInbox), logged: false },
  '/demo/:file': { ...page(call => readDemoFile(call, fileOf(call.request))), logged: false },
};

const fileOf = ({ url }: Request): string => new URL(url).pathname.slice('/demo/'.length);

const missingDemo = ({ request, env }: Call): ResponseData | undefined =>
  missesDemo(request, env) ? { ...pageText('text/html', renderMissingDemo()), status: 404 } : undefined;

const sessionOf = ({ PUBLISHABLE_KEY, DEMO_TOKEN, DEMO_STAFF_TOKEN, DEMO_DELIVERIES }: Env): string =>
  JSON.stringify({
    apikey: keysOf(PUBLISHABLE_KEY)[0],
    customer: DEMO_TOKEN,
    staff: DEMO_STAFF_TOKEN,
    showsDeliveries: DEMO_DELIVERIES !== undefined,
  });

async function readInbox({ request, env }: Call): Promise<ResponseData | undefined> {
  if (env.DEMO_DELIVERIES === undefined || !hasDemo(request, env)) {
    return undefined;
  }
  const response = await env.DEMO_DELIVERIES.fetch(request.url);
  return { status: response.status, headers: jsonType, body: await response.text(), sameOrigin: true };
}

/** Reads a file of the demo. workerd compresses it. Names with a hash are of files that never change. */
async function readDemoFile({ request, env }: Call, name: string): Promise<ResponseData | undefined> {
  const [, hash, extension = ''] = /^[a-z]+(-[A-Z0-9]{8})?\.(?:js\.|css\.)?([a-z]+)$/.exec(name) ?? [];
  const type = types[extension];
  if (env.DEMO === undefined || type === undefined || !hasDemo(request, env)) {
    return undefined;
  }
  const file = await env.DEMO.fetch(new URL(`/${name}`, request.url));
  if (!file.ok) {
    await file.body?.cancel();
    return undefined;
  }
  const response = pageText(type, await file.text(), thisMachine);
  const isCompressed = request.headers.get('accept-encoding')?.includes('gzip') === true;
  return {
    ...response,
    headers: {
      ...response.headers,
      ...(isCompressed && { 'content-encoding': 'gzip' }),
      ...(hash && { 'cache-control': 'private, max-age=31536000, immutable' }),
      vary: 'accept-encoding',
    },
  };
}
