import { describe, expect, it } from 'vitest';
import { medianOf, ratiosOf, spreadOf, spreadsOf, tell } from './spread.ts';

describe('The median', () => {
  it('is the middle of an odd number of values, by size', () => {
    expect(medianOf([30, 4, 200])).toBe(30);
  });

  it('is the mean of the middle two of an even number', () => {
    expect(medianOf([40, 10, 20, 30])).toBe(25);
  });

  it('of nothing is not a number', () => {
    expect(medianOf([])).toBeNaN();
  });
});

describe('A spread', () => {
  it('has the lowest and the highest round, and keeps the order of the rounds', () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3, rounds: [3, 1, 2] });
  });

  it('is made of each figure of the rounds', () => {
    const rounds = [
      { p50: 1, p99: 10 },
      { p50: 3, p99: 20 },
    ];
    expect(spreadsOf(rounds)).toMatchObject({ p50: { median: 2 }, p99: { median: 15, rounds: [10, 20] } });
  });

  it('is told as its median, with the lowest and the highest round', () => {
    expect(tell(spreadOf([1.26, 1.1, 1.5]), 1)).toBe('1.3 (1.1–1.5)');
  });
});

describe('A ratio', () => {
  it('compares what was measured in the same round', () => {
    // Between the rounds the machine became twice as slow: to neither server's cost.
    const ours = { throughput: spreadOf([3000, 1500]) };
    const theirs = { throughput: spreadOf([2000, 1000]) };
    expect(ratiosOf(ours, theirs).throughput).toEqual({
      median: 1.5,
      low: 1.5,
      high: 1.5,
      rounds: [1.5, 1.5],
    });
  });
});
