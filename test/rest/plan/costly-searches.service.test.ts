/** Searches that would run for ever are stopped by the statement timeout or by a limit. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { customer, staff } = useCallers(service, account);
beforeAll(async () => {
  for (const text of ['a'.repeat(1_000_003), 'lion tiger '.repeat(20_000)]) {
    await customer.send('POST', '/quotes', aQuote(account, { customization: { text } }));
  }
});

const search = (filter: string) =>
  customer.get(`/quotes?select=id&customization->>text=${encodeURIComponent(filter)}`);

it('a search that costs much is cancelled, and the error names the time limit', async () => {
  const pattern = encodeURIComponent('^(a+)(a+)(a+)(a+)\\4\\3\\2\\1b?$');
  const { status, body } = await staff.get(`/quotes?select=id&customization->>text=match.${pattern}`);
  expect([status, body.code, body.hint]).toEqual([504, '57014', expect.stringContaining('simplify')]);
});

it.each([
  ['match.(((a{255}){255}){255})', 400],
  [`match.${'(.*'.repeat(20)}a${')'.repeat(20)}c`, 200],
  [`like.*${'a'.repeat(40)}b`, 200],
  [`fts.${Array(1500).fill('lion').join('|')}`, 200],
])('a search that could cost much is refused or done at once: %s', async (filter, status) => {
  const reply = await search(filter);
  expect(reply.status, reply.text).toBe(status);
});
