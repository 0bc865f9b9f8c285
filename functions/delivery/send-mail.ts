/** Sends mails, one after the other, by the way that the settings name. */
import { limits } from '../common/limits.ts';
import { isAddress } from './address.ts';
import { compose, type Mail } from './compose.ts';
import { EmailService } from './email-service.ts';
import type { MailSettings } from './mail-settings.ts';
import type { Outcome } from './outcome.ts';
import { type AttemptTimes, SmtpMailer } from './smtp-mailer.ts';

export type { Mail };

export interface Mailer {
  /** Ends in time in any case, and never throws for what a relay does. One mail at a time. */
  send(mail: Mail): Promise<Outcome>;
  /** Ends the session with the relay, if there is one. */
  close(): Promise<void>;
}

/** Opens nothing before the first mail. */
export function openMailer(settings: MailSettings, times: AttemptTimes = limits.mail): Mailer {
  const { via, from } = settings;
  const way = via.is === 'smtp' ? new SmtpMailer(via.relay, times) : new EmailService(via.binding, times);
  return {
    async send(mail) {
      if (!isAddress(mail.to)) {
        return { is: 'dead', reason: 'not one address in ASCII', refuses: true };
      }
      return way.send({ from: from.address, to: mail.to }, await compose(mail, settings));
    },
    close: () => way.close(),
  };
}
