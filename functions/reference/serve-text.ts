/** Serves a page, or a text that belongs to it, for this origin alone. */
import { ok } from '../common/result.ts';
import { Trace } from '../log/log.ts';

/**
 * Returns the policy of a page: scripts, styles and requests are limited to this origin. Images may be data URLs: Swagger
 * UI's icons are in its CSS. `images` are further origins that they may come from.
 */
const policyOf = (images: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export async function servePageText(
  request: Request,
  type: string,
  body: string,
  images = '',
): Promise<Response> {
  const response = await new Trace(request).finish(
    ok({
      status: 200,
      headers: {
        'content-type': `${type}; charset=utf-8`,
        'content-security-policy': policyOf(images),
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      },
      body,
    }),
  );
  return forThisOrigin(response);
}

/** Pages of other origins must not read the demo's credentials. */
export function forThisOrigin(response: Response): Response {
  response.headers.delete('access-control-allow-origin');
  response.headers.delete('access-control-expose-headers');
  return response;
}
