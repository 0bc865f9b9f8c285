/**
 * Serves the page at `/` and its files, all from this origin. The page needs no key and contains no secrets. Only in
 * local development, for requests from the same machine, does it contain the demo's key and token.
 */

import { isOwnRequest } from '../caller/own-request.ts';
import type { Env } from '../common/env.ts';
import { fail } from '../common/result.ts';
import { newRouter, type Router } from '../common/router.ts';
import type { Failure } from '../failure/failure.ts';
import { Trace } from '../log/log.ts';
import { send } from '../response/send.ts';
import { hasDemo } from './demo.ts';
import { type Credentials, type PageContent, pageScript, pageStyle, renderPage } from './page.ts';
import { servePageText } from './serve-text.ts';

/** Swagger UI's files by their paths, with the licences that must accompany them. */
const files: Record<string, string> = {
  '/reference/swagger-ui.css': 'text/css',
  '/reference/swagger-ui-bundle.js': 'text/javascript',
  '/reference/swagger-ui-bundle.js.LICENSE.txt': 'text/plain',
  '/reference/LICENSE': 'text/plain',
  '/reference/NOTICE': 'text/plain',
};

/** The page, its style and its script. */
const texts: Record<string, [type: string, text: (request: Request, env: Env) => string]> = {
  '/': ['text/html', (request, env) => renderPage(contentFor(request, env))],
  '/reference/page.css': ['text/css', () => pageStyle],
  '/reference/page.js': ['text/javascript', () => pageScript],
};

/** Makes the routes of the page. Without Swagger UI's files, or with `REFERENCE=off`, they fall through to 404. */
export function servePage(): Router {
  const app = newRouter();
  for (const [path, [type, text]] of Object.entries(texts)) {
    app.get(path, ({ req, env }, next) =>
      assetsOf(env) ? servePageText(req.raw, type, text(req.raw, env)) : next(),
    );
  }
  for (const [path, type] of Object.entries(files)) {
    app.get(path, ({ req, env }, next) => {
      const assets = assetsOf(env);
      return assets ? serveFile(req.raw, assets, path.replace('/reference', ''), type) : next();
    });
  }
  return app;
}

const assetsOf = ({ ASSETS, REFERENCE }: Env): Fetcher | undefined =>
  REFERENCE === 'off' ? undefined : ASSETS;

const contentFor = (request: Request, env: Env): PageContent => ({
  ...(isOwnRequest(request) ? demoOf(env) : noCredentials),
  hasDemo: hasDemo(request, env),
});

const noCredentials: Credentials = { apikey: '', token: '' };

const demoOf = ({ LOCAL, PUBLISHABLE_KEY, DEMO_TOKEN }: Env): Credentials =>
  LOCAL === '1' && DEMO_TOKEN !== undefined
    ? { apikey: PUBLISHABLE_KEY ?? '', token: DEMO_TOKEN }
    : noCredentials;

async function serveFile(request: Request, assets: Fetcher, path: string, type: string): Promise<Response> {
  const { ok: exists, body } = await assets.fetch(new URL(path, request.url));
  if (!exists) {
    await body?.cancel();
    return new Trace(request).finish(fail<Failure>({ is: 'unknown path' }));
  }
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=86400' };
  return send(request, { status: 200, headers, body });
}
