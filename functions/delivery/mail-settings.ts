/** How e-mail leaves: the worker's MAIL_URL, MAIL_FROM, MAIL_REPLY_TO and APP_URL, and its binding EMAIL. */
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { isAddress } from './address.ts';
import { type Relay, readRelay } from './relay.ts';
import { webAddressOf } from './web-address.ts';

export interface MailSettings {
  via: { is: 'smtp'; relay: Relay } | { is: 'binding'; binding: SendEmail };
  from: { name: string; address: string };
  replyTo?: string;
  /** What a link without a host is relative to. */
  appUrl?: string;
}

/**
 * Returns undefined when the worker sends no mail. When it is set to but can't, the failure is a sentence for the operator,
 * without any secret.
 */
export function readMailSettings(env: Env): Result<MailSettings | undefined, string> {
  const { MAIL_URL, MAIL_FROM, MAIL_REPLY_TO, APP_URL, SERVICE_URL, SECRET_KEY, EMAIL } = env;
  if (!MAIL_URL && !MAIL_FROM && !EMAIL) {
    return ok(undefined);
  }
  if (!MAIL_FROM) {
    return fail('MAIL_FROM is not set: Name <address>');
  }
  const from = readSender(MAIL_FROM);
  if (!from) {
    return fail('MAIL_FROM is not of the form Name <address>, with one address in ASCII');
  }
  if (!SERVICE_URL || !webAddressOf(SERVICE_URL)) {
    return fail('SERVICE_URL is not an address that begins with https:// or http://');
  }
  if (!SECRET_KEY) {
    return fail('SECRET_KEY is not set, which signs the links that stop mails');
  }
  if (MAIL_REPLY_TO && !isAddress(MAIL_REPLY_TO)) {
    return fail('MAIL_REPLY_TO is not one address in ASCII');
  }
  if (APP_URL && !webAddressOf(APP_URL)) {
    return fail('APP_URL is not an address that begins with https:// or http://');
  }
  const others = {
    from,
    ...(MAIL_REPLY_TO && { replyTo: MAIL_REPLY_TO }),
    ...(APP_URL && { appUrl: APP_URL }),
  };
  if (MAIL_URL) {
    const relay = readRelay(MAIL_URL);
    return relay.ok ? ok({ via: { is: 'smtp', relay: relay.value }, ...others }) : relay;
  }
  return EMAIL
    ? ok({ via: { is: 'binding', binding: EMAIL }, ...others })
    : fail('MAIL_FROM is set, but neither MAIL_URL nor the binding EMAIL');
}

/** `Name <address>`, the name in quotes or not, or the address alone. */
function readSender(text: string): MailSettings['from'] | undefined {
  const [, quoted, plain = '', inBrackets] = /^(?:"([^"]*)" *|([^"<>]*))<([^<>]*)>$/.exec(text.trim()) ?? [];
  const sender = { name: quoted ?? plain.trim(), address: inBrackets ?? text.trim() };
  const isName = sender.name.length <= limits.mail.senderName && !/[\p{Cc}\\]/u.test(sender.name);
  return isName && isAddress(sender.address) ? sender : undefined;
}
