import { sweepJobs } from '../../../schema/sweep-jobs.ts';

/** The logged numbers of rows with their labels: "quotes expired 2, notifications pruned 0". */
export const countsOf = (swept: Record<string, number>): string =>
  sweepJobs
    .filter(({ logged }) => logged in swept)
    .map(({ name, logged }) => `${name} ${swept[logged]}`)
    .join(', ');
