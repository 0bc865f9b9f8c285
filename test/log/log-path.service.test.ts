/** The path and the reason in the log line of a request. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { startService, useService } from '../setup/service.ts';

const service = useService();

/** The log line of a GET. */
async function lineOf(path: string, headers: Record<string, string> = {}): Promise<string> {
  const id = randomUUID();
  await (await service.fetch(path, { headers: { 'x-request-id': id, ...headers } })).text();
  const line = () => service.logs.find(logged => logged.includes(id)) ?? '';
  await expect.poll(line).not.toBe('');
  return line();
}

it('logs an unknown path without its query', async () => {
  const line = await lineOf('/rest/v1/orders?name=eq.Planted%20Value');
  expect(line).toContain('"path":"/rest/v1/orders"');
  expect(line).toContain('"status":404');
});

it('logs only the beginning of a long path', async () => {
  const line = await lineOf(`/wp-admin/${'x'.repeat(5000)}`);
  expect(line).toMatch(/"path":"\/wp-admin\/x{90}"/);
});

it('logs no token of a link that stops e-mail, however it is written', async () => {
  const token = `${randomUUID()}.${'A'.repeat(43)}`;
  const links = [`/unsubscribe/${token}/`, `/unsubscribe/${token}/more`, `//unsubscribe/${token}`];
  for (const path of [...links, `/rest/v1/${token.replace('.', '%2E')}`]) {
    const line = await lineOf(path);
    expect(line).toContain('"status":404');
    expect(line).not.toContain('A'.repeat(43));
  }
});

it('logs a health check that fails, with its reason, and no other', async () => {
  const bindings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const { fetch, logs, stop } = await startService({ bindings });
  expect((await fetch('/health')).status).toBe(503);
  await expect.poll(() => logs.join()).toMatch(/"path":"\/health","status":503,.*"reason":"[^"]+"/);
  await stop();
  await service.fetch('/health');
  await lineOf('/rest/v1/orders');
  expect(service.logs.join()).not.toContain('"/health"');
});

it('logs why claims are refused: a token that has expired', async () => {
  const token = await service.token({ account: randomUUID(), claims: { exp: 1 } });
  const line = await lineOf('/rest/v1/quotes', {
    apikey: service.publishableKey,
    authorization: `Bearer ${token}`,
  });
  expect(line).toContain('"code":"PGRST303","reason":"JWT expired"');
});

it.each([
  ['an unknown key', 'sb_secret_unknown', '', 'The apikey is not a key of this service'],
  ['another secret', '', 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl', 'signature'],
])('logs why credentials are refused: %s', async (_, key, token, reason) => {
  const headers = {
    apikey: key || service.publishableKey,
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const line = await lineOf('/rest/v1/quotes', headers);
  expect(line).toContain('"code":"PGRST301"');
  expect(line).toMatch(new RegExp(`"reason":"[^"]*${reason}`));
  expect(line).not.toContain(key || token);
});

it('logs the collection in place of the path where there is one', async () => {
  const line = await lineOf('/rest/v1/quotes');
  expect(line).toContain('"collection":"quotes"');
  expect(line).not.toContain('"path"');
});
