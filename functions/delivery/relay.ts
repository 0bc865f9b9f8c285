/** The server that takes our mail for others. */
import { loopbackNames } from '../common/loopback-names.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { parseUrl } from './web-address.ts';

export interface Relay {
  /** A name, or an IP address without brackets. */
  host: string;
  port: number;
  /** TLS from the first byte, TLS after STARTTLS, or none, which only this machine's own relay may have. */
  tls: 'implicit' | 'starttls' | 'none';
  credentials?: { user: string; password: string };
}

const submissionPorts: Record<string, number> = { 'smtps:': 465, 'smtp:': 587 };
const form = 'smtps://user:password@host:465 or smtp://user:password@host:587';

/** Reads MAIL_URL. The failure is a sentence for the operator, without any secret. */
export function readRelay(text: string): Result<Relay, string> {
  const url = parseUrl(text);
  const usualPort = submissionPorts[url?.protocol ?? ''];
  if (!url || usualPort === undefined || !/^(?:[a-z\d.-]+|\[[a-f\d:]+\])$/i.test(url.hostname)) {
    return fail(`MAIL_URL is not of the form ${form}`);
  }
  if (/[^/]/.test(url.pathname) || url.search !== '' || url.hash !== '') {
    return fail(`MAIL_URL has something behind the host and its port: ${form} is all of it`);
  }
  const port = url.port === '' ? usualPort : Number(url.port);
  if (port === 25) {
    return fail(
      'MAIL_URL names port 25, which Cloudflare lets no worker reach: relays listen at 465, 587 or 2525',
    );
  }
  const credentials = readCredentials(url);
  if (credentials === 'malformed') {
    return fail('MAIL_URL needs a user and a password, percent-encoded, or neither');
  }
  const implicit = url.protocol === 'smtps:' || port === submissionPorts['smtps:'];
  const isLocal = loopbackNames.includes(url.hostname);
  return ok({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    tls: implicit ? 'implicit' : isLocal ? 'none' : 'starttls',
    ...(credentials && { credentials }),
  });
}

function readCredentials({ username, password }: URL): Relay['credentials'] | 'malformed' {
  if (username === '' && password === '') {
    return undefined;
  }
  try {
    const credentials = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    // AUTH separates the two by NUL.
    const isWhole = Object.values(credentials).every(part => part !== '' && !/[\0\r\n]/.test(part));
    return isWhole ? credentials : 'malformed';
  } catch {
    return 'malformed';
  }
}
