/** Calls a webhook once. What becomes of the outcome, and when it is called again, others decide. */
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Outcome } from './outcome.ts';
import { readBeginning } from './read-beginning.ts';
import { retryAfterOf } from './retry-after.ts';
import { sign } from './sign.ts';
import type { WebhookNetwork } from './webhook-network.ts';
import { describeAnswer } from './webhook-reason.ts';
import { checkWebhookUrl } from './webhook-url.ts';

export interface WebhookCall {
  /** `evt_` and the event's id, the same at each attempt. */
  id: string;
  url: string;
  /** Newest first. */
  secrets: string[];
  body: string;
}

/**
 * Sends a call, signed with the time `now` in milliseconds since 1970. It lasts 15 s at most, whatever the receiver does,
 * and follows no redirect. A URL or secret that is not allowed refuses the webhook, as 410 does.
 */
export async function sendWebhook(call: WebhookCall, network: WebhookNetwork, now: number): Promise<Outcome> {
  const url = checkWebhookUrl(call.url, network.onLoopback);
  if (!url.ok) {
    return { is: 'dead', reason: `the URL is refused: ${url.failure}`, refuses: true };
  }
  const signed = await sign(call, Math.floor(now / 1000));
  if (!signed.ok) {
    return { is: 'dead', reason: signed.failure, refuses: true };
  }
  // It also ends the reading of the answer.
  const signal = AbortSignal.timeout(limits.webhook.timeout);
  const headers = { 'content-type': 'application/json', 'user-agent': 'uniform-builder', ...signed.value };
  const init = { method: 'POST', headers, body: call.body, redirect: 'manual', signal } as const;
  const response = await fetchAsData(network, url.value, init);
  return response.ok ? outcomeOf(response.value, url.value, now) : { is: 'failed', reason: response.failure };
}

/** The failure is a reason. */
async function fetchAsData(
  { fetch }: WebhookNetwork,
  url: string,
  init: RequestInit,
): Promise<Result<Response, string>> {
  try {
    return ok(await fetch(url, init));
  } catch (error) {
    return fail(reasonOf(error));
  }
}

async function outcomeOf(response: Response, url: string, now: number): Promise<Outcome> {
  if (response.ok) {
    // Nobody reads it, and whether all of it comes says nothing about whether the call was taken.
    response.body?.cancel().catch(() => {});
    return { is: 'sent' };
  }
  const text = await readBeginning(response.body, limits.webhook.answerBytes);
  const reason = describeAnswer(response.status, text, url);
  if (response.status === 410) {
    return { is: 'dead', reason, refuses: true };
  }
  const saysWhen = response.status === 429 || response.status === 503;
  const retryAfter = saysWhen ? retryAfterOf(response.headers, now) : undefined;
  return { is: 'failed', reason, ...(retryAfter !== undefined && { retryAfter }) };
}

/**
 * Messages of `fetch` name addresses or nothing, so that none is kept. workerd doesn't tell apart a name that nobody knows,
 * an address that its network refuses and an answer that isn't HTTP, nor a refused connection and a lost one; Node has codes.
 */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === 'TimeoutError') {
    return `no answer within ${limits.webhook.timeout / 1000} s`;
  }
  const lost = message === 'Network connection lost.';
  return (
    cause?.code ?? (lost ? 'the connection was refused or lost' : 'no public address, or no answer in HTTP')
  );
}
