/**
 * Mails by the binding `send_email`. Miniflare's looks at no more than the form of a message, so that what Cloudflare refuses
 * is thrown here, as its documentation has it.
 */
import { expect, it } from 'vitest';
import { newMail, useMailer } from './mailer.ts';

const mailer = useMailer({ email: { send_email: [{ name: 'EMAIL' }] } });

it('the binding sends a mail', async () => {
  expect(await mailer.sendByBinding(newMail({ body: 'ü'.repeat(5000) }))).toEqual({ is: 'sent' });
});

it.each([
  ['E_RECIPIENT_SUPPRESSED', 'refused'],
  ['E_RECIPIENT_NOT_ALLOWED', 'refused'],
  ['E_RATE_LIMIT_EXCEEDED', 'unavailable'],
  ['E_DAILY_LIMIT_EXCEEDED', 'unavailable'],
  ['E_SENDER_DOMAIN_NOT_AVAILABLE', 'unavailable'],
  ['E_CONTENT_TOO_LARGE', 'dead'],
  ['E_DELIVERY_FAILED', 'failed'],
  ['E_NEW', 'failed'],
])('the failure %s of the binding makes a mail %s', async (code, is) => {
  const reason = `${code} … has bounced`;
  const fails = { code, message: 'coach@customer.example has bounced' };
  expect(await mailer.sendByBinding(newMail(), fails)).toEqual({ is, reason });
});

it('a mail is tried again when the connection to the binding is lost', async () => {
  const fails = { message: 'Network connection lost.' };
  expect(await mailer.sendByBinding(newMail(), fails)).toMatchObject({ is: 'failed' });
});

it('a mail counts as sent when the binding never answers', async () => {
  const times = { attempt: 100, reply: 100, beforeDot: 0 };
  expect(await mailer.sendByBinding(newMail(), 'nothing', times)).toEqual({
    is: 'sent',
    reason: 'no reply in time to the message, which may have arrived',
  });
});
