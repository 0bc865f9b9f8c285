/**
 * Checks the URL of a webhook, when it is added and before each call. A name may still resolve to a private address: see
 * webhookNetwork in call-webhook.ts.
 */
import { fail, ok, type Result } from '../common/failure/result.ts';
import { deliveryLimits } from './delivery-limits.ts';
import { parseUrl } from './web-address.ts';

/** Top-level names for private networks: RFC 6761, 6762, 8375, ICANN. */
const privateNames = ['localhost', 'local', 'internal', 'arpa'];

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns the URL in its canonical spelling: https to a public name, port 443, no credentials, no fragment. `onLoopback` also
 * allows `http://127.0.0.1:<port>`. The failure is a reason that shows nothing of the URL.
 */
export function checkWebhookUrl(text: string, onLoopback: boolean): Result<string, string> {
  const url = text.length <= deliveryLimits.webhook.url ? parse(text) : undefined;
  if (url === undefined || url.href.length > deliveryLimits.webhook.url) {
    return fail(
      `it is not a URL of at most ${deliveryLimits.webhook.url} characters without spaces or backslashes`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    return fail('it has a user name or a password');
  }
  if (url.href.includes('#')) {
    return fail('it has a fragment');
  }
  if (onLoopback && isOnLoopback(url)) {
    return ok(url.href);
  }
  if (url.protocol !== 'https:') {
    return fail('it does not begin with https://');
  }
  if (url.port !== '') {
    return fail('its port is not 443');
  }
  return isPublicName(url.hostname) ? ok(url.href) : fail('its host is not a public name');
}

/** Whether a URL is `http://127.0.0.1:<port>`. */
export const isOnLoopback = ({ protocol, hostname, port }: URL): boolean =>
  protocol === 'http:' && hostname === '127.0.0.1' && port !== '';

/** Parses a URL. Refuses spaces, control characters and backslashes, which parsers drop or convert. */
const parse = (text: string): URL | undefined => (/[\s\p{C}\\]/u.test(text) ? undefined : parseUrl(text));

/** Whether a host is a public name. The parser has normalised IPv4 addresses to four numbers, and put IPv6 in brackets. */
function isPublicName(host: string): boolean {
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  return (
    labels.length > 1 &&
    host.length <= 253 &&
    labels.every(text => label.test(text)) &&
    !/^\d/.test(last) &&
    !privateNames.includes(last)
  );
}
