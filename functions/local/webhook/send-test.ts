/** `npm run webhook -- test`: one signed call from this machine, of an event that has not happened. */
import { randomUUID } from 'node:crypto';
import { callWebhook } from '../../delivery/call-webhook.ts';
import { Problem } from '../problem.ts';
import type { Webhook } from './webhooks.ts';

/** Returns what is printed when the receiver has taken it; throws a Problem with the reason when it has not. */
export async function sendTest({ url, secrets }: Webhook, onLoopback: boolean): Promise<string> {
  const now = new Date();
  const body = JSON.stringify({ type: 'webhook.test', timestamp: now.toISOString(), data: {} });
  const call = { id: `evt_${randomUUID()}`, url, secrets, body };
  const outcome = await callWebhook(call, { onLoopback, fetch }, now.getTime());
  if (outcome.is !== 'sent') {
    throw new Problem(`${outcome.is}: ${outcome.reason}`);
  }
  return 'sent';
}
