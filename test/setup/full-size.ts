/** What takes long by nature is done in full with FULL_SIZE=1, as `.ci/run full` sets it; otherwise a few of each kind are. */
export const isFullSize = process.env['FULL_SIZE'] === '1';

/** How often to do something: a count, an amount, a duration. */
export const rounds = (few: number, full: number): number => (isFullSize ? full : few);

/** A few of the cases, spread evenly over them; all of them at full size. */
export const sample = <Case>(few: number, cases: readonly Case[]): Case[] =>
  isFullSize || cases.length <= few
    ? [...cases]
    : Array.from({ length: few }, (_, n) => cases[Math.floor((n * cases.length) / few)] as Case);
