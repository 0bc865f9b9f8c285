/** Rounds in which the servers take turns, so that what the machine does besides falls on all of them. */
import type { Database } from './place.ts';

export interface Rounds {
  rounds: number;
  seconds: number;
}

/** One server, and how to measure it for some seconds. */
export interface Turn<Figure extends string> {
  name: string;
  measure(seconds: number): Promise<Record<Figure, number>>;
}

/** A figure that was measured in several rounds: the median, the lowest and the highest. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

export interface Measured<Figure extends string> {
  /** By server. */
  servers: Record<string, Record<Figure, Spread>>;
  /** Ours divided by PostgREST's of the same round. */
  ratios?: Record<Figure, Spread>;
}

const warmUpSeconds = 2;

/** Every second round goes through the servers from last to first. */
export async function takeTurns<Figure extends string>(
  database: Database,
  turns: Turn<Figure>[],
  { rounds, seconds }: Rounds,
): Promise<Measured<Figure>> {
  const found = new Map(turns.map(({ name }) => [name, [] as Record<Figure, number>[]]));
  // What is measured first would pay for what is compiled, cached and connected.
  for (const { measure } of turns) {
    await measure(warmUpSeconds);
  }
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of round % 2 === 0 ? turns : turns.toReversed()) {
      // What was written before is not the next one's to pay.
      await database.clean();
      found.get(name)?.push(await measure(seconds));
    }
  }
  await database.clean();
  const servers = Object.fromEntries([...found].map(([name, each]) => [name, spreadsOf(each)]));
  const [ours, theirs] = [found.get('ours'), found.get('PostgREST')];
  return { servers, ...(ours && theirs && { ratios: spreadsOf(ratiosOf(ours, theirs)) }) };
}

function ratiosOf<Figure extends string>(
  ours: Record<Figure, number>[],
  theirs: Record<Figure, number>[],
): Record<Figure, number>[] {
  return ours.map((figures, round) => {
    const names = Object.keys(figures) as Figure[];
    const ratios = names.map(name => [name, figures[name] / (theirs[round]?.[name] ?? Number.NaN)]);
    return Object.fromEntries(ratios) as Record<Figure, number>;
  });
}

function spreadsOf<Figure extends string>(rounds: Record<Figure, number>[]): Record<Figure, Spread> {
  const names = Object.keys(rounds[0] ?? {}) as Figure[];
  const spreads = names.map(name => [name, spreadOf(rounds.map(round => round[name]))]);
  return Object.fromEntries(spreads) as Record<Figure, Spread>;
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
