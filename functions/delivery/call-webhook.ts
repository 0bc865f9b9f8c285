/** Calls a webhook once. The database decides about further attempts. */
import type { Env } from '../common/env.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { deliveryLimits } from './delivery-limits.ts';
import type { SendResult, WebhookEvent } from './outbox.ts';
import { describeResponse } from './reason.ts';
import { sign } from './sign.ts';
import { checkWebhookUrl, isOnLoopback } from './webhook-url.ts';

/**
 * Returns the JSON body of a call about an event. It contains no prices, notes or contacts, so that a webhook with a wrong URL reveals
 * little.
 */
export const webhookBody = (id: string, row: WebhookEvent): string =>
  JSON.stringify({
    type: row.event,
    timestamp: row.created_at,
    data: {
      id,
      event_id: row.event_id,
      quote_id: row.quote_id,
      quote_number: row.quote_number,
      account_id: row.account_id,
      status: row.status,
      previous_status: row.previous_status,
      fulfillment_status: row.fulfillment_status,
      updated_at: row.updated_at,
    },
  });

export interface WebhookNetwork {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether `http://127.0.0.1:<port>` is allowed. */
  onLoopback: boolean;
}

/**
 * Returns the network of a worker. In workerd on our own machine, a name may resolve to a private address. The binding
 * WEBHOOK_NETWORK checks the resolved address and refuses such connections. On Cloudflare there is no such binding, and no
 * private network.
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
  /** The same at each attempt. */
  id: string;
  url: string;
  /** Newest first. */
  secrets: string[];
  body: string;
}

/**
 * Sends a call, signed with the time `now` in milliseconds since 1970. It takes at most 15 s and follows no redirects. Like a
 * 410, an invalid URL or secret counts as `refused`.
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
  // Also bounds reading the response.
  const signal = AbortSignal.timeout(deliveryLimits.webhook.timeout);
  const headers = { 'content-type': 'application/json', 'user-agent': 'uniform-builder', ...signed.value };
  const init = { method: 'POST', headers, body: call.body, redirect: 'manual', signal } as const;
  const response = await fetchAsData(network, url.value, init);
  return response.ok ? resultOf(response.value, url.value, now) : { is: 'failed', reason: response.failure };
}

/** Fetches without throwing. The failure is a reason. */
async function fetchAsData(
  { fetch }: WebhookNetwork,
  url: string,
  init: RequestInit,
): Promise<Result<Response, string>> {
  try {
    return ok(await fetch(url, init));
  } catch (error) {
    return fail(reasonOfError(error));
  }
}

async function resultOf(response: Response, url: string, now: number): Promise<SendResult> {
  if (response.ok) {
    // The body is not needed: the status alone means success.
    response.body?.cancel().catch(() => {});
    return { is: 'sent' };
  }
  const text = await readBeginning(response.body, deliveryLimits.webhook.answerBytes);
  const reason = describeResponse(response.status, text, url);
  if (response.status === 410) {
    return { is: 'refused', reason };
  }
  const saysWhen = response.status === 429 || response.status === 503;
  const retryAfter = saysWhen ? retryAfterOf(response.headers, now) : undefined;
  return { is: 'failed', reason, ...(retryAfter !== undefined && { retryAfter }) };
}

/**
 * Returns a reason for an error of `fetch`. Its message is not stored, since it may contain addresses. workerd knows two
 * kinds: a connection that is refused, lost or does not carry HTTP, and an unknown name, a refused address or failed TLS.
 * Node has error codes.
 */
function reasonOfError(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === 'TimeoutError') {
    return `no response within ${deliveryLimits.webhook.timeout / 1000} s`;
  }
  const lost = message === 'Network connection lost.';
  return (
    cause?.code ??
    (lost
      ? 'the connection was refused or lost, or the response was not HTTP'
      : 'no public address, or no TLS with a valid certificate')
  );
}

/** The forms of a date in HTTP (RFC 9110, 5.6.7): IMF-fixdate, and the obsolete ones of RFC 850 and of asctime(). */
const dateForms = [
  /^[A-Z][a-z]{2}, (?<day>\d{2} [A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]+day, (?<day>\d{2}-[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<day>[A-Z][a-z]{2} [ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/** Returns a date of HTTP in milliseconds since 1970, or NaN. A year of two digits is the one nearest to `now`. */
function parseHttpDate(text: string, now: number): number {
  const parts = dateForms.map(form => form.exec(text)?.groups).find(Boolean);
  if (parts === undefined) {
    return Number.NaN;
  }
  const { day = '', year = '', time } = parts;
  const thisYear = new Date(now).getUTCFullYear();
  const century = year.length === 2 ? 100 * Math.round((thisYear - Number(year)) / 100) : 0;
  return Date.parse(`${day.replace('-', ' ')} ${century + Number(year)} ${time} GMT`);
}

/**
 * Returns the receiver's Retry-After in seconds from now, at most a day. Undefined when it is missing, invalid or in the past.
 * `now` is in milliseconds since 1970.
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (parseHttpDate(text, now) - now) / 1000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), deliveryLimits.webhook.retryAfterSeconds) : undefined;
}

/**
 * Reads at most `bytes` bytes of a body as text. Invalid UTF-8 becomes U+FFFD. When the response is cut off, for example by
 * the request's timeout, returns the text so far. Truncated text loses its last word, which may be part of a secret.
 */
async function readBeginning(body: ReadableStream<Uint8Array> | null, bytes: number): Promise<string> {
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
  // Otherwise the connection would stay open until the signal aborts.
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
