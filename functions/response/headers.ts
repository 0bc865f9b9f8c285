/** The headers of every response, including errors, preflights, /health and the files of the reference page. */
import type { ResponseData } from './response-data.ts';

/** The headers that a page of another origin may read. */
const exposed = [
  'Content-Range',
  'Content-Location',
  'Location',
  'ETag',
  'Link',
  'Preference-Applied',
  'Proxy-Status',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
];

const everywhere = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
};

const forEveryOrigin = {
  ...everywhere,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(', '),
};

/** One year, without includeSubDomains: this service doesn't decide for other hosts below its name. */
const overHttps = { 'strict-transport-security': 'max-age=31536000' };

/** Returns the headers of every response. Browsers ignore Strict-Transport-Security over http (RFC 6797, section 7.2). */
export const commonHeaders = (
  { url }: Request,
  { sameOrigin }: Pick<ResponseData, 'sameOrigin'>,
): Record<string, string> => ({
  ...(sameOrigin ? everywhere : forEveryOrigin),
  ...(url.startsWith('https:') && overHttps),
});
