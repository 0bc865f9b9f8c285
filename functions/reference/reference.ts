/**
 * The page at `/` with its files, all from this origin. The page needs no key and contains no secrets. Only in local
 * development, for requests from the same machine, does it contain the demo's key and token.
 */
import { admitEveryone } from '../caller/admit.ts';
import { isOwnRequest } from '../caller/origin.ts';
import { type Env, keysOf } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok } from '../common/failure/result.ts';
import type { Call, Endpoint } from '../rest/endpoint.ts';
import type { ResponseData } from '../rest/response/response-data.ts';
import type { Sendable } from '../rest/response/send.ts';
import {
  type Credentials,
  favicon,
  type PageContent,
  pageScript,
  pageStyle,
  renderPage,
  swaggerFiles,
} from './page.ts';

/** Returns the endpoint of a page or a file. If `respond` returns undefined, the response is a 404. */
export const page = (
  respond: (call: Call) => Sendable | undefined | Promise<Sendable | undefined>,
): Endpoint => ({
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
export const pageText = (type: string, body: string, others = ''): ResponseData => ({
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

/** Whether this request gets the demo. */
export const hasDemo = (request: Request, { LOCAL, DEMO, DEMO_TOKEN, DEMO_STAFF_TOKEN }: Env): boolean =>
  LOCAL === '1' && [DEMO, DEMO_TOKEN, DEMO_STAFF_TOKEN].every(Boolean) && isOwnRequest(request);

/** Whether a developer who asks for the demo is told where it is. */
export const missesDemo = (request: Request, { LOCAL }: Env): boolean =>
  LOCAL === '1' && isOwnRequest(request);
