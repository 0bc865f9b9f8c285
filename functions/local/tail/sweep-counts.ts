import { sweepJobs } from '../../../schema/sweep-jobs.ts';

/** The numbers of rows that sweeps logged, in words: "quotes expired 2, notifications pruned 0". */
export const countsOf = (swept: Record<string, number>): string =>
  sweepJobs
    .filter(({ logged }) => logged in swept)
    .map(({ name, logged }) => `${name} ${swept[logged]}`)
    .join(', ');
