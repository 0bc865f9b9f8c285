/** Sends mails to a relay, one after the other in one session for as long as that lasts. */
import type { limits } from '../common/limits.ts';
import type { Result } from '../common/result.ts';
import type { Outcome } from './outcome.ts';
import type { Relay } from './relay.ts';
import { type Deadlines, type Envelope, SmtpSession } from './smtp.ts';
import { outcomeOf, type SmtpFailure } from './smtp-outcome.ts';

/** Milliseconds. */
export type AttemptTimes = Pick<typeof limits.mail, 'attempt' | 'attemptWithBody'>;

export class SmtpMailer {
  readonly #relay: Relay;
  readonly #times: AttemptTimes;
  #session: SmtpSession | undefined;

  constructor(relay: Relay, times: AttemptTimes) {
    this.#relay = relay;
    this.#times = times;
  }

  async send(envelope: Envelope, message: Uint8Array): Promise<Outcome> {
    const { attempt, attemptWithBody } = this.#times;
    const now = Date.now();
    const deadlines = { attempt: now + attempt, attemptWithBody: now + attemptWithBody };
    const isContinued = this.#session?.isOpen;
    let result = await this.#attempt(envelope, message, deadlines);
    if (isContinued && !result.ok && /^(?:session|sender)$/.test(result.failure.at)) {
      // Relays end a session that has lasted long enough for them.
      result = await this.#attempt(envelope, message, deadlines);
    }
    return result.ok ? { is: 'sent' } : outcomeOf(result.failure, envelope.to);
  }

  async close(): Promise<void> {
    await this.#session?.quit();
    this.#session = undefined;
  }

  async #attempt(
    envelope: Envelope,
    message: Uint8Array,
    deadlines: Deadlines,
  ): Promise<Result<undefined, SmtpFailure>> {
    if (!this.#session?.isOpen) {
      const opened = await SmtpSession.open(this.#relay, deadlines.attempt);
      if (!opened.ok) {
        return opened;
      }
      this.#session = opened.value;
    }
    const result = await this.#session.send(envelope, message, deadlines);
    if (!result.ok) {
      await (result.failure.at === 'sender' ? this.#session.quit() : this.#session.reset());
    }
    return result;
  }
}
