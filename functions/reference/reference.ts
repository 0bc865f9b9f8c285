/**
 * The page at `/` with its files, and the demo at `/demo`, all from this origin. The page needs no key and contains no
 * secrets. Only in local development, for requests from the same machine, does it contain the demo's key and token.
 */
import { admitEveryone } from '../admission/admit.ts';
import { isOwnRequest } from '../caller/origin.ts';
import { type Env, keysOf } from '../common/env.ts';
import type { Call, Endpoint } from '../endpoint/endpoint.ts';
import type { Failure } from '../failure/failure.ts';
import { fail, ok } from '../failure/result.ts';
import { jsonType, type ResponseData } from '../response/response-data.ts';
import type { Sendable } from '../response/send.ts';
import {
  type Credentials,
  favicon,
  type PageContent,
  pageScript,
  pageStyle,
  renderMissingDemo,
  renderPage,
  swaggerFiles,
} from './page.ts';

/** Returns the endpoint of a page or a file. If `respond` returns undefined, the response is a 404. */
const page = (respond: (call: Call) => Sendable | undefined | Promise<Sendable | undefined>): Endpoint => ({
  methods: 'GET,HEAD',
  admit: admitEveryone,
  respond: async call => {
    const response = await respond(call);
    return response ? ok(response) : fail<Failure>({ is: 'unknown path' });
  },
});

/**
 * Returns the policy of a page: scripts, styles and requests are limited to this origin. Images may be data URLs, since
 * Swagger UI's icons are in its CSS. `others` are further origins of images and requests.
 */
const policyOf = (others: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${others}`,
    `connect-src 'self'${others}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Returns a response with a text. Pages of other origins must not read it, since it may contain the demo's credentials. */
const pageText = (type: string, body: string, others = ''): ResponseData => ({
  status: 200,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policyOf(others),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  },
  body,
  sameOrigin: true,
});

/** The endpoints of the page by their paths. Without Swagger UI's files, or with `REFERENCE=off`, there are none. */
export const referenceEndpoints: Record<string, Endpoint> = {
  '/': text('text/html', call => renderPage(contentFor(call))),
  '/reference/favicon.svg': { ...text('image/svg+xml', () => favicon), logged: false },
  '/reference/page.css': text('text/css', () => pageStyle),
  '/reference/page.js': text('text/javascript', () => pageScript),
  ...Object.fromEntries(
    Object.entries(swaggerFiles).map(([name, type]) => [`/reference/${name}`, file(type)]),
  ),
};

function text(type: string, content: (call: Call) => string): Endpoint {
  return page(call => (assetsOf(call.env) ? pageText(type, content(call)) : undefined));
}

function file(type: string): Endpoint {
  return { ...page(call => readFile(call, type)), logged: false };
}

async function readFile({ request, env }: Call, type: string): Promise<Sendable | undefined> {
  const path = new URL(request.url).pathname.replace('/reference', '');
  const found = await assetsOf(env)?.fetch(new URL(path, request.url));
  if (found?.ok) {
    const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=86400' };
    return { status: 200, headers, body: found.body };
  }
  await found?.body?.cancel();
  return undefined;
}

const assetsOf = ({ ASSETS, REFERENCE }: Env): Fetcher | undefined =>
  REFERENCE === 'off' ? undefined : ASSETS;

const contentFor = ({ request, env }: Call): PageContent => ({
  ...(isOwnRequest(request) ? demoOf(env) : noCredentials),
  demo: hasDemo(request, env) ? 'served' : missesDemo(request, env) ? 'missing' : 'none',
});

const noCredentials: Credentials = { apikey: '', token: '' };

const demoOf = ({ LOCAL, PUBLISHABLE_KEY, DEMO_TOKEN }: Env): Credentials =>
  LOCAL === '1' && DEMO_TOKEN !== undefined
    ? { apikey: keysOf(PUBLISHABLE_KEY)[0] ?? '', token: DEMO_TOKEN }
    : noCredentials;

/** The origin of the demo's graphics: `npm start` serves them on another port. */
const thisMachine = ' http://127.0.0.1:*';

const types: Record<string, string> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  map: 'application/json',
};

/**
 * The endpoints of `/demo` by their paths: a small application of this service. They serve only the developer. `npm start`
 * bundles and binds the files, and sets the tokens of the demo's users; without them there is no such page.
 */
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

/** Whether this request gets the demo. */
const hasDemo = (request: Request, { LOCAL, DEMO, DEMO_TOKEN, DEMO_STAFF_TOKEN }: Env): boolean =>
  LOCAL === '1' && [DEMO, DEMO_TOKEN, DEMO_STAFF_TOKEN].every(Boolean) && isOwnRequest(request);

/** Whether a developer who asks for the demo is told where it is. */
const missesDemo = (request: Request, { LOCAL }: Env): boolean => LOCAL === '1' && isOwnRequest(request);

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
