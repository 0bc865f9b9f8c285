/** Sends due deliveries concurrently, until none is left. */

import { callWebhook, type WebhookNetwork, webhookBody } from './call-webhook.ts';
import { deliveryLimits } from './delivery-limits.ts';
import type { MailSettings } from './mail-settings.ts';
import { type Mailer, openMailer } from './mailer.ts';
import { attemptSafely, type Outbox } from './outbox.ts';
import type { MailClaim } from './statements.ts';

const { sessions, callsAtOnce } = deliveryLimits.run;

interface MailRun {
  settings: MailSettings;
  outbox: Outbox;
  bounds: Omit<MailClaim, 'mails'>;
  /** Returns an account's unsubscribe URL. */
  unsubscribeAt: (account: string) => Promise<string>;
  /** Returns the URL of the link to an offer with this id. */
  offerAt: (link: string) => Promise<string>;
}

/** Sends e-mails over a few sessions. */
export async function sendMails({
  settings,
  outbox,
  bounds,
  unsubscribeAt,
  offerAt,
}: MailRun): Promise<void> {
  const mailers = Array.from({ length: sessions }, () => openMailer(settings));
  const free = [...mailers];
  const claim = (mails: number) => outbox.claimMails({ ...bounds, mails });
  await fillSlots(sessions, claim, async claimed => {
    const { account, to, offer_line: line, offer_link: link } = claimed;
    // As many are claimed at once as there are sessions.
    const mailer = free.pop() as Mailer;
    const attempt = await attemptSafely('mail', claimed, to.slice(to.lastIndexOf('@') + 1), async () => {
      const unsubscribe = account === null ? undefined : await unsubscribeAt(account);
      const offer = line !== null && link !== null ? { line, url: await offerAt(link) } : undefined;
      return mailer.send({ ...claimed, unsubscribe, offer });
    });
    free.push(mailer);
    await outbox.settle(attempt);
  });
  await Promise.all(mailers.map(mailer => mailer.close()));
}

/** Calls webhooks. Signs with the database's time, since the worker's clock may be wrong. */
export async function sendCalls(outbox: Outbox, network: WebhookNetwork): Promise<void> {
  await fillSlots(
    callsAtOnce,
    most => outbox.claimCalls(most),
    async claimed => {
      const { messageId, url, secrets, event, claimedAt } = claimed;
      const call = { id: messageId, url, secrets, body: webhookBody(messageId, event) };
      const attempt = await attemptSafely('webhook', claimed, hostOf(url), () =>
        callWebhook(call, network, claimedAt),
      );
      await outbox.settle(attempt);
    },
  );
}

/** Returns the host of a URL without its path, which may contain a secret. */
const hostOf = (url: string): string => /^https?:\/\/([^/?#@]*)/.exec(url)?.[1] ?? '';

/**
 * Claims a delivery for each free slot, and attempts it there, until none is due and all attempts have ended. A slow attempt
 * occupies only its own slot; the others continue with deliveries that become due meanwhile. `attempt` never rejects.
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
