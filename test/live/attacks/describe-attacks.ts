/** What an attack must leave unharmed, and a line with the figures of each. */
import { expect, it } from 'vitest';
import {
  type AttackOptions,
  type Figures,
  isFullSize,
  measureAttack,
  sampleOfAttacks,
} from './under-attack.ts';

/** Milliseconds and megabytes that are promised, and the megabytes that a machine gets which is busy with other tests. */
const promised = { wait: 2000, grown: 100, kept: 75 };
const busy = { wait: Number.POSITIVE_INFINITY, grown: 150, kept: 75 };
const bounds = isFullSize ? promised : busy;
/** Refusals that depend on times, after which a client tries again. */
const temporary = /\b(429|503)$|PGRST001/;

/** Defines a test of each, or of some of them where not all are run. */
export function describeAttacks(
  attacks: Parameters<typeof sampleOfAttacks>[1],
  few: number,
  options: AttackOptions = {},
): void {
  it.each(sampleOfAttacks(few, attacks))('%s', { timeout: 300_000 }, async name => {
    expectUnharmed(await measureAndPrint(name, options));
  });
}

export async function measureAndPrint(name: string, options: AttackOptions = {}): Promise<Figures> {
  const figures = await measureAttack(name, options);
  console.log(lineOf(options.rateLimits ? `${name} (rate limits)` : name, figures));
  return figures;
}

/** Whatever did not happen within a minute is among the refusals. */
export function expectUnharmed({ refusals, grownMegabytes, keptMegabytes, ...waits }: Figures): void {
  const { informed, joined, rest, health } = waits;
  const late = Object.entries({ informed, joined, rest, health }).filter(([, wait]) => wait > bounds.wait);
  const refused = Object.entries(refusals).filter(([what]) => isFullSize || !temporary.test(what));
  expect({
    late: Object.fromEntries(late),
    refusals: Object.fromEntries(refused),
    tooMuch: {
      ...(grownMegabytes > bounds.grown && { grownMegabytes }),
      ...(keptMegabytes > bounds.kept && { keptMegabytes }),
    },
  }).toEqual({ late: {}, refusals: {}, tooMuch: {} });
}

/** The columns of the table behind the attack's name; milliseconds, megabytes and counts. */
const columns = [
  'calm',
  'informed',
  'joined',
  'rest',
  'health',
  'grownMegabytes',
  'leftMegabytes',
  'keptMegabytes',
  'heldMegabytes',
  'heapMegabytes',
] as const;

/** Returns a line of a table in Markdown. */
function lineOf(name: string, figures: Figures): string {
  const counts = (of: Record<string, number>) =>
    Object.entries(of)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 8)
      .map(([what, count]) => `${count} × ${what}`)
      .join('; ');
  const cells = columns.map(column => figures[column]);
  return `| ${[name, ...cells, counts(figures.refusals) || 'none', counts(figures.met)].join(' | ')} |`;
}
