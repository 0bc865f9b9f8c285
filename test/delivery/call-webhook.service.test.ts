/** What a call of a webhook comes to, whatever its receiver does: inside workerd, with receivers in another process. */
import type { WorkerOptions } from 'miniflare';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { WebhookCall } from '../../functions/delivery/call-webhook.ts';
import type { SendResult } from '../../functions/delivery/outbox.ts';
import { readWorkerOptions } from '../../functions/local/worker.ts';
import { use } from '../setup/use.ts';
import { endless, startReceivers } from './receivers.ts';
import { createSecret } from './secret.ts';
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

const callsAt = (path: string) => receivers.calls().filter(call => call.path === path);

describe('a call', () => {
  it('is a POST of exactly its body, as JSON, signed with each secret', async () => {
    const text = JSON.stringify({ text: 'ä 😀 \u2028', number: 1e21 });
    expect(await send({ url: `${receivers.url}/200?letter`, body: text, id: 'evt_letter' })).toEqual({
      is: 'sent',
    });
    const [call] = callsAt('/200?letter');
    const sent = { 'content-type': 'application/json', 'webhook-id': 'evt_letter' };
    expect(call).toMatchObject({ method: 'POST', headers: sent, body: text });
    for (const secret of secrets) {
      const headers = call?.headers as Record<string, string>;
      expect(new Webhook(secret).verify(call?.body ?? '', headers)).toEqual(JSON.parse(text));
    }
  });

  it('is not made to a URL that no webhook may have, nor without a valid secret', async () => {
    const { port } = new URL(receivers.url);
    const before = receivers.calls();
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
    expect(receivers.calls()).toEqual(before);
  });

  const endlessPaths = ['/200-and-never-ends', '/500-and-never-ends'];

  it.each(endlessPaths)('closes its connection at once after a response without end: %s', async path => {
    const call = { id: 'evt_1', url: receivers.url + path, secrets, body };
    const query = new URLSearchParams({ network: 'any', after: `${receivers.url}/when-all-is-cut` });
    const response = await fetch(`${worker.url}/?${query}`, { method: 'POST', body: JSON.stringify(call) });
    expect(await response.text()).toBe('200');
  });

  it('to a port where no server listens fails', async () => {
    expect(await send({ url: 'http://127.0.0.1:1/' })).toEqual(lost);
  });
});

const sent = { is: 'sent' };
const failed = (reason: string, retryAfter?: number) => ({
  is: 'failed',
  reason,
  ...(retryAfter !== undefined && { retryAfter }),
});
const lost = failed('the connection was refused or lost, or the response was not HTTP');

const outcomes: Record<string, object> = {
  '/200': sent,
  '/200-and-never-ends': sent,
  '/302': failed('302'),
  '/404': failed('404 Cannot POST …'),
  '/410': { is: 'refused', reason: '410 this tenant is gone' },
  '/429-seconds': failed('429 slow down', 120),
  '/503-a-week': failed('503 moving', 86_400),
  '/500-and-is-cut': failed('500 first words and'),
  '/500-and-never-ends': failed(`500 ${'x '.repeat(148)}`.trim()),
  '/500-of-many-bytes-zipped': failed(`500 ${'x '.repeat(148)}`.trim()),
  '/hangs': failed('no response within 15 s'),
  '/headers-never-end': lost,
  '/garbage': lost,
  '/is-cut': lost,
  '/echo': failed('500 v1,… v1,… to …… by …'),
};

/** By the network of all code, as on Cloudflare, and by one that is a binding, as on a machine of our own. */
const networks: [network: string, paths: string[]][] = [
  ['any', Object.keys(outcomes)],
  ['binding', ['/200', '/302', '/500-and-is-cut', '/500-and-never-ends', '/hangs', '/garbage']],
];

it.concurrent.each(
  networks,
)('each receiver is called once by the network %s, and has its outcome', async (network, paths) => {
  const results = paths.map(path => send({ url: `${receivers.url}${path}?${network}` }, network));
  const found = (await Promise.all(results)).map((result, n) => [paths[n], result]);
  expect(found).toEqual(paths.map(path => [path, outcomes[path]]));
  const called = receivers.calls().filter(({ path }) => path.endsWith(`?${network}`));
  expect(called.map(({ path }) => path).sort()).toEqual(paths.map(path => `${path}?${network}`).sort());
  expect(callsAt('/redirected')).toEqual([]);
});

it('a receiver that never stops writing is cut off, and no secret is in the log of the worker', async () => {
  await expect.poll(() => receivers.poured()).toHaveLength(6);
  for (const bytes of receivers.poured()) {
    expect(bytes).toBeLessThan(endless);
  }
  expect(worker.logs.filter(line => secrets.some(secret => line.includes(secret.slice(6))))).toEqual([]);
});

describe('the network that npm start gives to webhooks', () => {
  const local = use(async () => {
    const { WEBHOOK_NETWORK } = (await readWorkerOptions()).serviceBindings ?? {};
    return startTestWorker('caller', { serviceBindings: { WEBHOOK_NETWORK } } as Partial<WorkerOptions>);
  }, 'stop');

  /** Asks for a host by the network of webhooks, or as all other code does. Returns the status, or the error. */
  async function ask(scheme: string, host: string, network: 'webhooks' | 'any'): Promise<string> {
    const url = `${scheme}://${host}:${new URL(receivers.url).port}/200`;
    return (await fetch(`${local.url}/?${new URLSearchParams({ url, network })}`)).text();
  }
  const blocked = () => local.logs.filter(line => /connecting to \S+ is not allowed/.test(line)).length;

  it.each([
    // A name, which is resolved to 127.0.0.1 or ::1.
    'localhost',
    ...[
      '127.0.0.1',
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[fd00::1]',
    ],
  ])('refuses %s by the address that it would connect to', async host => {
    expect(await ask('http', 'localhost', 'any')).toBe('200');
    const calls = receivers.calls();
    for (const scheme of ['http', 'https']) {
      const before = blocked();
      expect(await ask(scheme, host, 'webhooks')).toMatch(/^Error: internal error/);
      await expect.poll(blocked).toBe(before + 1);
    }
    expect(receivers.calls()).toEqual(calls);
  });

  it('refuses a webhook at http://127.0.0.1 without the setting WEBHOOKS_ON_LOOPBACK', async () => {
    const call = { id: 'evt_1', url: `${receivers.url}/204`, secrets, body };
    const response = await fetch(local.url, { method: 'POST', body: JSON.stringify(call) });
    expect(await response.json()).toMatchObject({ is: 'refused' });
  });
});
