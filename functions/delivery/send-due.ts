/** Sends what is due, several side by side, until nothing is. */
import type { MailClaim } from '../statement/delivery.ts';
import { callWebhook, type WebhookNetwork, webhookBody, webhookId } from './call-webhook.ts';
import { deliveryLimits } from './limits.ts';
import type { MailSettings } from './mail-settings.ts';
import { openMailer } from './mailer.ts';
import { attemptSafely, type Outbox } from './outbox.ts';

const { sessions, callsAtOnce } = deliveryLimits.run;

export interface MailRun {
  settings: MailSettings;
  outbox: Outbox;
  bounds: Omit<MailClaim, 'mails'>;
  /** Returns the address at which an account stops its e-mail. */
  unsubscribeAt: (account: string) => Promise<string>;
}

/** Sends e-mails over a few sessions. */
export async function sendMails({ settings, outbox, bounds, unsubscribeAt }: MailRun): Promise<void> {
  const mailers = Array.from({ length: sessions }, () => openMailer(settings));
  const free = [...mailers];
  const claim = (mails: number) => outbox.claimMails({ ...bounds, mails });
  await fillSlots(sessions, claim, async claimed => {
    const { account, to } = claimed;
    const mailer = free.pop() ?? openMailer(settings);
    const attempt = await attemptSafely('mail', claimed, to.slice(to.lastIndexOf('@') + 1), async () => {
      const unsubscribe = account === null ? undefined : await unsubscribeAt(account);
      return mailer.send({ ...claimed, unsubscribe });
    });
    free.push(mailer);
    await outbox.settle(attempt);
  });
  await Promise.all(mailers.map(mailer => mailer.close()));
}

/** Calls webhooks, signed with the database's time, which decides too when they are due: the worker's own may be wrong. */
export async function sendCalls(outbox: Outbox, network: WebhookNetwork): Promise<void> {
  await fillSlots(
    callsAtOnce,
    most => outbox.claimCalls(most),
    async claimed => {
      const { url, secrets, event, claimedAt } = claimed;
      const call = { id: webhookId(event), url, secrets, body: webhookBody(event) };
      const attempt = await attemptSafely('webhook', claimed, hostOf(url), () =>
        callWebhook(call, network, claimedAt),
      );
      await outbox.settle(attempt);
    },
  );
}

/** Without a path, which may have a secret in it. */
const hostOf = (url: string): string => /^https?:\/\/([^/?#@]*)/.exec(url)?.[1] ?? '';

/**
 * Claims as many as there are free slots, and attempts each in one, until nothing is claimed any more and all have ended. A
 * slow attempt occupies only its own slot: the others continue, also with what becomes due meanwhile. `attempt` never rejects.
 */
async function fillSlots<T>(
  slots: number,
  claim: (most: number) => Promise<T[]>,
  attempt: (claimed: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for (;;) {
    const free = slots - running.size;
    for (const claimed of free > 0 ? await claim(free) : []) {
      const attempting = attempt(claimed).finally(() => running.delete(attempting));
      running.add(attempting);
    }
    if (running.size === 0) {
      return;
    }
    await Promise.race([...running, scheduler.wait(deliveryLimits.run.lookInterval)]);
  }
}
