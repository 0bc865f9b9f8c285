/** The size of the stored responses to requests with an Idempotency-Key. */
import { expect, it } from 'vitest';
import { budget } from './budget.ts';
import { expectCheap } from './expect-cheap.ts';
import { postQuote } from './quotes.ts';
import { useTarget } from './target.ts';

const target = useTarget();

async function bytesKept(): Promise<number> {
  const [kept] = await target.service.sql<{ bytes: string }[]>`
    select coalesce(sum(octet_length(to_jsonb(k)::text)), 0) as bytes from builder.idempotency_keys k`;
  return Number(kept?.bytes);
}

it('is less than a megabyte after three POSTs of a megabyte with 15 aliases', {
  timeout: 120_000,
}, async () => {
  const select = Array.from({ length: 15 }, (_, n) => `c${n}:customization`).join(',');
  const requests = ['one', 'two', 'three'].map(key => ({
    ...postQuote(
      target,
      { customization: { a: 'x'.repeat(1_000_000) } },
      { 'idempotency-key': key, prefer: 'return=representation' },
    ),
    path: `/rest/v1/quotes?select=${select}`,
  }));
  expectCheap(await target.attack(requests));
  expect(await bytesKept()).toBeLessThan(1024 * 1024);
});

it('is bounded for a caller, however many keys it uses', { timeout: 120_000 }, async () => {
  const requests = Array.from({ length: 200 }, (_, n) =>
    postQuote(
      target,
      { customization: { a: 'x'.repeat(50_000) } },
      { 'idempotency-key': `many-${n}`, prefer: 'return=representation' },
    ),
  );
  expectCheap(await target.attack(requests, 4));
  expect(await bytesKept()).toBeLessThan(budget.idempotencyMegabytes * 1024 * 1024);
});
