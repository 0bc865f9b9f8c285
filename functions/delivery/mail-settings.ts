/** Reads the settings of e-mail: MAIL_URL, MAIL_FROM, MAIL_REPLY_TO, STAFF_EMAIL and APP_URL, and the binding EMAIL. */
import { mailableAddress } from '../../schema/email-address.ts';
import type { Env } from '../common/env.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { loopbackNames } from '../common/loopback-names.ts';
import { deliveryLimits } from './delivery-limits.ts';
import { parseUrl, webAddressOf } from './web-address.ts';

/** The SMTP server that relays our mail. */
export interface Relay {
  /** A name, or an IP address without brackets. */
  host: string;
  port: number;
  /** TLS from the first byte, TLS after STARTTLS, or no TLS, which is only allowed for a relay on this machine. */
  tls: 'implicit' | 'starttls' | 'none';
  credentials?: { user: string; password: string };
}

export interface MailSettings {
  via: { is: 'smtp'; relay: Relay } | { is: 'binding'; binding: SendEmail };
  from: { name: string; address: string };
  replyTo?: string;
  /** The base URL of relative links. */
  appUrl?: string;
  /** The address for messages to staff. */
  staff?: string;
}

/**
 * Reads the settings. Undefined when the worker sends no mail. The failure is a sentence for the operator, without secrets.
 */
export function readMailSettings(env: Env): Result<MailSettings | undefined, string> {
  const { MAIL_URL, MAIL_FROM, MAIL_REPLY_TO, STAFF_EMAIL, APP_URL, SERVICE_URL, SECRET_KEY, EMAIL } = env;
  if (!MAIL_URL && !MAIL_FROM && !EMAIL) {
    return ok(undefined);
  }
  if (!MAIL_FROM) {
    return fail('MAIL_FROM is not set. Its form is Name <address>');
  }
  const from = readSender(MAIL_FROM);
  if (!from) {
    return fail('MAIL_FROM is not of the form Name <address>, with one address in ASCII');
  }
  if (!SERVICE_URL || !webAddressOf(SERVICE_URL)) {
    return fail('SERVICE_URL is not an address that begins with https:// or http://');
  }
  if (!SECRET_KEY) {
    return fail('SECRET_KEY, which signs unsubscribe links, is not set');
  }
  if (MAIL_REPLY_TO && !isAddress(MAIL_REPLY_TO)) {
    return fail('MAIL_REPLY_TO is not one address in ASCII');
  }
  if (STAFF_EMAIL && !isAddress(STAFF_EMAIL)) {
    return fail('STAFF_EMAIL is not one address in ASCII');
  }
  if (APP_URL && !webAddressOf(APP_URL)) {
    return fail('APP_URL is not an address that begins with https:// or http://');
  }
  const others = {
    from,
    ...(MAIL_REPLY_TO && { replyTo: MAIL_REPLY_TO }),
    ...(APP_URL && { appUrl: APP_URL }),
    ...(STAFF_EMAIL && { staff: STAFF_EMAIL }),
  };
  if (MAIL_URL) {
    const relay = readRelay(MAIL_URL);
    return relay.ok ? ok({ via: { is: 'smtp', relay: relay.value }, ...others }) : relay;
  }
  return EMAIL
    ? ok({ via: { is: 'binding', binding: EMAIL }, ...others })
    : fail('MAIL_FROM is set, but neither MAIL_URL nor the binding EMAIL');
}

/** Whether a text is one address that needs no conversion. */
const isAddress = (text: string): boolean => mailableAddress(text) === text;

/** Reads `Name <address>`, with or without quotes around the name, or just an address. */
function readSender(text: string): MailSettings['from'] | undefined {
  const [, quoted, plain = '', inBrackets] = /^(?:"([^"]*)" *|([^"<>]*))<([^<>]*)>$/.exec(text.trim()) ?? [];
  const sender = { name: quoted ?? plain.trim(), address: inBrackets ?? text.trim() };
  const isName = sender.name.length <= deliveryLimits.mail.senderName && !/[\p{Cc}\\]/u.test(sender.name);
  return isName && isAddress(sender.address) ? sender : undefined;
}

const submissionPorts: Record<string, number> = { 'smtps:': 465, 'smtp:': 587 };
const form =
  'smtps://user:password@host:465 or smtp://user:password@host:587, where # in a password is written %23, / %2F, ? %3F and @ %40';

/** Reads MAIL_URL. The failure is a sentence for the operator, without secrets. */
export function readRelay(text: string): Result<Relay, string> {
  const url = parseUrl(text);
  const usualPort = submissionPorts[url?.protocol ?? ''];
  if (!url || usualPort === undefined || !/^(?:[a-z\d.-]+|\[[a-f\d:]+\])$/i.test(url.hostname)) {
    return fail(`MAIL_URL is not of the form ${form}`);
  }
  if (/[^/]/.test(url.pathname) || url.search !== '' || url.hash !== '') {
    return fail(`MAIL_URL must end after the host and its port: ${form}`);
  }
  const port = url.port === '' ? usualPort : Number(url.port);
  if (port === 25) {
    return fail('MAIL_URL names port 25, which Cloudflare blocks. Use 465, 587 or 2525');
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
