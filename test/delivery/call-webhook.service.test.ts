/** What a call of a webhook comes to, whatever its receiver does: inside workerd, with receivers in another process. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WebhookCall } from '../../functions/delivery/call-webhook.ts';
import type { SendResult } from '../../functions/delivery/outbox.ts';
import { createSecret } from '../../functions/delivery/sign.ts';
import { endless } from './behaviours.ts';
import { type CallingWorker, startCallingWorker } from './calling-worker.ts';
import { type Receivers, startReceivers } from './receivers.ts';

let worker: CallingWorker;
let receivers: Receivers;
beforeAll(async () => {
  [worker, receivers] = await Promise.all([
    startCallingWorker({ WEBHOOKS_ON_LOOPBACK: 'on' }, ['127.0.0.1/32']),
    startReceivers(),
  ]);
});
afterAll(async () => {
  await worker.stop();
  await receivers.stop();
});

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

const sendTo = (path: string, call: Partial<WebhookCall> = {}): Promise<SendResult> =>
  send({ ...call, url: `${receivers.url}${path}` });

const callsAt = async (path: string) => (await receivers.calls()).filter(call => call.path === path);

describe('a call', () => {
  it('is a POST of its body to the letter, as JSON, signed with each secret', async () => {
    const text = JSON.stringify({ text: 'ä 😀 \u2028', number: 1e21 });
    expect(await sendTo('/200?letter', { body: text, id: 'evt_letter' })).toEqual({ is: 'sent' });
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

  it('has the same id at each attempt, and is signed anew', async () => {
    const before = await sendTo('/204?twice', { id: 'evt_twice' });
    await new Promise(resolve => setTimeout(resolve, 1100));
    expect([before, await sendTo('/204?twice', { id: 'evt_twice' })]).toEqual([
      { is: 'sent' },
      { is: 'sent' },
    ]);
    const [first, second] = (await callsAt('/204?twice')).map(({ headers }) => headers);
    expect(first?.['webhook-id']).toBe('evt_twice');
    expect(second?.['webhook-id']).toBe('evt_twice');
    expect(Number(second?.['webhook-timestamp'])).toBeGreaterThan(Number(first?.['webhook-timestamp']));
    expect(second?.['webhook-signature']).not.toBe(first?.['webhook-signature']);
  });

  it('is not made to a URL that no webhook may have: the webhook is refused', async () => {
    const port = new URL(receivers.url).port;
    const before = await receivers.calls();
    for (const url of [
      `http://localhost:${port}/200`,
      `https://127.0.0.1:${port}/200`,
      'https://10.0.0.1/',
      '',
    ]) {
      expect(await send({ url })).toEqual({
        is: 'refused',
        reason: expect.stringMatching(/^the URL is not allowed: its? /),
      });
    }
    expect(await receivers.calls()).toEqual(before);
  });

  it('is not made without a signature: the webhook is refused', async () => {
    const before = await receivers.calls();
    for (const secrets of [[], ['whsec_short'], [createSecret(), '']]) {
      expect(await send({ secrets })).toMatchObject({ is: 'refused' });
    }
    expect(await receivers.calls()).toEqual(before);
  });

  it.each(['/200-and-never-ends', '/500-and-never-ends'])('closes its connection at once: %s', async path => {
    const call = { id: 'evt_1', url: receivers.url + path, secrets, body };
    const query = new URLSearchParams({ network: 'any', after: `${receivers.url}/when-all-is-cut` });
    const response = await fetch(`${worker.url}/?${query}`, { method: 'POST', body: JSON.stringify(call) });
    expect(await response.text()).toBe('200');
  });

  it('where nobody listens has failed', async () => {
    expect(await send({ url: 'http://127.0.0.1:1/' })).toEqual({
      is: 'failed',
      reason: 'the connection was refused or lost',
    });
  });
});

const sent = { is: 'sent' };
const failed = (reason: string, retryAfter?: number) => ({
  is: 'failed',
  reason,
  ...(retryAfter !== undefined && { retryAfter }),
});
const refused = (reason: string) => ({ is: 'refused', reason });
const lost = failed('the connection was refused or lost');
const noAnswer = failed('no response within 15 s');
const notHttp = failed('no public address, or no HTTP response');

const outcomes: Record<string, object> = {
  '/102': failed('102, an interim response: only a final response can be read'),
  '/200': sent,
  '/204': sent,
  '/299': sent,
  '/200-and-hangs': sent,
  '/200-and-is-cut': sent,
  '/200-and-never-ends': sent,
  '/301': failed('301'),
  '/302': failed('302'),
  '/307': failed('307'),
  '/304': failed('304'),
  '/400': failed('400 {"error": "bad signature"}'),
  '/401': failed('401 who are you?'),
  '/404': failed('404 Cannot POST …'),
  '/410': refused('410 this tenant is gone'),
  '/410-and-hangs': refused('410 gone'),
  '/429': failed('429'),
  '/429-seconds': failed('429 slow down', 120),
  '/429-date': { is: 'failed', reason: '429 slow down', retryAfter: expect.closeTo(7200, -2) },
  '/503-a-week': failed('503 moving', 86_400),
  '/500-without-a-word': failed('500'),
  '/500-and-hangs': failed('500 first words and'),
  '/500-and-is-cut': failed('500 first words and'),
  '/500-and-never-ends': failed(`500 ${'x '.repeat(148)}`.trim()),
  '/500-drop-by-drop': { is: 'failed', reason: expect.stringMatching(/^500( a){1,148}$/) },
  '/500-of-many-bytes-zipped': failed(`500 ${'x '.repeat(148)}`.trim()),
  '/500-in-bytes': failed('500 \ufffd\ufffdA\ufffd'),
  '/500-says-it-is-zipped': failed('500'),
  '/hangs': noAnswer,
  '/hangs-in-headers': noAnswer,
  '/headers-never-end': notHttp,
  '/garbage': notHttp,
  '/another-protocol': lost,
  '/ends': lost,
  '/is-cut': lost,
  '/echo': failed('500 v1,… v1,… to …… by …'),
};

describe('a receiver', () => {
  /** By the network of all code, as on Cloudflare, and by one that is a binding, as on a machine of our own. */
  const networks = ['any', 'binding'];
  const cases = networks.flatMap(network => Object.keys(outcomes).map(path => ({ network, path })));
  const pathOf = (path: string, network: string) => `${path}?${network}`;

  let received: SendResult[];
  beforeAll(async () => {
    received = await Promise.all(
      cases.map(({ network, path }) => send({ url: receivers.url + pathOf(path, network) }, network)),
    );
  });

  it.each(cases)('has its outcome, called once, and by no redirect: $path by $network', async given => {
    expect(received[cases.indexOf(given)]).toEqual(outcomes[given.path]);
    expect(await callsAt(pathOf(given.path, given.network))).toHaveLength(1);
    expect(await callsAt('/redirected')).toEqual([]);
  });

  it('that never stops writing is cut off', async () => {
    await expect.poll(() => receivers.poured()).toHaveLength(8);
    for (const bytes of await receivers.poured()) {
      expect(bytes).toBeLessThan(endless);
    }
  });

  it('has no secret of its own in the log of the worker', () => {
    const told = worker.logs.filter(line => secrets.some(secret => line.includes(secret.slice(6))));
    expect(told).toEqual([]);
  });
});
