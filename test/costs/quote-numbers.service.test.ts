/** Quote numbers after one account has used all of a year's. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { expectCheap } from './expect-cheap.ts';
import { json, useTarget } from './target.ts';

const target = useTarget();
beforeAll(async () => {
  const { sql } = target.service;
  await sql`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
    select ${randomUUID()}, 'QT-' || extract(year from now() at time zone 'UTC') || '-' || lpad(n::text, 5, '0'),
      ${randomUUID()}, 'golf', '{}'
    from generate_series(1, 99999) as n`;
}, 120_000);

const ask = () => ({
  method: 'POST',
  path: '/rest/v1/rpc/next_quote_number',
  headers: { ...target.callers.customer, ...json },
  body: '{}',
});

it('another customer is still offered a number', { timeout: 60_000 }, async () => {
  const outcome = await target.attack([ask()]);
  expectCheap(outcome);
  expect(outcome.replies[0]).toMatchObject({
    status: 200,
    text: expect.stringMatching(/^"QT-\d{4}-\d{5,}"$/),
  });
});

it('sixty concurrent requests are each offered a different number', { timeout: 120_000 }, async () => {
  const outcome = await target.attack(Array.from({ length: 60 }, ask), 60);
  expectCheap(outcome);
  const numbers = outcome.replies.filter(({ status }) => status === 200).map(({ text }) => text);
  expect(numbers.length).toBe(60);
  expect(new Set(numbers).size).toBe(60);
});
