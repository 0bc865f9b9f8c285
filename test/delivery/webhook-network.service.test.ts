/** Which addresses webhooks can be at, where workerd runs on a machine of our own: whatever name leads to them. */
import type { WorkerOptions } from 'miniflare';
import { expect, it } from 'vitest';
import { createSecret } from '../../functions/delivery/sign.ts';
import { readWorkerOptions } from '../../functions/local/worker.ts';
import { use } from '../setup/use.ts';
import { startReceivers } from './receivers.ts';
import { startTestWorker } from './test-worker.ts';

/** The network that `npm start` gives to webhooks. */
const worker = use(async () => {
  const { WEBHOOK_NETWORK } = (await readWorkerOptions()).serviceBindings ?? {};
  return startTestWorker('caller', { serviceBindings: { WEBHOOK_NETWORK } } as Partial<WorkerOptions>);
}, 'stop');
const receivers = use(startReceivers, 'stop');

/** Asks for a host by the network of webhooks, or as all other code does. Returns the status, or the error. */
async function ask(scheme: string, host: string, network: 'webhooks' | 'any'): Promise<string> {
  const url = `${scheme}://${host}:${new URL(receivers.url).port}/200`;
  return (await fetch(`${worker.url}/?${new URLSearchParams({ url, network })}`)).text();
}

const blocked = () => worker.logs.filter(line => line.includes('blocked by restrictPeers')).length;

it('all other code reaches this machine', async () => {
  expect(await ask('http', 'localhost', 'any')).toBe('200');
});

it.each([
  // A name, which is resolved to 127.0.0.1 or ::1.
  'localhost',
  ...['127.0.0.1', '127.255.255.254', '0x7f000001', '0.0.0.0', '10.0.0.1', '172.31.255.255', '192.168.1.1'],
  ...['100.64.0.1', '169.254.169.254', '224.0.0.1', '255.255.255.255'],
  ...['[::]', '[::1]', '[::ffff:127.0.0.1]', '[fd00::1]', '[fe80::1]'],
])('the network of webhooks refuses %s by the address that it would connect to', async host => {
  const calls = await receivers.calls();
  for (const scheme of ['http', 'https']) {
    const before = blocked();
    expect(await ask(scheme, host, 'webhooks')).toMatch(/^Error: internal error/);
    await expect.poll(blocked).toBe(before + 1);
  }
  expect(await receivers.calls()).toEqual(calls);
});

it('a webhook at http://127.0.0.1 is refused without the setting WEBHOOKS_ON_LOOPBACK', async () => {
  const call = { id: 'evt_1', url: `${receivers.url}/204`, secrets: [createSecret()], body: '{}' };
  const response = await fetch(worker.url, { method: 'POST', body: JSON.stringify(call) });
  expect(await response.json()).toMatchObject({ is: 'refused' });
});
