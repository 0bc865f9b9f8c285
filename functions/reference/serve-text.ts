/** Endpoints of pages and of the texts that belong to them, for this origin alone. */
import { admitEveryone } from '../admission/admit.ts';
import type { Call, Endpoint } from '../app/endpoint.ts';
import { fail, ok } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { ResponseData } from '../response/response-data.ts';
import type { Sendable } from '../response/send.ts';

/** Makes the endpoint of a page or a file. Where `respond` returns nothing there is none, as anywhere else. */
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

/** Returns the response with a text. Pages of other origins must not read it: it may have the demo's credentials. */
export const pageText = (type: string, body: string, images = ''): ResponseData => ({
  status: 200,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policyOf(images),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  },
  body,
  sameOrigin: true,
});
