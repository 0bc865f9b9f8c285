/** Rounds in which the servers take turns, so that what the machine does besides falls on all of them. */
import type { Database } from './place.ts';

export interface Rounds {
  rounds: number;
  seconds: number;
}

/** One thing that is measured, and how to measure it for some seconds. */
export interface Turn<Figure extends string> {
  name: string;
  measure(seconds: number): Promise<Record<Figure, number>>;
}

/** What each round found, by the name of the turn. */
export type Found<Figure extends string> = Record<string, Record<Figure, number>[]>;

/** A figure that was measured in several rounds: the median, the lowest and the highest. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

export interface Measured<Figure extends string> {
  /** By server. */
  servers: Record<string, Record<Figure, Spread>>;
  /** Ours divided by each other's of the same round, by the other. */
  ratios: Record<string, Record<Figure, Spread>>;
}

const warmUpSeconds = 6;

/** Every second round goes through the turns from last to first. */
export async function takeTurns<Figure extends string>(
  database: Database,
  turns: Turn<Figure>[],
  { rounds, seconds }: Rounds,
): Promise<Found<Figure>> {
  const found: Found<Figure> = Object.fromEntries(turns.map(({ name }) => [name, []]));
  // What is measured first would pay for what is compiled, cached and connected.
  for (const { measure } of turns) {
    await measure(warmUpSeconds);
  }
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of round % 2 === 0 ? turns : turns.toReversed()) {
      // What was written before is not the next one's to pay.
      await database.clean();
      found[name]?.push(await measure(seconds));
    }
  }
  await database.clean();
  return found;
}

/** The servers' figures, and ours beside each other's. */
export function measuredOf<Figure extends string>(found: Found<Figure>): Measured<Figure> {
  const { ours = [], ...others } = found;
  return {
    servers: mapValues(found, spreadsOf),
    ratios: mapValues(others, rounds => spreadsOf(ratiosOf(ours, rounds))),
  };
}

/** One figure divided by another one of the same round. */
export const ratioOf = (figures: number[], by: number[]): Spread =>
  spreadOf(figures.map((figure, round) => figure / (by[round] ?? Number.NaN)));

function ratiosOf<Figure extends string>(
  ours: Record<Figure, number>[],
  theirs: Record<Figure, number>[],
): Record<Figure, number>[] {
  return ours.map((figures, round) =>
    mapValues(figures, (figure, name) => figure / (theirs[round]?.[name] ?? Number.NaN)),
  );
}

function spreadsOf<Figure extends string>(rounds: Record<Figure, number>[]): Record<Figure, Spread> {
  const [first = {} as Record<Figure, number>] = rounds;
  return mapValues(first, (_, name) => spreadOf(rounds.map(round => round[name])));
}

function mapValues<Name extends string, Before, After>(
  values: Record<Name, Before>,
  change: (value: Before, name: Name) => After,
): Record<Name, After> {
  const entries = Object.entries(values) as [Name, Before][];
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value, name)])) as Record<
    Name,
    After
  >;
}

const spreadOf = (rounds: number[]): Spread => ({
  median: percentile(rounds, 50),
  low: Math.min(...rounds),
  high: Math.max(...rounds),
});

/** The smallest value that at least `percent` of the values do not exceed. */
export function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** `12.3 (11.8–14.0)`: the median, the lowest and the highest round. */
export const tell = ({ median, low, high }: Spread, digits = 0): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
