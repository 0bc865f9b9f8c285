/**
 * The page at `/` and its files, all from this origin. The page needs no key and contains no secrets. Only in local
 * development, for requests from the same machine, does it contain the demo's key and token.
 */
import type { Call, Endpoint } from '../app/endpoint.ts';
import { isOwnRequest } from '../caller/own-request.ts';
import type { Env } from '../common/env.ts';
import { keysOf } from '../common/keys.ts';
import type { Sendable } from '../response/send.ts';
import { hasDemo } from './demo.ts';
import { type Credentials, type PageContent, pageScript, pageStyle, renderPage } from './page.ts';
import { page, pageText } from './serve-text.ts';

/** The endpoints of the page by their paths. Without Swagger UI's files, or with `REFERENCE=off`, there are none. */
export const referenceEndpoints: Record<string, Endpoint> = {
  '/': text('text/html', call => renderPage(contentFor(call))),
  '/reference/page.css': text('text/css', () => pageStyle),
  '/reference/page.js': text('text/javascript', () => pageScript),
  // Swagger UI's files, with the licences that must accompany them.
  '/reference/swagger-ui.css': file('text/css'),
  '/reference/swagger-ui-bundle.js': file('text/javascript'),
  '/reference/swagger-ui-bundle.js.LICENSE.txt': file('text/plain'),
  '/reference/LICENSE': file('text/plain'),
  '/reference/NOTICE': file('text/plain'),
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
  hasDemo: hasDemo(request, env),
});

const noCredentials: Credentials = { apikey: '', token: '' };

const demoOf = ({ LOCAL, PUBLISHABLE_KEY, DEMO_TOKEN }: Env): Credentials =>
  LOCAL === '1' && DEMO_TOKEN !== undefined
    ? { apikey: keysOf(PUBLISHABLE_KEY)[0] ?? '', token: DEMO_TOKEN }
    : noCredentials;
