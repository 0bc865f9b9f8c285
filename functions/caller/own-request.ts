import { loopbackNames } from '../common/loopback-names.ts';

/**
 * Whether a request on a developer's machine is the developer's own. A page of another origin can send requests here
 * too, and one whose name was made to lead here (DNS rebinding) is even of this origin, but its name is not this
 * machine's.
 */
export function isOwnRequest({ headers }: Request): boolean {
  const host = headers.get('host') ?? '';
  const origin = headers.get('origin');
  return (
    loopbackNames.includes(host.toLowerCase().replace(/:\d+$/, '')) &&
    // What a browser says; other clients don't.
    ['same-origin', 'none', null].includes(headers.get('sec-fetch-site')) &&
    (origin === null || origin === `http://${host}` || origin === `https://${host}`)
  );
}
