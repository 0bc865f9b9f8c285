/** Detects requests of browsers, of this machine, and of the developer at it. */
import { loopbackNames } from '../common/loopback-names.ts';

/** Whether the Host of a request is one of this machine's own names. */
export const isToLoopback = ({ headers }: Request): boolean => isOwnName(headers.get('host') ?? '');

const isOwnName = (host: string): boolean =>
  loopbackNames.includes(host.trim().toLowerCase().replace(/:\d+$/, ''));

/**
 * Whether a request on a developer's machine comes from the developer, and not from a page of another origin. With DNS
 * rebinding such a page has the same origin, but then the Host is not a name of this machine. A tunnel that publishes the
 * port may set Host to such a name, and then names its own in X-Forwarded-Host.
 */
export function isOwnRequest(request: Request): boolean {
  const { headers } = request;
  const host = headers.get('host');
  const origin = headers.get('origin');
  return (
    isToLoopback(request) &&
    (headers.get('x-forwarded-host')?.split(',').every(isOwnName) ?? true) &&
    // Only browsers send this header.
    ['same-origin', 'none', null].includes(headers.get('sec-fetch-site')) &&
    (origin === null || origin === `http://${host}` || origin === `https://${host}`)
  );
}

/**
 * Whether a browser sends the request. Browsers add headers that a page can't remove: Sec-Fetch-Site over https, or Origin
 * in older browsers. Servers may send Origin, a Mozilla user agent, or Sec-Fetch-Mode (Node's fetch), so none of these alone
 * is proof.
 */
export const isFromBrowser = (headers: Headers): boolean =>
  headers.has('sec-fetch-site') ||
  (headers.has('origin') && headers.get('user-agent')?.startsWith('Mozilla/') === true);
