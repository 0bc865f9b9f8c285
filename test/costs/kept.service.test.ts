/** What requests leave in the database and its backends is bounded, however many spellings, shapes and keys a caller has. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RawRequest } from '../fuzz/send.ts';
import { budget } from './budget.ts';
import { postQuote, query } from './quotes.ts';
import { expectCheap, useTarget } from './target.ts';

const target = useTarget();

describe('invented names of time zones, each of which Postgres would cache for the life of a backend', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  let named = 0;
  /** A new time zone in POSIX's syntax: letters and an offset. */
  function newZone(): string {
    named += 1;
    const name = [26 ** 3, 26 ** 2, 26, 1].map(place => letters[Math.floor(named / place) % 26]).join('');
    return `${name}${named % 9}`;
  }
  const list = (length: number, make: () => string) => Array.from({ length }, make).join(',');
  const graphics = (parameters: Record<string, string>, headers = {}): RawRequest => ({
    path: `/rest/v1/graphics?${query({ select: 'id', ...parameters })}`,
    headers: { ...target.callers.anonymous, ...headers },
  });
  const times = () => list(700, () => `1-1-1 ${newZone()}`);
  const filters = () => list(190, () => `created_at.gt.2026-01-01 10:00 ${newZone()}`);

  it.each<[string, number, () => RawRequest]>([
    ['a list of timestamps', 20, () => graphics({ created_at: `in.(${times()})` })],
    ['many filters on a timestamp', 20, () => graphics({ or: `(${filters()})` })],
    ['Prefer', 1000, () => graphics({}, { prefer: `timezone=${newZone()}` })],
  ])('use no permanent memory in %s', { tags: ['full'] }, async (_, count, make) => {
    await target.attack(Array.from({ length: 20 }, () => graphics({ created_at: 'gt.2026-01-01' })));
    const outcome = await target.attack(Array.from({ length: count }, make));
    expectCheap(outcome);
    expect(outcome.usage.backendMegabytes).toBeLessThan(budget.keptMegabytes);
  });
});

it.each([
  ['three POSTs of a megabyte with 15 aliases', 3, 1_000_000, 15, 1],
  ['many POSTs of a caller', 200, 50_000, 1, budget.idempotencyMegabytes],
])('the responses stored by Idempotency-Key are bounded after %s', async (_, count, bytes, aliases, megabytes) => {
  const select = Array.from({ length: aliases }, (_, n) => `c${n}:customization`).join(',');
  const requests = Array.from({ length: count }, () => ({
    ...postQuote(
      target,
      { customization: { a: 'x'.repeat(bytes) } },
      { 'idempotency-key': randomUUID(), prefer: 'return=representation' },
    ),
    path: `/rest/v1/quotes?select=${select}`,
  }));
  expectCheap(await target.attack(requests, Math.min(4, count)));
  const [kept] = await target.service.sql<{ bytes: string }[]>`
    select coalesce(sum(octet_length(to_jsonb(k)::text)), 0) as bytes from builder.idempotency_keys k`;
  expect(Number(kept?.bytes)).toBeLessThan(megabytes * 1024 * 1024);
  await target.service.sql`truncate builder.idempotency_keys`;
});
