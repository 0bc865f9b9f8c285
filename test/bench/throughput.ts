/** How many requests each server answers when sixteen connections send without a pause, and the CPU that each costs. */
import type { Contestant } from './contestants.ts';
import { cpuSeconds } from './cpu.ts';
import { type Job, jobs } from './jobs.ts';
import { type LoadResult, load } from './load.ts';
import type { Database } from './place.ts';
import { type Measured, type Rounds, takeTurns, tell } from './rounds.ts';

export type Figure =
  /** Requests a second. */
  | 'throughput'
  /** Milliseconds. */
  | 'p50'
  | 'p99'
  /** Microseconds of CPU a request, in the server, in Postgres, and in both. */
  | 'serverCpu'
  | 'postgresCpu'
  | 'cpu';

export interface JobResult extends Measured<Figure> {
  job: string;
}

export const connections = 16;

export async function measureThroughput(
  database: Database,
  contestants: Contestant[],
  rounds: Rounds,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const job of jobs) {
    const turns = contestants.map(contestant => ({
      name: contestant.name,
      measure: (seconds: number) => measure(database, contestant, job, seconds),
    }));
    const result = { job: job.name, ...(await takeTurns(database, turns, rounds)) };
    report(result, job.goal);
    results.push(result);
  }
  return results;
}

/** Rejects when any answer is not 2xx: a fast refusal is no result. */
export async function loadFully(
  { directory }: Database,
  contestant: Contestant,
  { name, requests }: Pick<Job, 'name' | 'requests'>,
  seconds: number,
): Promise<LoadResult> {
  const result = await load({ contestant, requests, connections, seconds, directory });
  if (result.failed > 0 || result.answered === 0) {
    throw new Error(`${contestant.name}, ${name}: ${result.answered} answers, ${result.failed} failures`);
  }
  return result;
}

async function measure(
  database: Database,
  contestant: Contestant,
  job: Job,
  seconds: number,
): Promise<Record<Figure, number>> {
  const used = () => Promise.all([cpuSeconds(contestant.process), cpuSeconds(database.postmaster)]);
  const before = await used();
  const { answered, seconds: taken, p50, p99 } = await loadFully(database, contestant, job, seconds);
  const after = await used();
  const perRequest = (index: 0 | 1) => (Math.max(0, after[index] - before[index]) / answered) * 1_000_000;
  const [serverCpu, postgresCpu] = [perRequest(0), perRequest(1)];
  return { throughput: answered / taken, p50, p99, serverCpu, postgresCpu, cpu: serverCpu + postgresCpu };
}

function report({ job, servers, ratios }: JobResult, goal: number): void {
  const compared =
    ratios &&
    `: ${tell(ratios.throughput, 2)} × PostgREST's throughput (goal ${goal}), p99 ${tell(ratios.p99, 2)} ×, CPU ${tell(ratios.cpu, 2)} ×`;
  console.log(`\n${job}${compared ?? ''}`);
  for (const [name, { throughput, p50, p99, serverCpu, postgresCpu }] of Object.entries(servers)) {
    console.log(
      `  ${name.padEnd(9)}  ${tell(throughput)}/s, p50 ${tell(p50, 1)} ms, p99 ${tell(p99, 1)} ms, CPU ${tell(serverCpu)} + ${tell(postgresCpu)} µs`,
    );
  }
}
