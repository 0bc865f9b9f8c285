/** Calls a webhook once. What becomes of the outcome, and when it is called again, others decide. */
import type { Env } from '../common/env.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { deliveryLimits } from './limits.ts';
import type { SendResult, WebhookEvent } from './outbox.ts';
import { describeAnswer } from './reason.ts';
import { sign } from './sign.ts';
import { checkWebhookUrl, isOnLoopback } from './webhook-url.ts';

/**
 * Returns the JSON of an event, and nothing else that the row has: a webhook that leads to the wrong place reveals little.
 * Prices, notes and contacts never leave this way.
 */
export const webhookBody = (row: WebhookEvent): string =>
  JSON.stringify({
    type: row.event,
    timestamp: row.created_at,
    data: {
      id: row.id,
      quote_id: row.quote_id,
      quote_number: row.quote_number,
      account_id: row.account_id,
      status: row.status,
      previous_status: row.previous_status,
      fulfillment_status: row.fulfillment_status,
      updated_at: row.updated_at,
    },
  });

/** Returns the id of an event's calls to any webhook, the same at each attempt. */
export const webhookId = ({ id }: Pick<WebhookEvent, 'id'>): string => `evt_${id}`;

export interface WebhookNetwork {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether webhooks may be called at `http://127.0.0.1:<port>`. */
  onLoopback: boolean;
}

/**
 * Returns the network of a worker. In workerd on a machine of our own, names may lead to private addresses. The binding
 * WEBHOOK_NETWORK refuses them by the address that it connects to, whatever resolved the name. On Cloudflare there is no
 * such binding, and no private network.
 */
export function webhookNetwork(env: Env): WebhookNetwork {
  const onLoopback = env.WEBHOOKS_ON_LOOPBACK === 'on';
  return {
    onLoopback,
    fetch: (url, init) =>
      env.WEBHOOK_NETWORK && !(onLoopback && isOnLoopback(new URL(url)))
        ? env.WEBHOOK_NETWORK.fetch(url, init)
        : fetch(url, init),
  };
}

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
export async function callWebhook(
  call: WebhookCall,
  network: WebhookNetwork,
  now: number,
): Promise<SendResult> {
  const url = checkWebhookUrl(call.url, network.onLoopback);
  if (!url.ok) {
    return { is: 'refused', reason: `the URL is not allowed: ${url.failure}` };
  }
  const signed = await sign(call, Math.floor(now / 1000));
  if (!signed.ok) {
    return { is: 'refused', reason: signed.failure };
  }
  // It also ends the reading of the answer.
  const signal = AbortSignal.timeout(deliveryLimits.webhook.timeout);
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

async function outcomeOf(response: Response, url: string, now: number): Promise<SendResult> {
  if (response.ok) {
    // Nobody reads it, and whether all of it comes says nothing about whether the call was taken.
    response.body?.cancel().catch(() => {});
    return { is: 'sent' };
  }
  if (response.status < 200) {
    // workerd takes an interim response for the answer, which comes after it and can't be read.
    const reason = `${response.status}, an interim response: only a final response can be read`;
    return { is: 'failed', reason };
  }
  const text = await readBeginning(response.body, deliveryLimits.webhook.answerBytes);
  const reason = describeAnswer(response.status, text, url);
  if (response.status === 410) {
    return { is: 'refused', reason };
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
    return `no response within ${deliveryLimits.webhook.timeout / 1000} s`;
  }
  const lost = message === 'Network connection lost.';
  return (
    cause?.code ?? (lost ? 'the connection was refused or lost' : 'no public address, or no HTTP response')
  );
}

/** An IMF-fixdate, which is the form that servers send. */
const date = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the seconds from now on after which the receiver wants to be asked again, at most a day; undefined when it
 * doesn't say so, or names a time that is over. `now` is in milliseconds since 1970.
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : date.test(text) ? (Date.parse(text) - now) / 1000 : 0;
  return seconds > 0 ? Math.min(Math.ceil(seconds), deliveryLimits.webhook.retryAfterSeconds) : undefined;
}

/**
 * Returns the text of at most so many bytes; what is not UTF-8 becomes U+FFFD. When the answer breaks off, as it does when
 * the signal of its request is aborted, it is what has come until then. Text that is cut loses its last word, which may be
 * part of a secret.
 */
export async function readBeginning(body: ReadableStream<Uint8Array> | null, bytes: number): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = '';
  let left = bytes;
  let isWhole = body === null;
  while (reader && left > 0) {
    const result = await reader.read().catch(() => undefined);
    isWhole = result?.done === true;
    if (!result?.value) {
      break;
    }
    text += decoder.decode(result.value.subarray(0, left), { stream: true });
    left -= result.value.length;
  }
  // The connection would stay until the signal is aborted.
  reader?.cancel().catch(() => {});
  return isWhole ? text + decoder.decode() : withoutLastWord(text);
}

function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && /\S/.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(0, end);
}
