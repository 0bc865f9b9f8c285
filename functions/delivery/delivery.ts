/**
 * The object that paces deliveries: an alarm runs when something is due, after a write that says so, and each minute. What is
 * due stands in the database, so that two of these objects do no harm and one that dies loses nothing.
 */
import { DurableObject } from 'cloudflare:workers';
import type { DeliveryObject, DeliveryStatus } from '../common/delivery-object.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { execute } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import { loggedOf } from '../failure/render.ts';
import { crashLine } from '../log/crash-line.ts';
import { writeLog } from '../log/write-log.ts';
import { type MailSettings, readMailSettings } from './mail-settings.ts';
import { Outbox, type OutboxState } from './outbox.ts';
import { sendCalls } from './send-calls.ts';
import { Mails } from './send-mails.ts';
import { SingleRun } from './single-run.ts';
import { unsubscribeAddress } from './unsubscribe.ts';
import { webhookNetwork } from './webhook-network.ts';

const { nudgeDelay, idleInterval, shortestInterval, retryInterval, mailsADay, lateAfter, warnInterval } =
  limits.delivery;

type DeliveryCalls = Pick<DeliveryObject, 'nudge' | 'status'>;

const nothingDue: OutboxState = { mail: Number.POSITIVE_INFINITY, call: Number.POSITIVE_INFINITY, mails: 0 };

export class Delivery extends DurableObject<Env> implements DeliveryCalls {
  readonly #held = this.env.HYPERDRIVE_DELIVERER && new HeldConnection(this.env.HYPERDRIVE_DELIVERER);
  readonly #outbox = new Outbox(message =>
    execute(message, this.env, { login: 'deliverer', callerKey: 'delivery', held: this.#held }),
  );
  readonly #mails = new Mails();
  /** Each goes on for as long as there is something to send, so that neither waits for what hangs in the other. */
  readonly #sendingMails = new SingleRun();
  readonly #calling = new SingleRun();
  /** As it was after the last look, and when that was. */
  #state = nothingDue;
  #lookedAt = Date.now();
  #warnedAt = 0;
  /** What was written before is looked for from this time on: whoever nudged relies on it. */
  #promised = 0;

  /** A moment later, so that writes which come close together are one run. */
  async nudge(): Promise<void> {
    this.#promised = Date.now() + nudgeDelay;
    await this.#wakeWithin(nudgeDelay);
  }

  async status(): Promise<DeliveryStatus> {
    await this.#wakeWithin(idleInterval);
    const { mail, call } = this.#state;
    const isLate = Date.now() - this.#lookedAt > lateAfter * 1000 || -call > lateAfter;
    if (!isLate && !this.env.MAIL_FROM) {
      return 'off';
    }
    return isLate || -mail > lateAfter ? 'late' : 'ok';
  }

  override async alarm(): Promise<void> {
    const began = Date.now();
    let next: number = idleInterval;
    try {
      next = await this.#run();
    } catch (error) {
      console.error(crashLine(error as Error));
    }
    // A nudge that found this alarm set may be of a write that this run was too early for.
    const promised = this.#promised > began ? this.#promised - Date.now() : idleInterval;
    await this.#wakeWithin(Math.max(0, Math.min(idleInterval, next, promised)));
  }

  /** Returns the milliseconds until the next run. */
  async #run(): Promise<number> {
    const settings = readMailSettings(this.env);
    const mail = settings.ok ? settings.value : undefined;
    this.#calling.start(() => sendCalls(this.#outbox, webhookNetwork(this.env)));
    this.#sendingMails.start(() => (mail ? this.#sendMails(mail) : this.#skipOldMails()));
    // Mostly they are done by then. What takes longer goes on beside the runs to come.
    const sent = Promise.all([this.#calling.ended, this.#sendingMails.ended]);
    await Promise.race([sent, scheduler.wait(limits.delivery.lookInterval)]);
    await this.#outbox.settle();
    const looked = await this.#look(mail === undefined);
    const { mails } = this.#state;
    if (!mail && mails > 0) {
      const reason = settings.ok ? 'no mail is configured' : settings.failure;
      this.#warn(warnInterval, { outcome: 'waiting', mails, reason });
    }
    if (this.#calling.isRunning || this.#sendingMails.isRunning || this.#outbox.owes) {
      return shortestInterval;
    }
    this.#held?.end();
    if (!looked) {
      return retryInterval;
    }
    const untilMail = mail ? Math.max(this.#state.mail * 1000, this.#mails.pause) : idleInterval;
    return Math.max(shortestInterval, Math.min(untilMail, this.#state.call * 1000));
  }

  async #sendMails(settings: MailSettings): Promise<void> {
    const unsubscribeAt = (account: string) => unsubscribeAddress(this.env, account);
    const aDay = Number(this.env.MAIL_PER_DAY) || mailsADay;
    await this.#mails.send({ settings, outbox: this.#outbox, aDay, unsubscribeAt });
  }

  /** Where none can be sent, those that are too old end. */
  async #skipOldMails(): Promise<void> {
    await this.#outbox.claim({ mails: 0, aDay: 0, calls: 0 });
  }

  /** Says whether the database could be asked. */
  async #look(counted: boolean): Promise<boolean> {
    const state = await this.#outbox.state(counted);
    if (state.ok) {
      this.#state = state.value;
      this.#lookedAt = Date.now();
    } else {
      this.#warn(idleInterval, { outcome: 'waiting', ...loggedOf(state.failure) });
    }
    return state.ok;
  }

  /** Writes a line to the log, one in so many milliseconds. */
  #warn(interval: number, line: object): void {
    if (Date.now() - this.#warnedAt > interval) {
      this.#warnedAt = Date.now();
      writeLog({ event: 'delivery', ...line });
    }
  }

  /** Milliseconds. An alarm that comes sooner stays. */
  async #wakeWithin(delay: number): Promise<void> {
    const at = Date.now() + delay;
    const alarm = await this.ctx.storage.getAlarm();
    if (alarm === null || alarm > at) {
      await this.ctx.storage.setAlarm(at);
    }
  }
}
