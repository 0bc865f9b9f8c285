/**
 * How long requests take at a constant rate that both servers sustain: half of what the slower one answered under full
 * load just before. At full load each server would be asked something else, as much as it can take.
 */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { loadAtRate } from './constant-rate.ts';
import type { Contestant } from './contestants.ts';
import { missedGoals } from './goals.ts';
import { type Job, jobs } from './jobs.ts';
import type { Database } from './place.ts';
import { type Measured, type Rounds, takeTurns, warmUp } from './rounds.ts';
import { ratiosOf, type Spread, tell } from './spread.ts';
import { connections, loadFully } from './throughput.ts';

const percentiles = { p50: 50, p90: 90, p99: 99, p999: 99.9, max: 100 };
export type Percentile = keyof typeof percentiles;

/** Milliseconds from when a request was due. */
export interface DistributionResult extends Measured<Percentile> {
  job: string;
  /** Requests a second. */
  rate: number;
  /** Of the requests of all rounds together, by server: a round has few that are slower than p99.9. */
  all: Record<string, Record<Percentile, number>>;
  /** Ours to PostgREST's. */
  ratios?: Record<Percentile, Spread>;
}

const capacitySeconds = 2;

export async function measureDistribution(
  database: Database,
  contestants: Contestant[],
  rounds: Rounds,
): Promise<DistributionResult[]> {
  const results: DistributionResult[] = [];
  for (const job of jobs) {
    const rate = await sustainedRate(database, contestants, job);
    const all = new Map(contestants.map(({ name }) => [name, createHistogram()]));
    const turns = contestants.map(contestant => ({
      name: contestant.name,
      async measure(seconds: number) {
        const load = { contestant, requests: job.requests, rate, connections, seconds };
        const histogram = await loadAtRate(load);
        all.get(contestant.name)?.add(histogram);
        return millisecondsOf(histogram);
      },
    }));
    await warmUp(turns);
    for (const histogram of all.values()) {
      histogram.reset();
    }
    const measured = await takeTurns(database, turns, rounds);
    const { ours, PostgREST: theirs } = measured.servers;
    const result: DistributionResult = {
      job: job.name,
      rate,
      all: Object.fromEntries([...all].map(([name, histogram]) => [name, millisecondsOf(histogram)])),
      ...measured,
      ...(ours && theirs && { ratios: ratiosOf(ours, theirs) }),
    };
    report(result);
    results.push(result);
  }
  return results;
}

async function sustainedRate(database: Database, contestants: Contestant[], job: Job): Promise<number> {
  const capacities: number[] = [];
  for (const contestant of contestants) {
    const { answered, seconds } = await loadFully(database, contestant, job, capacitySeconds);
    capacities.push(answered / seconds);
  }
  return Math.round(Math.min(...capacities) / 2);
}

function millisecondsOf(histogram: RecordableHistogram): Record<Percentile, number> {
  const at = Object.entries(percentiles).map(([name, percent]) => [
    name,
    histogram.percentile(percent) / 1000,
  ]);
  return Object.fromEntries(at) as Record<Percentile, number>;
}

function report({ job, rate, servers, all, ratios }: DistributionResult): void {
  const compared = ratios ? `: p50 ${tell(ratios.p50, 2)} × PostgREST's, p99 ${tell(ratios.p99, 2)} ×` : '';
  console.log(`\n${job}, ${rate} a second${compared}`);
  for (const [name, { p50, p90, p99 }] of Object.entries(servers)) {
    const { p999 = 0, max = 0 } = all[name] ?? {};
    console.log(
      [
        `  ${name.padEnd(9)}`,
        `p50 ${tell(p50, 1)}`.padEnd(19),
        `p90 ${tell(p90, 1)}`.padEnd(19),
        `p99 ${tell(p99, 1)}`.padEnd(21),
        `p99.9 ${p999.toFixed(1)}`.padEnd(12),
        `max ${max.toFixed(1)} ms`,
      ].join('  '),
    );
  }
  for (const sentence of missedGoals(ratios ?? {})) {
    console.log(`  ${sentence}`);
  }
}
