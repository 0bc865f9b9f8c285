/**
 * The object that paces deliveries. Its alarm runs when a delivery is due, after a nudge by a write, and every minute. All
 * lasting state is in the database, since the object's memory is lost after some ten idle seconds. So two such objects do no
 * harm, and one that dies loses nothing.
 */
import { DurableObject } from 'cloudflare:workers';
import { crashLine } from '../common/crash-line.ts';
import type { DeliveryObject, DeliveryStatus, Env } from '../common/env.ts';
import { loggedOf } from '../common/failure/render-failure.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { writeLog } from '../common/write-log.ts';
import { execute } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import { offerAddress } from '../offer/offer-link.ts';
import { webhookNetwork } from './call-webhook.ts';
import { deliveryLimits } from './delivery-limits.ts';
import { type MailSettings, readMailSettings } from './mail-settings.ts';
import { Outbox } from './outbox.ts';
import { sendCalls, sendMails } from './send-due.ts';
import { unsubscribeMessage } from './statements.ts';
import { unsubscribeAddress } from './unsubscribe.ts';

const {
  nudgeDelay,
  idleInterval,
  shortestInterval,
  retryInterval,
  mailsADay,
  overdueAlarm,
  unsubscriptions,
  unsubscription,
} = deliveryLimits.run;

type DeliveryCalls = Pick<DeliveryObject, 'nudge' | 'status' | 'unsubscribe'>;

export class Delivery extends DurableObject<Env> implements DeliveryCalls {
  readonly #held = this.env.HYPERDRIVE_JOBS && new HeldConnection(this.env.HYPERDRIVE_JOBS);
  readonly #outbox = new Outbox(
    message => execute(message, this.env, { login: 'jobs', callerKey: 'delivery', held: this.#held }),
    writeLog,
    this.env.DELIVER === 'off',
  );
  /** Unsubscriptions have one connection, so that many of them, or a locked table, leave the others to deliveries and the sweep. */
  readonly #unsubscribing = this.env.HYPERDRIVE_JOBS && new HeldConnection(this.env.HYPERDRIVE_JOBS);
  #unsubscriptionsPending = 0;
  /** Separate runs, so that a hanging mail does not delay calls, nor a hanging call mails. */
  readonly #sendingMails = new SingleRun();
  readonly #calling = new SingleRun();
  #warnedAt = 0;
  /** Latest time by which a nudge must be honoured. */
  #promised = 0;
  /** Whether this object has run. If not, the database may not know its STAFF_EMAIL yet. */
  #hasRun = false;

  /** Schedules a run. Debounced, so that one run serves writes in quick succession. */
  async nudge(): Promise<void> {
    this.#promised = monotonicNow() + nudgeDelay;
    await this.#wakeWithin(nudgeDelay);
  }

  async status(): Promise<DeliveryStatus> {
    await this.#wakeWithin(this.#hasRun ? idleInterval : nudgeDelay);
    const status = await this.#outbox.status(true);
    if (!this.#isBusy) {
      this.#held?.end();
    }
    const isOff = !this.env.MAIL_FROM;
    if (!status.ok) {
      return { mail: isOff ? 'off' : 'late', webhooks: 'late' };
    }
    const { isMailLate, isCallLate, failing } = status.value;
    return {
      mail: isOff ? 'off' : isMailLate ? 'late' : 'ok',
      webhooks: isCallLate ? 'late' : 'ok',
      failing,
    };
  }

  async unsubscribe(account: string): Promise<boolean> {
    if (this.#unsubscriptionsPending >= unsubscriptions) {
      return false;
    }
    this.#unsubscriptionsPending += 1;
    const message = unsubscribeMessage(account, unsubscription);
    const unsubscribed = await execute(message, this.env, {
      login: 'jobs',
      callerKey: 'unsubscribe',
      held: this.#unsubscribing,
    });
    this.#unsubscriptionsPending -= 1;
    if (this.#unsubscriptionsPending === 0) {
      this.#unsubscribing?.end();
    }
    return unsubscribed.ok;
  }

  override async alarm(): Promise<void> {
    const began = monotonicNow();
    let next: number = idleInterval;
    this.#hasRun = true;
    try {
      next = await this.#run();
    } catch (error) {
      console.error(crashLine(error as Error));
    }
    // A nudge during this run may come from a write that the run was too early to see.
    const promised = this.#promised > began ? this.#promised - monotonicNow() : idleInterval;
    await this.#wakeWithin(Math.max(0, Math.min(idleInterval, next, promised)));
  }

  get #isBusy(): boolean {
    return this.#calling.isRunning || this.#sendingMails.isRunning || this.#outbox.hasUnsettled;
  }

