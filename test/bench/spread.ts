/** A figure that was measured in several rounds: its median, and how far the rounds differ. */

export interface Spread {
  median: number;
  /** The lowest and the highest round. */
  low: number;
  high: number;
  /** In the order of the rounds. */
  rounds: number[];
}

/** The middle one, or the mean of the middle two. */
export function medianOf(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [lower, upper] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2;
}

export const spreadOf = (rounds: number[]): Spread => ({
  median: medianOf(rounds),
  low: Math.min(...rounds),
  high: Math.max(...rounds),
  rounds,
});

/** Each figure's spread. */
export function spreadsOf<Name extends string>(rounds: Record<Name, number>[]): Record<Name, Spread> {
  const names = Object.keys(rounds[0] ?? {}) as Name[];
  const spreads = names.map(name => [name, spreadOf(rounds.map(round => round[name]))]);
  return Object.fromEntries(spreads) as Record<Name, Spread>;
}

/** Of each figure: ours divided by theirs in the same round, when the machine did the same besides. */
export function ratiosOf<Name extends string>(
  ours: Record<Name, Spread>,
  theirs: Record<Name, Spread>,
): Record<Name, Spread> {
  const names = Object.keys(ours) as Name[];
  const ratios = names.map(name => [
    name,
    spreadOf(ours[name].rounds.map((value, round) => value / (theirs[name].rounds[round] ?? Number.NaN))),
  ]);
  return Object.fromEntries(ratios) as Record<Name, Spread>;
}

/** `12.3 (11.8–14.0)`: the median, the lowest and the highest round. */
export const tell = ({ median, low, high }: Spread, digits = 0): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
