/** CSV with quotes that make a naive parser quadratic. */
import { expect, it } from 'vitest';
import { sample } from '../setup/full-size.ts';
import { expectCheap } from './expect-cheap.ts';
import { useTarget } from './target.ts';

const target = useTarget();

const megabyte = 1024 * 1024;
/** A megabyte: the start, spaces, and the end. */
const padded = (start: string, end = ''): string =>
  start + ' '.repeat(megabyte - start.length - end.length) + end;

const bodies: [string, string][] = [
  ['quotes that close too early, then spaces', padded('"x'.repeat(megabyte / 4))],
  ['quotes that close too early, spaces and a comma', padded('"x'.repeat(megabyte / 4), ',')],
  ['quotes that close too early, spaces and a line end', padded('"x'.repeat(megabyte / 4), '\n')],
  ['quoted fields without a comma between them', padded('"x"x'.repeat(megabyte / 8))],
  ['one quote that never closes', padded('"')],
  ['quotes and line ends', '"\n'.repeat(megabyte / 2)],
  ['doubled quotes only', '"'.repeat(megabyte - 1)],
  ['carriage returns only', 'a\r'.repeat(megabyte / 2)],
  ['commas only', ','.repeat(megabyte)],
  ['line ends only', '\n'.repeat(megabyte)],
  ['a hundred thousand names', Array.from({ length: 100_000 }, (_, n) => `a${n}`).join(',')],
  ['short lines under many names', `${'a,'.repeat(20_000)}a\n${'b\n'.repeat(20_000)}`],
];
const headers = { 'content-type': 'text/csv' };

it.each(sample(3, bodies))(
  'of %s is not read for a caller that may not write',
  { timeout: 180_000 },
  async (_, body) => {
    const outcome = await target.attack([
      { method: 'POST', path: '/rest/v1/quotes', headers: { ...target.callers.anonymous, ...headers }, body },
    ]);
    expectCheap(outcome);
    expect(outcome.replies[0]?.status).toBe(401);
  },
);

it.each(sample(6, bodies))(
  'of %s is refused to staff at its first error',
  { timeout: 180_000 },
  async (_, body) => {
    const outcome = await target.attack([
      { method: 'POST', path: '/rest/v1/graphics', headers: { ...target.callers.staff, ...headers }, body },
    ]);
    expectCheap(outcome);
    expect(outcome.replies[0]?.status).toBeGreaterThanOrEqual(400);
  },
);
