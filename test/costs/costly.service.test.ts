/**
 * Thousands of random requests that are built to be expensive. `npm run fuzz -- --costly` sends more; a seed repeats a run.
 *
 * @module-tag full
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { costlyRequest, shown } from '../fuzz/costly.ts';
import { rounds } from '../setup/full-size.ts';
import { aGraphic } from '../setup/rows.ts';
import { expectCheap } from './expect-cheap.ts';
import { store, storeLargest } from './quotes.ts';
import { json, type Target, useTarget } from './target.ts';

/** Constant here; `npm run fuzz -- --costly` chooses another. */
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const amount = Number(process.env['FUZZ_REQUESTS'] ?? rounds(200, 2000));
const atOnce = 3;

const target = useTarget();
beforeAll(async () => {
  const list = (part: string, bytes: number) => part.repeat(Math.floor(bytes / part.length));
  await storeLargest(target, bytes => ({ customer_notes: 'a'.repeat(bytes) }));
  await storeLargest(target, bytes => ({ customization: { a: 'a'.repeat(bytes) } }));
  await storeLargest(target, bytes => ({ customization: { a: list('w1 w2 ', bytes) } }));
  await storeLargest(target, bytes => ({ customization: { a: `[${list('[],', bytes)}1]` } }));
  await storeLargest(target, bytes => ({ customization: { a: Array(Math.floor(bytes / 4)).fill(2) } }));
  await storeLargest(target, bytes => ({ customization: { a: Array(Math.floor(bytes / 6)).fill([2]) } }));
  await store(
    target,
    Array.from({ length: 50 }, (_, n) => ({ sport: 'golf', roster_count: n, customer_notes: `note ${n}` })),
  );
  await storeGraphic(target);
});

/** A graphic that everyone may search, with the longest description and the most tags that are accepted. */
async function storeGraphic({ service, callers }: Target): Promise<void> {
  for (const bytes of [400_000, 60_000, 9000, 1900, 400]) {
    const graphic = aGraphic({
      is_active: true,
      description: 'a'.repeat(bytes),
      tags: Array.from({ length: Math.floor(bytes / 100) }, (_, n) => `t${n}`),
    });
    const headers = { ...callers.staff, ...json };
    const init = { method: 'POST', headers, body: JSON.stringify(graphic) };
    if ((await service.fetch('/rest/v1/graphics', init)).ok) {
      return;
    }
  }
  throw new Error('No graphic was stored');
}

it('no request that is built to be expensive exceeds its budget', {
  timeout: 60_000 + amount * 500,
}, async () => {
  console.log(`seed ${seed}`);
  const requests = fc.sample(costlyRequest(target), { seed, numRuns: amount });
  const outcome = await target.attack(
    requests.map((request, turn) => ({
      ...request,
      headers: { ...request.headers, 'x-request-id': `turn-${turn}` },
    })),
    atOnce,
  );
  const statuses: Record<string, number> = {};
  for (const { status, code } of outcome.replies) {
    const answer = `${status} ${code}`.trim();
    statuses[answer] = (statuses[answer] ?? 0) + 1;
  }
  const suspects = Object.entries(outcome.usage.culprits).map(([what, turn]) => {
    const request = requests[Number(turn.slice('turn-'.length))];
    return `${what}: ${turn} ${request ? shown(request) : ''}`;
  });
  console.log(`${amount} requests with seed ${seed}:`, statuses, outcome.usage, suspects.join('\n'));
  expectCheap(outcome, { mayTakeTooLong: true, mayDeadlock: true });
  expect(statuses[200] ?? 0).toBeGreaterThan(amount / 20);
});
