/** Calls the webhooks that are due, a few side by side. */
import { limits } from '../common/limits.ts';
import type { ClaimedCall } from './claimed.ts';
import type { Outbox } from './outbox.ts';
import { sendWebhook } from './send-webhook.ts';
import { logAttempt, settlementOf } from './settle.ts';
import { fillSlots } from './slots.ts';
import { webhookBody, webhookId } from './webhook-body.ts';
import type { WebhookNetwork } from './webhook-network.ts';

const { callsAtOnce, longestPause } = limits.delivery;

/** `until`: when the last claim may be made, in milliseconds since 1970. */
export async function sendCalls(outbox: Outbox, network: WebhookNetwork, until: number): Promise<void> {
  const claim = async (most: number): Promise<ClaimedCall[]> =>
    Date.now() < until ? (await outbox.claim({ mails: 0, aDay: 0, calls: most })).calls : [];
  await fillSlots(callsAtOnce, claim, async ({ id, attempt, url, secrets, event }) => {
    const attempted = { kind: 'webhook', id, attempt, host: hostOf(url), began: Date.now() } as const;
    const call = { id: webhookId(event), url, secrets, body: webhookBody(event) };
    const settlement = settlementOf(attempted, await sendWebhook(call, network, Date.now()), longestPause);
    logAttempt(attempted, settlement);
    await outbox.settle(settlement);
  });
}

/** Without a path, which may have a secret in it. */
const hostOf = (url: string): string => /^https?:\/\/([^/?#@]*)/.exec(url)?.[1] ?? '';
