/** Attacks take half an hour at their full size: `ATTACKS=1 npm test -- test/live/attacks --no-file-parallelism`. */
export const isFullSize = process.env['ATTACKS'] === '1';

export const size = (few: number, full: number): number => (isFullSize ? full : few);

/** A few of the cases, spread evenly over them; all of them at full size. */
export const someOf = <Case>(few: number, cases: readonly Case[]): Case[] =>
  cases.filter((_, index) => isFullSize || index % Math.ceil(cases.length / few) === 0);
