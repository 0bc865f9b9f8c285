/** What a call of a webhook comes to, whatever its receiver does: inside workerd, with receivers in another process. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { WebhookCall } from '../../functions/delivery/call-webhook.ts';
import type { SendResult } from '../../functions/delivery/outbox.ts';
import { createSecret } from '../../functions/delivery/sign.ts';
import { use } from '../setup/use.ts';
import { endless } from './behaviours.ts';
import { startReceivers } from './receivers.ts';
import { startTestWorker } from './test-worker.ts';

const loopback = { WEBHOOK_NETWORK: { network: { allow: ['127.0.0.1/32'] } } };
const worker = use(
  () => startTestWorker('caller', { bindings: { WEBHOOKS_ON_LOOPBACK: 'on' }, serviceBindings: loopback }),
  'stop',
);
const receivers = use(startReceivers, 'stop');

const secrets = [createSecret(), createSecret()];
const body = JSON.stringify({ type: 'quote.quoted', data: { quote_number: 'QT-2026-00001' } });

async function send(call: Partial<WebhookCall>, network = ''): Promise<SendResult> {
  const whole = { id: 'evt_1', url: `${receivers.url}/204`, secrets, body, ...call };
  const response = await fetch(`${worker.url}/?network=${network}`, {
    method: 'POST',
    body: JSON.stringify(whole),
  });
  return response.json() as Promise<SendResult>;
}

const callsAt = async (path: string) => (await receivers.calls()).filter(call => call.path === path);

describe('a call', () => {
  it('is a POST of exactly its body, as JSON, signed with each secret', async () => {
    const text = JSON.stringify({ text: 'ä 😀 \u2028', number: 1e21 });
    expect(await send({ url: `${receivers.url}/200?letter`, body: text, id: 'evt_letter' })).toEqual({
      is: 'sent',
    });
    const [call] = await callsAt('/200?letter');
    expect(call).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': 'evt_letter' },
      body: text,
    });
    for (const secret of secrets) {
      const headers = call?.headers as Record<string, string>;
      expect(new Webhook(secret).verify(call?.body ?? '', headers)).toEqual(JSON.parse(text));
    }
  });

  it('is not made to a URL that no webhook may have, nor without a valid secret', async () => {
    const { port } = new URL(receivers.url);
    const before = await receivers.calls();
    for (const url of [
      `http://localhost:${port}/200`,
      `https://127.0.0.1:${port}/200`,
      'https://10.0.0.1/',
      '',
    ]) {
      const reason = expect.stringMatching(/^the URL is not allowed: its? /);
      expect(await send({ url })).toEqual({ is: 'refused', reason });
    }
    for (const secrets of [[], [createSecret(), '']]) {
      expect(await send({ secrets })).toMatchObject({ is: 'refused' });
    }
    expect(await receivers.calls()).toEqual(before);
  });

  it.each([
    '/200-and-never-ends',
    '/500-and-never-ends',
  ])('closes its connection at once after a response without end: %s', async path => {
    const call = { id: 'evt_1', url: receivers.url + path, secrets, body };
    const query = new URLSearchParams({ network: 'any', after: `${receivers.url}/when-all-is-cut` });
    const response = await fetch(`${worker.url}/?${query}`, { method: 'POST', body: JSON.stringify(call) });
    expect(await response.text()).toBe('200');
  });

  it('to a port where no server listens fails', async () => {
    expect(await send({ url: 'http://127.0.0.1:1/' })).toEqual({
      is: 'failed',
      reason: 'the connection was refused or lost',
    });
  });
});

const sent = { is: 'sent' };
const failed = (reason: string, retryAfter?: number) => ({
  ...{ is: 'failed', reason },
  ...(retryAfter !== undefined && { retryAfter }),
});
const lost = failed('the connection was refused or lost');
const notHttp = failed('no public address, or no HTTP response');

const outcomes: Record<string, object> = {
  '/102': failed('102, an interim response: only a final response can be read'),
  '/200': sent,
  '/204': sent,
  '/200-and-hangs': sent,
  '/200-and-is-cut': sent,
  '/200-and-never-ends': sent,
  '/302': failed('302'),
  '/304': failed('304'),
  '/400': failed('400 {"error": "bad signature"}'),
  '/404': failed('404 Cannot POST …'),
  '/410': { is: 'refused', reason: '410 this tenant is gone' },
  '/429-seconds': failed('429 slow down', 120),
  '/503-a-week': failed('503 moving', 86_400),
  '/500-and-hangs': failed('500 first words and'),
  '/500-and-is-cut': failed('500 first words and'),
  '/500-and-never-ends': failed(`500 ${'x '.repeat(148)}`.trim()),
  '/500-drop-by-drop': { is: 'failed', reason: expect.stringMatching(/^500( a){1,148}$/) },
  '/500-of-many-bytes-zipped': failed(`500 ${'x '.repeat(148)}`.trim()),
  '/500-says-it-is-zipped': failed('500'),
  '/hangs': failed('no response within 15 s'),
  '/headers-never-end': notHttp,
  '/garbage': notHttp,
  '/another-protocol': lost,
  '/is-cut': lost,
  '/echo': failed('500 v1,… v1,… to …… by …'),
};

/** By the network of all code, as on Cloudflare, and by one that is a binding, as on a machine of our own. */
describe.each(['any', 'binding'])('by the network %s', network => {
  it('each receiver is called once, without following redirects, and has its outcome', async () => {
    const paths = Object.keys(outcomes);
    const results = await Promise.all(
      paths.map(path => send({ url: `${receivers.url}${path}?${network}` }, network)),
    );
    expect(Object.fromEntries(paths.map((path, n) => [path, results[n]]))).toEqual(outcomes);
    const called = (await receivers.calls())
      .map(({ path }) => path)
      .filter(path => path.endsWith(`?${network}`));
    expect(called.sort()).toEqual(paths.map(path => `${path}?${network}`).sort());
    expect(await callsAt('/redirected')).toEqual([]);
  });
});

it('a receiver that never stops writing is cut off, and no secret is in the log of the worker', async () => {
  await expect.poll(() => receivers.poured()).toHaveLength(8);
  for (const bytes of await receivers.poured()) {
    expect(bytes).toBeLessThan(endless);
  }
  expect(worker.logs.filter(line => secrets.some(secret => line.includes(secret.slice(6))))).toEqual([]);
});
