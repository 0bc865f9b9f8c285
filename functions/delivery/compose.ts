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
}

/** Returns the message's bytes: ASCII, in lines short enough for SMTP. */
export function compose(mail: Mail, { from, replyTo, appUrl, via }: MailSettings): Promise<Uint8Array> {
  const body = mail.body.replace(/\r\n?/g, '\n').trim();
  const text = [mail.greeting?.trim(), body].filter(Boolean).join('\n\n');
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
  root.createChild('text/html; charset=utf-8').setContent(htmlOf(text, link, mail.language));
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

function htmlOf(body: string, link: string | undefined, language: string): string {
  const paragraphs = body.split(/\n{2,}/).map(text => escapeHtml(text).replaceAll('\n', '<br>\n'));
  const anchor = link && `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`;
  const all = [...paragraphs, ...(anchor ? [anchor] : [])].map(text => `<p dir="auto">${text}</p>\n`);
  return `<!doctype html>\n<html${attributesOf(language)}><head><meta charset="utf-8"></head><body>\n${all.join('')}</body></html>\n`;
}
