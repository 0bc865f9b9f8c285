/** A worker that sends mails as the engine does, for tests: one session, the mails one after the other. */

import type { Mail } from '../../functions/delivery/compose.ts';
import type { MailSettings } from '../../functions/delivery/mail-settings.ts';
import { openMailer } from '../../functions/delivery/mailer.ts';
import type { SmtpTimes } from '../../functions/delivery/smtp.ts';

export interface SendRequest {
  /** Without `via`, by the binding. */
  settings: Omit<MailSettings, 'via'> & { via?: MailSettings['via'] };
  times: SmtpTimes;
  mails: Mail[];
  /** What the binding throws, or `nothing` when it never answers. */
  fails?: { code?: string; message: string } | 'nothing';
}

export default {
  async fetch(request: Request, env: { EMAIL: SendEmail }): Promise<Response> {
    const { settings, times, mails, fails } = await request.json<SendRequest>();
    const binding = fails ? failing(fails) : env.EMAIL;
    const mailer = openMailer({ via: { is: 'binding', binding }, ...settings }, times);
    const outcomes = [];
    for (const mail of mails) {
      outcomes.push(await mailer.send(mail));
    }
    await mailer.close();
    return Response.json(outcomes);
  },
};

const failing = (fails: NonNullable<SendRequest['fails']>): SendEmail => ({
  send: () =>
    fails === 'nothing'
      ? new Promise(() => {})
      : Promise.reject(Object.assign(new Error(fails.message), fails)),
});
