/** Where a request comes from: a browser, this machine, or the developer at it. */
import { loopbackNames } from '../common/loopback-names.ts';

/** Whether a request was sent to one of this machine's own names. */
export const isToLoopback = ({ headers }: Request): boolean =>
  loopbackNames.includes((headers.get('host') ?? '').toLowerCase().replace(/:\d+$/, ''));

/**
 * Whether a request on a developer's machine comes from the developer. A page of another origin can send requests here
 * too. With DNS rebinding it even has the same origin, but then the Host is not a name of this machine.
 */
export function isOwnRequest(request: Request): boolean {
  const { headers } = request;
  const host = headers.get('host');
  const origin = headers.get('origin');
  return (
    isToLoopback(request) &&
    // Only browsers send this header.
    ['same-origin', 'none', null].includes(headers.get('sec-fetch-site')) &&
    (origin === null || origin === `http://${host}` || origin === `https://${host}`)
  );
}

/**
 * Whether a browser sends the request. It adds headers that a page can't remove: Sec-Fetch-Site over https, or Origin in
 * older browsers. Origin alone proves nothing, nor does a user agent of Mozilla, since servers may send either; Node's
 * fetch sends Sec-Fetch-Mode.
 */
export const isFromBrowser = (headers: Headers): boolean =>
  headers.has('sec-fetch-site') ||
  (headers.has('origin') && headers.get('user-agent')?.startsWith('Mozilla/') === true);
