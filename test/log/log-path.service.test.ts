/** The path in the log line of a request that belongs to no collection. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useService } from '../setup/service.ts';

const service = useService();

/** The log line of a GET. */
async function lineOf(path: string): Promise<string> {
  const id = randomUUID();
  await (await service.fetch(path, { headers: { 'x-request-id': id } })).text();
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

it('logs the collection in place of the path where there is one', async () => {
  const line = await lineOf('/rest/v1/quotes');
  expect(line).toContain('"collection":"quotes"');
  expect(line).not.toContain('"path"');
});
