/** Calls the webhooks that are due, a few side by side. */
import { limits } from '../common/limits.ts';
import { attemptSafely } from './attempt-safely.ts';
import type { ClaimedCall } from './claimed.ts';
import type { Outbox } from './outbox.ts';
import { sendWebhook } from './send-webhook.ts';
import { logAttempt, settlementOf } from './settle.ts';
import { fillSlots } from './slots.ts';
import { webhookBody, webhookId } from './webhook-body.ts';
import type { WebhookNetwork } from './webhook-network.ts';

const { callsAtOnce, longestPause } = limits.delivery;

/** Calls are signed with the database's time, which decides too when they are due: the worker's own clock may be wrong. */
export async function sendCalls(outbox: Outbox, network: WebhookNetwork): Promise<void> {
  const claim = async (most: number): Promise<ClaimedCall[]> =>
    (await outbox.claim({ mails: 0, aDay: 0, calls: most })).calls;
  await fillSlots(callsAtOnce, claim, async ({ id, claim, attempt, url, secrets, event, claimedAt }) => {
    const attempted = {
      kind: 'webhook',
      id,
      claim,
      attempt,
      host: hostOf(url),
      began: Date.now(),
    } as const;
    const outcome = await attemptSafely(() => {
      const call = { id: webhookId(event), url, secrets, body: webhookBody(event) };
      return sendWebhook(call, network, claimedAt);
    });
    const settlement = settlementOf(attempted, outcome, longestPause);
    logAttempt(attempted, settlement);
    await outbox.settle(settlement);
  });
}

/** Without a path, which may have a secret in it. */
const hostOf = (url: string): string => /^https?:\/\/([^/?#@]*)/.exec(url)?.[1] ?? '';
