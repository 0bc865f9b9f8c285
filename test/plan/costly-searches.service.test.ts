/** Searches that would run for ever are stopped by the statement timeout or by a limit. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { customer } = useCallers(service, account);
beforeAll(async () => {
  for (const text of ['a'.repeat(1_000_003), 'lion tiger '.repeat(20_000)]) {
    await customer.send('POST', '/quotes', aQuote(account, { customization: { text } }));
  }
});

const times = (count: number, text: string, separator = ',') => Array(count).fill(text).join(separator);
const search = (filter: string) =>
  customer.get(`/quotes?select=id&customization->>text=${encodeURIComponent(filter)}`);

describe('a search that costs much', () => {
  it('is cancelled, and the error names the time limit', async () => {
    const { status, body } = await search('match.^(a+)(a+)(a+)(a+)\\4\\3\\2\\1b?$');
    expect([status, body.code, body.hint]).toEqual([504, '57014', expect.stringContaining('simplify')]);
  });

  it.each([
    ['an expression that Postgres gives up on', 'match.(((a{255}){255}){255})', 400],
    ['an anchor in what is repeated', String.raw`match.(\y|a?){30}`, 400],
    ['a long pattern, of which a long text is full', `like.*${'a'.repeat(150)}b`, 200],
    ['a full-text query of many words', `fts.${times(1500, 'lion', '|')}`, 200],
  ])('is refused at once when it is %s', async (_, filter, status) => {
    const reply = await search(filter);
    expect(reply.status, reply.text).toBe(status);
  });
});
