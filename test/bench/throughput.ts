/** How many requests each server answers when sixteen customers send without a pause, and the CPU that each costs. */
import type { Contestant } from './contestants.ts';
import { cpuSeconds } from './cpu.ts';
import { customers, interleaved, type Job, type JobRequest } from './jobs.ts';
import { load } from './load.ts';
import type { Database } from './place.ts';
import { type Measured, measuredOf, type Rounds, takeTurns, tell } from './rounds.ts';

type Figure =
  /** Requests a second. */
  | 'throughput'
  /** Milliseconds. */
  | 'p50'
  | 'p99'
  /** Microseconds of CPU a request: of the server with all it started, of Postgres, and of both. */
  | 'serverCpu'
  | 'postgresCpu'
  | 'cpu';

export interface JobResult extends Measured<Figure> {
  job: string;
}

export const connections = customers;

export async function measureThroughput(
  database: Database,
  contestants: Contestant[],
  jobs: Job[],
  rounds: Rounds,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const job of jobs) {
    const requests = interleaved(job, customers);
    const turns = contestants.map(contestant => ({
      name: contestant.name,
      measure: (seconds: number) => measure(database, contestant, job, requests, seconds),
    }));
    const result = { job: job.name, ...measuredOf(await takeTurns(database, turns, rounds)) };
    report(result);
    results.push(result);
  }
  return results;
}

/** Rejects when any answer is not what the job is about: a fast refusal is no result. */
async function measure(
  { directory, postmaster }: Database,
  contestant: Contestant,
  { name }: Job,
  requests: JobRequest[],
  seconds: number,
): Promise<Record<Figure, number>> {
  const used = () => Promise.all([contestant.process, postmaster].map(cpuSeconds));
  const before = await used();
  const result = await load({ contestant, requests, connections, seconds, directory });
  const after = await used();
  const { answered, failed, seconds: taken, p50, p99 } = result;
  if (failed > 0 || answered === 0) {
    throw new Error(`${contestant.name}, ${name}: ${answered} answers, ${failed} failures`);
  }
  const [serverCpu = 0, postgresCpu = 0] = after.map(
    (seconds, index) => (Math.max(0, seconds - (before[index] ?? 0)) / answered) * 1_000_000,
  );
  return { throughput: answered / taken, p50, p99, serverCpu, postgresCpu, cpu: serverCpu + postgresCpu };
}

function report({ job, servers, ratios }: JobResult): void {
  console.log(`\n${job}`);
  for (const [name, { throughput, p50, p99, serverCpu, postgresCpu }] of Object.entries(servers)) {
    console.log(
      `  ${name.padEnd(11)} CPU ${tell(serverCpu)} + ${tell(postgresCpu)} µs, ${tell(throughput)}/s, p50 ${tell(p50, 1)} ms, p99 ${tell(p99, 1)} ms`,
    );
  }
  for (const [name, { throughput, p99, cpu }] of Object.entries(ratios)) {
    console.log(
      `  × ${name.padEnd(9)} CPU ${tell(cpu, 2)}, throughput ${tell(throughput, 2)}, p99 ${tell(p99, 2)}`,
    );
  }
}
