import { describe, expect, it } from 'vitest';
import { missedGoals, tellBehind } from './goals.ts';
import { insertResults } from './results-of-an-insert.ts';
import { spreadOf } from './spread.ts';

describe('A goal', () => {
  it('is met by its throughput, and a p99 that is no worse', () => {
    expect(missedGoals({ throughput: spreadOf([1.5]), p99: spreadOf([1]) }, 1.5)).toEqual([]);
  });

  it('is missed by less throughput', () => {
    expect(missedGoals({ throughput: spreadOf([1.4]), p99: spreadOf([0.9]) }, 1.5)).toEqual([
      "GOAL MISSED: 1.40 × PostgREST's throughput, not 1.5 ×",
    ]);
  });

  it('is missed by a worse p99', () => {
    expect(missedGoals({ p99: spreadOf([1.06]) })).toEqual(["GOAL MISSED: p99 is 1.06 × PostgREST's, worse"]);
  });

  it('is not missed by less than a hundredth', () => {
    expect(missedGoals({ p99: spreadOf([1.004]) })).toEqual([]);
  });

  it('is not judged without PostgREST', () => {
    expect(missedGoals({}, 1.5)).toEqual([]);
  });
});

describe('Where ours is behind PostgREST', () => {
  it('is named by job, with its figures: a lower throughput, or a longer time', () => {
    expect(tellBehind(insertResults)).toBe('Behind PostgREST: an insert (p99 1.50 ×).');
  });

  it('is nowhere when nothing is worse', () => {
    const { throughput = [] } = insertResults;
    expect(tellBehind({ throughput })).toBe('Nowhere behind PostgREST.');
  });

  it('is not told without PostgREST', () => {
    const throughput = insertResults.throughput?.map(({ ratios: _, ...alone }) => alone) ?? [];
    expect(tellBehind({ throughput })).toBe('');
  });
});
