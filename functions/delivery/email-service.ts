/** Sends mails by Cloudflare's Email Service, a binding of the worker. */
import { EmailMessage } from 'cloudflare:email';
import type { Outcome } from './outcome.ts';
import { reasonOf } from './reason.ts';
import type { Envelope } from './smtp.ts';
import type { AttemptTimes } from './smtp-mailer.ts';

type Meaning = Exclude<Outcome['is'], 'sent'> | 'refused';

/** What its error codes mean for a mail (developers.cloudflare.com/email-service, "Workers API"). Any other may pass. */
const meanings: Record<string, Meaning> = {
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

export class EmailService {
  readonly #binding: SendEmail;
  readonly #times: AttemptTimes;

  constructor(binding: SendEmail, times: AttemptTimes) {
    this.#binding = binding;
    this.#times = times;
  }

  async send({ from, to }: Envelope, message: Uint8Array): Promise<Outcome> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<'expired'>(resolve => {
      timer = setTimeout(resolve, this.#times.attemptWithBody, 'expired');
    });
    try {
      const sent = this.#binding.send(new EmailMessage(from, to, new TextDecoder().decode(message)));
      return (await Promise.race([sent, expired])) === 'expired'
        ? { is: 'failed', reason: 'no answer in time' }
        : { is: 'sent' };
    } catch (error) {
      return outcomeOfError(error as Error & { code?: string }, to);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {}
}

function outcomeOfError({ code = '', message }: Error & { code?: string }, to: string): Outcome {
  const reason = reasonOf(`${code} ${message}`, [to, to.slice(0, to.indexOf('@'))]);
  const meaning = code.startsWith('E_HEADER') ? 'dead' : (meanings[code] ?? 'failed');
  return meaning === 'refused' ? { is: 'dead', reason, refuses: true } : { is: meaning, reason };
}
