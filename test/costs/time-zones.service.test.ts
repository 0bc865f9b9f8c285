/** Invented names of time zones: Postgres would cache each for the life of the backend. */
import { expect, it } from 'vitest';
import { sample } from '../setup/full-size.ts';
import { budget } from './budget.ts';
import { expectCheap } from './expect-cheap.ts';
import { query } from './quotes.ts';
import type { CostlyRequest } from './sender.ts';
import { useTarget } from './target.ts';

const target = useTarget();

const letters = 'abcdefghijklmnopqrstuvwxyz';
let named = 0;
/** A new time zone in POSIX's syntax: letters and an offset. */
function newZone(): string {
  named += 1;
  const name = [26 ** 3, 26 ** 2, 26, 1].map(place => letters[Math.floor(named / place) % 26]).join('');
  return `${name}${named % 9}`;
}
const list = (length: number, make: () => string) => Array.from({ length }, make).join(',');

const graphics = (parameters: Record<string, string>, headers = {}): CostlyRequest => ({
  path: `/rest/v1/graphics?${query({ select: 'id', ...parameters })}`,
  headers: { ...target.callers.anonymous, ...headers },
});

const spellings: [string, number, () => CostlyRequest][] = [
  [
    'a list of timestamps',
    20,
    () => graphics({ created_at: `in.(${list(700, () => `1-1-1 ${newZone()}`)})` }),
  ],
  [
    'many filters on a timestamp',
    20,
    () => graphics({ or: `(${list(190, () => `created_at.gt.2026-01-01 10:00 ${newZone()}`)})` }),
  ],
  [
    'an array of timestamps',
    20,
    () => graphics({ updated_at: `eq(any).{${list(700, () => `1-1-1 ${newZone()}`)}}` }),
  ],
  ['Prefer', 1000, () => graphics({}, { prefer: `timezone=${newZone()}` })],
];

it.each(sample(2, spellings))(
  'in %s use no permanent memory',
  { timeout: 120_000 },
  async (_, times, make) => {
    await target.attack(Array.from({ length: 20 }, () => graphics({ created_at: 'gt.2026-01-01' })));
    const outcome = await target.attack(Array.from({ length: times }, make));
    expectCheap(outcome);
    expect(outcome.usage.backendMegabytes).toBeLessThan(budget.keptMegabytes);
  },
);

it('in the dates of a customer use no permanent memory', { timeout: 120_000 }, async () => {
  const headers = target.callers.customer;
  const days = () => list(700, () => `2026-01-01 ${newZone()}`);
  const outcome = await target.attack(
    Array.from({ length: 20 }, () => ({
      path: `/rest/v1/quotes?${query({ select: 'id', event_date: `in.(${days()})` })}`,
      headers,
    })),
  );
  expectCheap(outcome);
  expect(outcome.usage.backendMegabytes).toBeLessThan(budget.keptMegabytes);
});
