/**
 * Mails by the binding `send_email`. Miniflare's looks at no more than the form of a message, so that what Cloudflare refuses
 * is thrown here, as its documentation has it.
 */
import { expect, it } from 'vitest';
import type { SendRequest } from './mail-worker.ts';
import { newMail, useMailer } from './mailer.ts';

const mailer = useMailer({ email: { send_email: [{ name: 'EMAIL' }] } });

it('the binding sends a mail', async () => {
  expect(await mailer.sendByBinding(newMail({ body: 'ü'.repeat(5000) }))).toEqual({ is: 'sent' });
});

it.each<[string, SendRequest['fails'], object]>([
  ['ends for the address', { code: 'E_RECIPIENT_SUPPRESSED', message: 'suppressed' }, { is: 'refused' }],
  ['ends for the address', { code: 'E_RECIPIENT_NOT_ALLOWED', message: 'not allowed' }, { is: 'refused' }],
  ['waits with all others', { code: 'E_RATE_LIMIT_EXCEEDED', message: 'too fast' }, { is: 'unavailable' }],
  ['waits with all others', { code: 'E_DAILY_LIMIT_EXCEEDED', message: 'too many' }, { is: 'unavailable' }],
  ['waits with all others', { code: 'E_SENDER_NOT_VERIFIED', message: 'who?' }, { is: 'unavailable' }],
  ['waits with all others', { code: 'E_SENDER_DOMAIN_NOT_AVAILABLE', message: 'no' }, { is: 'unavailable' }],
  ['is given up', { code: 'E_HEADER_NOT_ALLOWED', message: 'X' }, { is: 'dead' }],
  ['is given up', { code: 'E_CONTENT_TOO_LARGE', message: 'too large' }, { is: 'dead' }],
  ['is tried again', { code: 'E_DELIVERY_FAILED', message: 'rejected' }, { is: 'failed' }],
  ['is tried again', { code: 'E_NEW', message: 'not known yet' }, { is: 'failed' }],
  ['is tried again', { message: 'Network connection lost.' }, { is: 'failed' }],
])('a mail %s when the binding fails with %j', async (_, fails, outcome) => {
  expect(await mailer.sendByBinding(newMail(), fails)).toEqual({ ...outcome, reason: expect.any(String) });
});

it('a mail counts as sent when the binding never answers', async () => {
  const times = { attempt: 100, reply: 100, beforeDot: 0 };
  expect(await mailer.sendByBinding(newMail(), 'nothing', times)).toEqual({
    is: 'sent',
    reason: 'no reply in time to the message, which may have arrived',
  });
});

it('the reason has the code of the binding’s failure, and not the recipient', async () => {
  const fails = { code: 'E_RECIPIENT_SUPPRESSED', message: 'coach@customer.example has bounced' };
  const reason = 'E_RECIPIENT_SUPPRESSED … has bounced';
  expect(await mailer.sendByBinding(newMail(), fails)).toMatchObject({ reason });
});

it('the binding is not called with an invalid address', async () => {
  const mail = newMail({ to: 'a@b.example, c@d.example' });
  expect(await mailer.sendByBinding(mail)).toMatchObject({ is: 'refused' });
});
