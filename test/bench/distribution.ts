/**
 * How long requests take at a constant rate that both servers sustain: half of what the slower one answered under full
 * load just before. At full load each server would be asked something else, as much as it can take.
 */
import { loadAtRate } from './constant-rate.ts';
import type { Contestant } from './contestants.ts';
import { customers, interleaved, type Job, jobs } from './jobs.ts';
import type { Database } from './place.ts';
import { type Measured, measuredOf, type Rounds, takeTurns, tell } from './rounds.ts';
import { connections, loadFully } from './throughput.ts';

/** Milliseconds from when a request was due. */
export interface DistributionResult extends Measured<'p50' | 'p99' | 'p999'> {
  job: string;
  /** Requests a second. */
  rate: number;
}

const capacitySeconds = 2;

export async function measureDistribution(
  database: Database,
  contestants: Contestant[],
  rounds: Rounds,
): Promise<DistributionResult[]> {
  const results: DistributionResult[] = [];
  for (const job of jobs.filter(({ isRefused }) => !isRefused)) {
    const requests = interleaved(job, customers);
    const rate = await sustainedRate(database, contestants, job);
    const turns = contestants.map(contestant => ({
      name: contestant.name,
      async measure(seconds: number) {
        const histogram = await loadAtRate({
          contestant,
          requests,
          rate,
          connections,
          seconds,
        });
        const at = (percent: number) => histogram.percentile(percent) / 1000;
        return { p50: at(50), p99: at(99), p999: at(99.9) };
      },
    }));
    const result = { job: job.name, rate, ...measuredOf(await takeTurns(database, turns, rounds)) };
    report(result);
    results.push(result);
  }
  return results;
}

async function sustainedRate(database: Database, contestants: Contestant[], job: Job): Promise<number> {
  const capacities: number[] = [];
  for (const contestant of contestants) {
    const { answered, seconds } = await loadFully(
      database,
      contestant,
      job,
      interleaved(job, customers),
      capacitySeconds,
    );
    capacities.push(answered / seconds);
  }
  return Math.round(Math.min(...capacities) / 2);
}

function report({ job, rate, servers, ratios }: DistributionResult): void {
  console.log(`\n${job}, ${rate} a second`);
  for (const [name, { p50, p99, p999 }] of Object.entries(servers)) {
    console.log(`  ${name.padEnd(9)}  p50 ${tell(p50, 1)}, p99 ${tell(p99, 1)}, p99.9 ${tell(p999, 1)} ms`);
  }
  for (const [name, { p50, p99, p999 }] of Object.entries(ratios)) {
    console.log(`  × ${name}: p50 ${tell(p50, 2)}, p99 ${tell(p99, 2)}, p99.9 ${tell(p999, 2)}`);
  }
}
