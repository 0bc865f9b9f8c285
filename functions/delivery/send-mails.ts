/** Sends the e-mails that are due, over a few sessions side by side. When nothing can be sent, all of them wait. */
import { limits } from '../common/limits.ts';
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
  /** When the last claim may be made, in milliseconds since 1970. */
  until: number;
}

export class Mails {
  /** Seconds for which all wait after the relay has failed: twice as long each time. */
  #pause: number = firstPause;
  #pausedUntil = 0;

  async send({ settings, outbox, aDay, unsubscribeAt, until }: MailRun): Promise<void> {
    const mailers = Array.from({ length: sessions }, () => openMailer(settings));
    const free = [...mailers];
    const claim = async (most: number): Promise<ClaimedMail[]> =>
      Date.now() < until && Date.now() >= this.#pausedUntil
        ? (await outbox.claim({ mails: most, aDay, calls: 0 })).mails
        : [];
    await fillSlots(sessions, claim, async mail => {
      const mailer = free.pop() ?? openMailer(settings);
      await this.#attempt(mail, mailer, outbox, unsubscribeAt);
      free.push(mailer);
    });
    await Promise.all(mailers.map(mailer => mailer.close()));
  }

  async #attempt(
    { id, attempt, account, notification, to, body, link }: ClaimedMail,
    mailer: Mailer,
    outbox: Outbox,
    unsubscribeAt: MailRun['unsubscribeAt'],
  ): Promise<void> {
    const attempted = {
      kind: 'mail',
      id,
      attempt,
      host: to.slice(to.lastIndexOf('@') + 1),
      began: Date.now(),
    } as const;
    const unsubscribe = await unsubscribeAt(account);
    const outcome = await mailer.send({ id: notification, account, to, body, link, unsubscribe });
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
