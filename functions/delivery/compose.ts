/**
 * Composes a notification as an e-mail (RFC 5322): plain text and HTML, and headers that mark it as automatic, identify
 * duplicates, and let the recipient unsubscribe.
 */
import MimeNode from 'nodemailer/lib/mime-node';
import { domainOf } from '../../schema/email-address.ts';
import { escapeHtml } from '../common/text.ts';
import { deliveryLimits } from './delivery-limits.ts';
import type { MailSettings } from './mail-settings.ts';
import { linkWithin } from './web-address.ts';

/** A message to send by e-mail. */
export interface Mail {
  /** The first part of its Message-ID, a UUID that is the same at each attempt. */
  messageId: string;
  to: string;
  greeting: string | null;
  /** Its first line is the subject. */
  body: string;
  /** Relative to the application, or absolute. */
  link: string | null;
  /** The language of the text: a tag of BCP 47, in any case and with `-` or `_`. */
  language: string;
  /** The absolute unsubscribe URL; undefined for a mail to staff. */
  unsubscribe: string | undefined;
  /** What follows the body: lines with `{offer_url}`, and its URL. */
  offer?: { line: string; url: string } | undefined;
}

/** Where a text has the URL of an offer. */
const offerPlaceholder = '{offer_url}';

/** Returns the message's bytes: ASCII, in lines short enough for SMTP. */
export function compose(mail: Mail, { from, replyTo, appUrl, via }: MailSettings): Promise<Uint8Array> {
  const body = mail.body.replace(/\r\n?/g, '\n').trim();
  const { line = '', url = '' } = mail.offer ?? {};
  const text = [mail.greeting?.trim(), body, line.replaceAll(offerPlaceholder, () => url)]
    .filter(Boolean)
    .join('\n\n');
  const link = mail.link ? linkWithin(mail.link, appUrl) : undefined;
  const root = new MimeNode('multipart/alternative', {
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  root.setHeader({
    From: from,
    To: { address: mail.to },
    ...(replyTo && { 'Reply-To': { address: replyTo } }),
    Subject: subjectOf(body),
    'Message-ID': `<${mail.messageId}@${domainOf(from.address)}>`,
    'Auto-Submitted': 'auto-generated',
    ...(mail.unsubscribe !== undefined && {
      'List-Unsubscribe': { prepared: true, value: `<${new URL(mail.unsubscribe).href}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
    ...(via.is === 'smtp' && isResend(via.relay.host) && { 'Resend-Idempotency-Key': mail.messageId }),
  });
  root.createChild('text/plain; charset=utf-8').setContent(link ? `${text}\n\n${link}\n` : `${text}\n`);
  root.createChild('text/html; charset=utf-8').setContent(htmlOf(text, [url, link], mail.language));
  return root.build();
}

/** Whether the relay is Resend's, which has its own idempotency header. Cloudflare refuses messages with unknown headers. */
const isResend = (host: string): boolean => /(?:^|\.)resend\.com$/i.test(host);

/** Returns the first non-empty line of a text, without control characters and encoded words that a mail program would decode. */
export function subjectOf(body: string): string {
  const lines = body.split(/[\n\v\f\r\u0085\u2028\u2029]/).map(line => line.replace(/\p{Cc}+/gu, ' ').trim());
  const first = lines.find(line => line !== '') ?? '';
  const characters = [...first.replaceAll('=?', '= ?')];
  const { subject } = deliveryLimits.mail;
  return characters.length > subject ? `${characters.slice(0, subject - 1).join('')}…` : characters.join('');
}

/** Returns the attributes of a language: `de_at` is de-AT. A text that is no tag of BCP 47 has none. */
function attributesOf(language: string): string {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(
      (language.split(/[.@]/)[0] ?? '').trim().replaceAll('_', '-'),
    );
    return ` lang="${tag}"${/^(?:ar|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(tag) ? ' dir="rtl"' : ''}`;
  } catch {
    return '';
  }
}

/** Returns the text as HTML. `offer`, a URL within it, and `link`, which follows it, are links. */
function htmlOf(
  text: string,
  [offer, link]: [offer: string, link: string | undefined],
  language: string,
): string {
  const anchor = (url: string) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
  const paragraphs = text.split(/\n{2,}/).map(paragraph => {
    const html = escapeHtml(paragraph).replaceAll('\n', '<br>\n');
    return offer ? html.replaceAll(escapeHtml(offer), () => anchor(offer)) : html;
  });
  const all = [...paragraphs, ...(link ? [anchor(link)] : [])].map(html => `<p dir="auto">${html}</p>\n`);
  return `<!doctype html>\n<html${attributesOf(language)}><head><meta charset="utf-8"></head><body>\n${all.join('')}</body></html>\n`;
}
