/**
 * The object that paces deliveries: an alarm runs when something is due, after a write that says so, and each minute. What is
 * due stands in the database, so that two of these objects do no harm and one that dies loses nothing.
 */
import { DurableObject } from 'cloudflare:workers';
import type { DeliveryObject, DeliveryStatus } from '../common/delivery-object.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { type ExecuteOptions, execute } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import { crashLine } from '../log/crash-line.ts';
import { writeLog } from '../log/write-log.ts';
import { readMailSettings } from './mail-settings.ts';
import { Outbox, type OutboxState } from './outbox.ts';
import { sendCalls } from './send-calls.ts';
import { Mails } from './send-mails.ts';
import { unsubscribeAddress } from './unsubscribe.ts';
import { webhookNetwork } from './webhook-network.ts';

const { nudgeDelay, runTime, idleInterval, shortestInterval, mailsADay, lateAfter, warnInterval } =
  limits.delivery;

type DeliveryCalls = Pick<DeliveryObject, 'nudge' | 'status'>;

export class Delivery extends DurableObject<Env> implements DeliveryCalls {
  readonly #mails = new Mails();
  /** As it was after the last run, and when that was. */
  #state: OutboxState = { next: undefined, late: 0, mails: 0 };
  #ranAt = Date.now();
  #warnedAt = 0;

  /** A moment later, so that writes which come close together are one run. */
  async nudge(): Promise<void> {
    await this.#wakeWithin(nudgeDelay);
  }

  async status(): Promise<DeliveryStatus> {
    await this.#wakeWithin(idleInterval);
    if (!this.env.MAIL_FROM) {
      return 'off';
    }
    const isLate = this.#state.late > lateAfter || Date.now() - this.#ranAt > lateAfter * 1000;
    return isLate ? 'late' : 'ok';
  }

  override async alarm(): Promise<void> {
    try {
      await this.#run();
    } catch (error) {
      console.error(crashLine(error as Error));
    }
    const { next = Number.POSITIVE_INFINITY } = this.#state;
    await this.#wakeWithin(Math.min(idleInterval, Math.max(shortestInterval, next * 1000)));
  }

  async #run(): Promise<void> {
    const { env } = this;
    const held = env.HYPERDRIVE_DELIVERER && new HeldConnection(env.HYPERDRIVE_DELIVERER);
    const options: ExecuteOptions = { login: 'deliverer', callerKey: 'delivery', held };
    const outbox = new Outbox(message => execute(message, env, options));
    const until = Date.now() + runTime;
    await Promise.all([this.#sendMails(outbox, until), sendCalls(outbox, webhookNetwork(env), until)]);
    await outbox.settle();
    const state = await outbox.state();
    held?.end();
    if (state.ok) {
      this.#state = state.value;
      this.#ranAt = Date.now();
    }
  }

  async #sendMails(outbox: Outbox, until: number): Promise<void> {
    const { env } = this;
    const settings = readMailSettings(env);
    if (settings.ok && settings.value) {
      const unsubscribeAt = (account: string) => unsubscribeAddress(env, account);
      const aDay = Number(env.MAIL_PER_DAY) || mailsADay;
      await this.#mails.send({ settings: settings.value, outbox, aDay, unsubscribeAt, until });
    } else {
      // What is too old is skipped.
      await outbox.claim({ mails: 0, aDay: 0, calls: 0 });
      this.#warn(settings.ok ? 'no mail is configured' : settings.failure);
    }
  }

  #warn(reason: string): void {
    const { mails } = this.#state;
    if (mails > 0 && Date.now() - this.#warnedAt > warnInterval) {
      this.#warnedAt = Date.now();
      writeLog({ event: 'delivery', outcome: 'waiting', mails, reason });
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
