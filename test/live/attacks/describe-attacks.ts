/** What an attack must leave alone, and a line with the figures of each. */
import { expect, it } from 'vitest';
import { someOf } from './size.ts';
import type { Attack } from './target.ts';
import { type AttackOptions, type Figures, measureAttack } from './under-attack.ts';

/**
 * Milliseconds, and megabytes. The promise is 2,000 ms, 100 MB and what is left after a minute; a machine that is busy with
 * other tests gets more, and as much again as it needs where nobody attacks.
 */
const bounds = { wait: 6000, perCalm: 3, grown: 150, kept: 75 };

/** A test of each, or of some of them where not all are run. */
export function describeAttacks(
  attacks: Record<string, Attack>,
  few: number,
  options: AttackOptions = {},
): void {
  const names = someOf(few, Object.keys(attacks));
  it.each(names)('%s', { timeout: 300_000 }, async name => {
    expectUnharmed(await measureAndPrint(name, options));
  });
}

export async function measureAndPrint(name: string, options: AttackOptions = {}): Promise<Figures> {
  const figures = await measureAttack(name, options);
  console.log(lineOf(options.rateLimits ? `${name} (rate limits)` : name, figures));
  return figures;
}

export function expectUnharmed({ calm, refusals, grownMegabytes, keptMegabytes, ...waits }: Figures): void {
  const { told, joined, rest, health } = waits;
  const allowed = bounds.wait + bounds.perCalm * calm;
  const late = Object.entries({ told, joined, rest, health }).filter(([, wait]) => wait > allowed);
  expect({
    late: Object.fromEntries(late),
    refusals,
    tooMuch: tooMuch(grownMegabytes, keptMegabytes),
  }).toEqual({
    late: {},
    refusals: {},
    tooMuch: {},
  });
}

const tooMuch = (grown: number, kept: number): object => ({
  ...(grown > bounds.grown && { grown }),
  ...(kept > bounds.kept && { kept }),
});

/** The columns of the table, after the attack's name; milliseconds, megabytes and counts. */
const columns = [
  'calm',
  'told',
  'joined',
  'rest',
  'health',
  'grownMegabytes',
  'leftMegabytes',
  'keptMegabytes',
  'heldMegabytes',
  'heapMegabytes',
  'rollbacks',
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
