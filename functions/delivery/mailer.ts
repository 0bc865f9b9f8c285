/** Sends mails one after the other, through a relay or Cloudflare's Email Service. */
import { EmailMessage } from 'cloudflare:email';
import { mailableAddress } from '../../schema/email-address.ts';
import type { Result } from '../common/failure/result.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { compose, type Mail } from './compose.ts';
import { deliveryLimits } from './delivery-limits.ts';
import type { MailSettings, Relay } from './mail-settings.ts';
import type { SendResult } from './outbox.ts';
import { reasonOf } from './reason.ts';
import { type Envelope, SmtpSession, type SmtpTimes } from './smtp.ts';
import { resultOfFailure, type SmtpFailure } from './smtp-result.ts';

export interface Mailer {
  /** Sends one mail at a time. Always ends in time, and never throws because of a relay. */
  send(mail: Mail): Promise<SendResult>;
  /** Ends the session with the relay, if there is one. */
  close(): Promise<void>;
}

/** Creates a mailer. It connects when it sends the first mail. */
export function openMailer(settings: MailSettings, times: SmtpTimes = deliveryLimits.mail): Mailer {
  const { via, from } = settings;
  const way = via.is === 'smtp' ? new RelayMailer(via.relay, times) : new BindingMailer(via.binding, times);
  return {
    async send(mail) {
      const to = mailableAddress(mail.to);
      return to === undefined
        ? { is: 'refused', reason: 'not a single e-mail address' }
        : way.send({ from: from.address, to }, await compose({ ...mail, to }, settings));
    },
    close: () => way.close(),
  };
}

/** Sends mails through a relay, reusing its session. */
class RelayMailer {
  readonly #relay: Relay;
  readonly #times: SmtpTimes;
  #session: SmtpSession | undefined;

  constructor(relay: Relay, times: SmtpTimes) {
    this.#relay = relay;
    this.#times = times;
  }

  async send(envelope: Envelope, message: Uint8Array): Promise<SendResult> {
    const deadline = monotonicNow() + this.#times.attempt;
    const isContinued = this.#session?.isOpen;
    let result = await this.#attempt(envelope, message, deadline);
    if (isContinued && !result.ok && /^(?:session|sender)$/.test(result.failure.at)) {
      // Relays may end a long session at any time.
      result = await this.#attempt(envelope, message, deadline);
    }
    return result.ok ? { is: 'sent' } : resultOfFailure(result.failure, envelope.to);
  }

  async close(): Promise<void> {
    await this.#session?.quit();
    this.#session = undefined;
  }

  async #attempt(
    envelope: Envelope,
    message: Uint8Array,
    deadline: number,
  ): Promise<Result<undefined, SmtpFailure>> {
    if (!this.#session?.isOpen) {
      const opened = await SmtpSession.open(this.#relay, deadline);
      if (!opened.ok) {
        return opened;
      }
      this.#session = opened.value;
    }
    const result = await this.#session.send(envelope, message, deadline, this.#times);
    if (!result.ok) {
      await (result.failure.at === 'sender' ? this.#session.quit() : this.#session.reset());
    }
    return result;
  }
}

/** The meanings of the binding's error codes (developers.cloudflare.com/email-service, "Workers API"). Others are temporary. */
const meanings: Record<string, SendResult['is']> = {
  E_RECIPIENT_SUPPRESSED: 'refused',
  E_RECIPIENT_NOT_ALLOWED: 'refused',
  E_SENDER_NOT_VERIFIED: 'unavailable',
  E_SENDER_DOMAIN_NOT_AVAILABLE: 'unavailable',
  E_RATE_LIMIT_EXCEEDED: 'unavailable',
  E_DAILY_LIMIT_EXCEEDED: 'unavailable',
  E_VALIDATION_ERROR: 'dead',
  E_FIELD_MISSING: 'dead',
  E_CONTENT_TOO_LARGE: 'dead',
};

class BindingMailer {
  readonly #binding: SendEmail;
  readonly #times: SmtpTimes;

  constructor(binding: SendEmail, times: SmtpTimes) {
    this.#binding = binding;
    this.#times = times;
  }

  async send({ from, to }: Envelope, message: Uint8Array): Promise<SendResult> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<'expired'>(resolve => {
      timer = setTimeout(resolve, this.#times.reply, 'expired');
    });
    try {
      const sent = this.#binding.send(new EmailMessage(from, to, new TextDecoder().decode(message)));
      return (await Promise.race([sent, expired])) === 'expired'
        ? { is: 'unanswered', reason: 'no reply in time to the message, which may have arrived' }
        : { is: 'sent' };
    } catch (error) {
      const { code = '', message: text } = error as Error & { code?: string };
      const reason = reasonOf(`${code} ${text}`, [to, to.slice(0, to.indexOf('@'))]);
      return { is: code.startsWith('E_HEADER') ? 'dead' : (meanings[code] ?? 'failed'), reason };
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {}
}
