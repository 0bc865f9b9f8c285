/**
 * A notification as a message of RFC 5322: its text, plain and as HTML, and headers by which a mail program knows that nobody
 * wrote it, that it may have come before, and how to stop it.
 */
import MimeNode from 'nodemailer/lib/mime-node';
import { domainOf } from '../../schema/email-address.ts';
import { escapeHtml } from '../common/text.ts';
import { deliveryLimits } from './limits.ts';
import type { MailSettings } from './mail-settings.ts';
import { webAddressOf } from './web-address.ts';

/** A message that goes to somebody by e-mail. */
export interface Mail {
  /** Identifies it in its Message-ID, the same at each attempt. */
  message: string;
  to: string;
  body: string;
  /** Relative to the application, or absolute. */
  link: string | null;
  /** The absolute address where the account stops its mails; undefined for a mail to the staff. */
  unsubscribe: string | undefined;
}

/** Returns the message's bytes, in ASCII and lines that SMTP takes. Its Message-ID is the same at each attempt. */
export function compose(mail: Mail, { from, replyTo, appUrl, via }: MailSettings): Promise<Uint8Array> {
  const key = mail.message.replace(/[^\w-]/g, '');
  const body = mail.body.replace(/\r\n?/g, '\n').trim();
  const link = mail.link ? webAddressOf(mail.link, appUrl) : undefined;
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
    'Message-ID': `<${key}@${domainOf(from.address)}>`,
    'Auto-Submitted': 'auto-generated',
    ...(mail.unsubscribe !== undefined && {
      'List-Unsubscribe': { prepared: true, value: `<${new URL(mail.unsubscribe).href}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
    ...(via.is === 'smtp' && isResend(via.relay.host) && { 'Resend-Idempotency-Key': key }),
  });
  root.createChild('text/plain').setContent(link ? `${body}\n\n${link}\n` : `${body}\n`);
  root.createChild('text/html').setContent(htmlOf(body, link));
  return root.build();
}

/** Only Resend reads its header, and Cloudflare refuses a message with a header that it doesn't know. */
const isResend = (host: string): boolean => /(?:^|\.)resend\.com$/i.test(host);

/** Returns the first line of a text that has any, without control characters and what a mail program would decode. */
export function subjectOf(body: string): string {
  const lines = body.split(/[\n\v\f\r\u0085\u2028\u2029]/).map(line => line.replace(/\p{Cc}+/gu, ' ').trim());
  const first = lines.find(line => line !== '') ?? '';
  const characters = [...first.replaceAll('=?', '= ?')];
  const { subject } = deliveryLimits.mail;
  return characters.length > subject ? `${characters.slice(0, subject - 1).join('')}…` : characters.join('');
}

function htmlOf(body: string, link: string | undefined): string {
  const paragraphs = body.split(/\n{2,}/).map(text => escapeHtml(text).replaceAll('\n', '<br>\n'));
  const anchor = link && `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`;
  const all = [...paragraphs, ...(anchor ? [anchor] : [])].map(text => `<p dir="auto">${text}</p>\n`);
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n${all.join('')}</body></html>\n`;
}