  /** Returns the milliseconds until the next run. */
  async #run(): Promise<number> {
    const settings = readMailSettings(this.env);
    const mail = settings.ok ? settings.value : undefined;
    this.#calling.start(() => sendCalls(this.#outbox, webhookNetwork(this.env)));
    this.#sendingMails.start(() => this.#sendMails(mail));
    // Usually both finish in this time. Slower attempts continue alongside later runs.
    const sent = Promise.all([this.#calling.ended, this.#sendingMails.ended]);
    await Promise.race([sent, scheduler.wait(deliveryLimits.run.lookInterval)]);
    await this.#outbox.settle();
    const status = await this.#outbox.status(mail !== undefined);
    if (!status.ok && monotonicNow() - this.#warnedAt > idleInterval) {
      this.#warnedAt = monotonicNow();
      writeLog({ event: 'delivery', outcome: 'waiting', ...loggedOf(status.failure) });
    }
    if (status.ok && status.value.toWarn !== undefined) {
      const reason = settings.ok ? 'no mail is configured' : settings.failure;
      writeLog({ event: 'delivery', outcome: 'waiting', mails: status.value.toWarn, reason });
    }
    if (this.#isBusy) {
      return shortestInterval;
    }
    this.#held?.end();
    if (!status.ok) {
      return retryInterval;
    }
    const { nextMail, nextCall } = status.value;
    return Math.max(shortestInterval, Math.min(mail ? nextMail : idleInterval, nextCall));
  }

  /** Sends due mails. Without a relay, only expires old ones. */
  async #sendMails(settings: MailSettings | undefined): Promise<void> {
    if (settings === undefined) {
      await this.#outbox.claimMails({ mails: 0, aDay: 0, staff: null, links: false });
      return;
    }
    const { MAIL_PER_DAY, OFFER_LINKS } = this.env;
    const bounds = {
      aDay: Number(MAIL_PER_DAY) || mailsADay,
      staff: settings.staff ?? null,
      links: OFFER_LINKS !== 'off',
    };
    const offerAt = async (link: string) => (await offerAddress(this.env, '', link)).url;
    const unsubscribeAt = (account: string) => unsubscribeAddress(this.env, account);
    await sendMails({ settings, outbox: this.#outbox, bounds, unsubscribeAt, offerAt });
  }

  /** Sets the alarm to run after `delay` milliseconds. Keeps an earlier alarm, unless that one was lost. */
  async #wakeWithin(delay: number): Promise<void> {
    const now = Date.now();
    const alarm = await this.ctx.storage.getAlarm();
    if (alarm !== null && alarm < now - overdueAlarm) {
      await this.ctx.storage.setAlarm(now);
    } else if (alarm === null || alarm > now + delay) {
      await this.ctx.storage.setAlarm(now + delay);
    }
  }
}

/** A task with one run at a time. */
class SingleRun {
  #run: Promise<void> | undefined;

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Resolves when the current run, if any, has ended. Never rejects. */
  get ended(): Promise<void> {
    return this.#run ?? Promise.resolve();
  }

  /** Starts a run. A no-op during a run. A bug ends the run and is logged. */
  start(work: () => Promise<void>): void {
    this.#run ??= work()
      .catch((error: Error) => console.error(crashLine(error)))
      .finally(() => {
        this.#run = undefined;
      });
  }
}
