/**
 * Which URLs a webhook may have. It is asked when one is added and before each call, of the URL as it is parsed there. A
 * name may still lead to a private address: webhook-network.ts has the rest.
 */
import { fail, ok, type Result } from '../common/result.ts';
import { deliveryLimits } from './limits.ts';

/** Names of the last label that lead into a private network wherever they are resolved: RFC 6761, 6762, 8375, ICANN. */
const privateNames = ['localhost', 'local', 'internal', 'arpa'];

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns the URL in its only spelling, which is the one to call: https to a name, port 443, without credentials or a
 * fragment. `onLoopback` also allows `http://127.0.0.1:<port>`. The failure says what is wrong and shows nothing of the URL.
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

/** Parsers drop or turn blanks, control characters and backslashes; a URL with them is a mistake, or a trick. */
function parse(text: string): URL | undefined {
  try {
    return /[\s\p{C}\\]/u.test(text) ? undefined : new URL(text);
  } catch {
    return undefined;
  }
}

/** The parser has brought each spelling of an IPv4 address into the form of four numbers, and IPv6 into brackets. */
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
