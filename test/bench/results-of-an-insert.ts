/** Results for tests: an insert is faster than PostgREST's, but for the slowest in a hundred. */
import type { Results } from './bench.ts';
import { summariseOthers } from './other-programs.ts';
import { ratiosOf, spreadOf } from './spread.ts';

const fullLoad = (throughput: number) => ({
  throughput: spreadOf([throughput]),
  p50: spreadOf([10]),
  p99: spreadOf([30]),
  serverCpu: spreadOf([500]),
  postgresCpu: spreadOf([400]),
  cpu: spreadOf([900]),
});
const [fast, slow] = [fullLoad(1800), fullLoad(1200)];

const times = (p50: number, p99: number) => ({ p50, p90: 9, p99, p999: 40, max: 50 });
const spreads = (p50: number, p99: number) => ({
  p50: spreadOf([p50]),
  p90: spreadOf([9]),
  p99: spreadOf([p99]),
  p999: spreadOf([40]),
  max: spreadOf([50]),
});

const about = {
  date: '2026-01-31',
  machine: '2 cores, A CPU',
  versions: { workerd: '1.2.3', PostgREST: '12.0.2' },
  rounds: 1,
  seconds: 4,
  others: summariseOthers([0.03]),
};

export const insertResults: Results = {
  about: { throughput: about, distribution: about },
  throughput: [
    {
      job: 'an insert, with representation',
      goal: 1.5,
      servers: { ours: fast, PostgREST: slow, Postgres: fullLoad(2900) },
      ratios: ratiosOf(fast, slow),
      others: [0.03],
    },
  ],
  distribution: [
    {
      job: 'an insert, with representation',
      rate: 600,
      all: { ours: times(2, 30), PostgREST: times(3, 20) },
      servers: { ours: spreads(2, 30), PostgREST: spreads(3, 20) },
      ratios: ratiosOf(spreads(2, 30), spreads(3, 20)),
      others: [0.03],
    },
  ],
};
