/** Sends the e-mails that are due, over a few sessions side by side. When nothing can be sent, all of them wait. */
import { limits } from '../common/limits.ts';
import { attemptSafely } from './attempt-safely.ts';
import type { ClaimedMail } from './claimed.ts';
import type { MailSettings } from './mail-settings.ts';
import type { Outbox } from './outbox.ts';
import { type Mailer, openMailer } from './send-mail.ts';
import { logAttempt, settlementOf } from './settle.ts';
import { fillSlots } from './slots.ts';

const { sessions, firstPause, longestPause } = limits.delivery;

export interface MailRun {
  settings: MailSettings;
  outbox: Outbox;
  aDay: number;
  /** Returns the address at which an account stops its e-mail. */
  unsubscribeAt: (account: string) => Promise<string>;
}

export class Mails {
  /** Seconds for which all wait after the relay has failed: twice as long each time. */
  #pause: number = firstPause;
  #pausedUntil = 0;

  /** Milliseconds until mails are claimed again. */
  get pause(): number {
    return Math.max(0, this.#pausedUntil - Date.now());
  }

  async send({ settings, outbox, aDay, unsubscribeAt }: MailRun): Promise<void> {
    const mailers = Array.from({ length: sessions }, () => openMailer(settings));
    const free = [...mailers];
    const claim = async (most: number): Promise<ClaimedMail[]> =>
      this.pause === 0 ? (await outbox.claim({ mails: most, aDay, calls: 0 })).mails : [];
    await fillSlots(sessions, claim, async mail => {
      const mailer = free.pop() ?? openMailer(settings);
      await this.#attempt(mail, mailer, outbox, unsubscribeAt);
      free.push(mailer);
    });
    await Promise.all(mailers.map(mailer => mailer.close()));
  }

  async #attempt(
    { id, claim, attempt, account, notification, to, body, link }: ClaimedMail,
    mailer: Mailer,
    outbox: Outbox,
    unsubscribeAt: MailRun['unsubscribeAt'],
  ): Promise<void> {
    const attempted = {
      kind: 'mail',
      id,
      claim,
      attempt,
      host: to.slice(to.lastIndexOf('@') + 1),
      began: Date.now(),
    } as const;
    const outcome = await attemptSafely(async () => {
      const unsubscribe = await unsubscribeAt(account);
      return mailer.send({ id: notification, account, to, body, link, unsubscribe });
    });
    const settlement = settlementOf(attempted, outcome, this.#pause);
    if (outcome.is === 'unavailable') {
      this.#pauseAll();
    } else {
      this.#pause = firstPause;
    }
    logAttempt(attempted, settlement);
    await outbox.settle(settlement);
  }

  /** Once for all that fail at the same time. */
  #pauseAll(): void {
    if (Date.now() >= this.#pausedUntil) {
      this.#pausedUntil = Date.now() + this.#pause * 1000;
      this.#pause = Math.min(this.#pause * 2, longestPause);
    }
  }
}
