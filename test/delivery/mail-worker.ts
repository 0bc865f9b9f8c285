/** A worker that sends mails as the engine does, for tests: one session, the mails one after the other. */
import type { MailSettings } from '../../functions/delivery/mail-settings.ts';
import { type Mail, openMailer } from '../../functions/delivery/send-mail.ts';
import type { AttemptTimes } from '../../functions/delivery/smtp-mailer.ts';

export interface SendRequest {
  settings: MailSettings;
  times: AttemptTimes;
  mails: Mail[];
}

export default {
  async fetch(request: Request, { EMAIL }: { EMAIL?: SendEmail }): Promise<Response> {
    const { settings, times, mails } = await request.json<SendRequest>();
    const via = EMAIL && { via: { is: 'binding', binding: EMAIL } as const };
    const mailer = openMailer({ ...settings, ...via }, times);
    const outcomes = [];
    for (const mail of mails) {
      outcomes.push(await mailer.send(mail));
    }
    await mailer.close();
    return Response.json(outcomes);
  },
};
