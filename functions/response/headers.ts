/** What every answer carries, whatever it is: errors, preflights, /health and the reference's files too. */

/** What a page of another origin may read of them. */
const exposed = [
  'Content-Range',
  'Content-Location',
  'Location',
  'ETag',
  'Link',
  'Preference-Applied',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
];

const everywhere = {
  'cache-control': 'private, no-store',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed.join(', '),
  'x-content-type-options': 'nosniff',
};

/** A year. Of this host alone: what else is below its name is not this service's to say. */
const overHttps = { ...everywhere, 'strict-transport-security': 'max-age=31536000' };

/** Strict-Transport-Security only over https, since over http it means nothing (RFC 6797, section 7.2). */
export const commonHeaders = ({ url }: Request): Record<string, string> =>
  url.startsWith('https:') ? overHttps : everywhere;
