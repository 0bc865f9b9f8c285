/**
 * Mails by the binding `send_email`. Miniflare's looks at no more than the form of a message, so that what Cloudflare refuses
 * is thrown here, as its documentation has it.
 */
import { describe, expect, it } from 'vitest';
import type { SendRequest } from './mail-worker.ts';
import { newMail, useMailer } from './mailer.ts';

const mailer = useMailer({ email: { send_email: [{ name: 'EMAIL' }] } });

describe('the binding', () => {
  it('takes a mail', async () => {
    expect(await mailer.sendByBinding(newMail({ body: 'ü'.repeat(5000) }))).toEqual({ is: 'sent' });
  });

  it.each<[SendRequest['fails'], object]>([
    [{ code: 'E_RECIPIENT_SUPPRESSED', message: 'suppressed' }, { is: 'refused' }],
    [{ code: 'E_RECIPIENT_NOT_ALLOWED', message: 'not allowed' }, { is: 'refused' }],
    [{ code: 'E_RATE_LIMIT_EXCEEDED', message: 'too fast' }, { is: 'unavailable' }],
    [{ code: 'E_DAILY_LIMIT_EXCEEDED', message: 'too many' }, { is: 'unavailable' }],
    [{ code: 'E_SENDER_NOT_VERIFIED', message: 'who are you' }, { is: 'unavailable' }],
    [{ code: 'E_SENDER_DOMAIN_NOT_AVAILABLE', message: 'not onboarded' }, { is: 'unavailable' }],
    [{ code: 'E_HEADER_NOT_ALLOWED', message: 'X' }, { is: 'dead' }],
    [{ code: 'E_CONTENT_TOO_LARGE', message: 'too large' }, { is: 'dead' }],
    [{ code: 'E_DELIVERY_FAILED', message: 'rejected' }, { is: 'failed' }],
    [{ code: 'E_INTERNAL_SERVER_ERROR', message: 'oops' }, { is: 'failed' }],
    [{ code: 'E_NEW', message: 'not known yet' }, { is: 'failed' }],
    [{ message: 'Network connection lost.' }, { is: 'failed' }],
  ])('that fails with %j: the mail is %j', async (fails, outcome) => {
    expect(await mailer.sendByBinding(newMail(), fails)).toEqual({ ...outcome, reason: expect.any(String) });
  });

  it('that never answers is given up, and the mail counts as sent', async () => {
    expect(
      await mailer.sendByBinding(newMail(), 'nothing', { attempt: 100, reply: 100, beforeDot: 0 }),
    ).toEqual({
      is: 'sent',
      reason: 'no reply in time to the message, which may have arrived',
    });
  });

  it('is named by its code in the reason, and the recipient is not', async () => {
    const fails = { code: 'E_RECIPIENT_SUPPRESSED', message: 'coach@customer.example has bounced' };
    expect(await mailer.sendByBinding(newMail(), fails)).toMatchObject({
      reason: 'E_RECIPIENT_SUPPRESSED … has bounced',
    });
  });

  it('is not asked for what is no address', async () => {
    expect(await mailer.sendByBinding(newMail({ to: 'a@b.example, c@d.example' }))).toMatchObject({
      is: 'refused',
    });
  });
});
