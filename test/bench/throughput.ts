/** How many requests each server answers when sixteen connections send without a pause, and the CPU that each costs. */
import type { Contestant } from './contestants.ts';
import { cpuSeconds, type Which } from './cpu.ts';
import { missedGoals } from './goals.ts';
import { type Job, jobs } from './jobs.ts';
import { loadPostgres } from './limit.ts';
import { type LoadResult, load } from './load.ts';
import type { Database } from './place.ts';
import { type Measured, type Rounds, type Turn, takeTurns, warmUp } from './rounds.ts';
import { ratiosOf, type Spread, tell } from './spread.ts';

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

/** Of a job, by server; `Postgres` is the limit. */
export interface JobResult extends Measured<Figure> {
  job: string;
  goal: number;
  /** Ours to PostgREST's. */
  ratios?: Record<Figure, Spread>;
}

export const connections = 16;

export async function measureThroughput(
  database: Database,
  contestants: Contestant[],
  rounds: Rounds,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const job of jobs) {
    const turns: Turn<Figure>[] = [
      ...contestants.map(contestant => ({
        name: contestant.name,
        measure: (seconds: number) =>
          measure(database, contestant.process, () => loadFully(database, contestant, job, seconds)),
      })),
      {
        name: 'Postgres',
        measure: seconds =>
          measure(database, undefined, () => loadPostgres(database, job.requests, connections, seconds)),
      },
    ];
    await warmUp(turns);
    const measured = await takeTurns(database, turns, rounds);
    const { ours, PostgREST: theirs } = measured.servers;
    const result: JobResult = {
      job: job.name,
      goal: job.goal,
      ...measured,
      ...(ours && theirs && { ratios: ratiosOf(ours, theirs) }),
    };
    report(result);
    results.push(result);
  }
  return results;
}

/** Rejects when any answer is not 2xx: a fast refusal is no result. */
export async function loadFully(
  { directory }: Database,
  contestant: Contestant,
  job: Job,
  seconds: number,
): Promise<LoadResult> {
  const result = await load({ contestant, requests: job.requests, connections, seconds, directory });
  if (result.failed > 0 || result.answered === 0) {
    throw new Error(`${contestant.name}, ${job.name}: ${result.answered} answers, ${result.failed} failures`);
  }
  return result;
}

async function measure(
  { postmaster }: Database,
  server: Which | undefined,
  run: () => Promise<LoadResult>,
): Promise<Record<Figure, number>> {
  const used = () => Promise.all([server === undefined ? 0 : cpuSeconds(server), cpuSeconds(postmaster)]);
  const before = await used();
  const { answered, seconds, p50, p99 } = await run();
  const after = await used();
  const perRequest = (index: 0 | 1) => (Math.max(0, after[index] - before[index]) / answered) * 1_000_000;
  const [serverCpu, postgresCpu] = [perRequest(0), perRequest(1)];
  return { throughput: answered / seconds, p50, p99, serverCpu, postgresCpu, cpu: serverCpu + postgresCpu };
}

function report({ job, goal, servers, ratios }: JobResult): void {
  const { ours, Postgres: limit } = servers;
  const compared = ratios && [
    `${tell(ratios.throughput, 2)} × PostgREST's throughput (goal ${goal})`,
    `p99 ${tell(ratios.p99, 2)} ×`,
    `CPU ${tell(ratios.cpu, 2)} ×`,
  ];
  const ofLimit = ours &&
    limit && [`${(ours.throughput.median / limit.throughput.median).toFixed(2)} × the limit`];
  console.log(`\n${job}: ${[...(compared ?? []), ...(ofLimit ?? [])].join(', ')}`);
  for (const [name, { throughput, p50, p99, serverCpu, postgresCpu }] of Object.entries(servers)) {
    console.log(
      [
        `  ${name.padEnd(9)}`,
        `${tell(throughput)}/s`.padEnd(19),
        `p50 ${tell(p50, 1)} ms`.padEnd(22),
        `p99 ${tell(p99, 1)} ms`.padEnd(24),
        `CPU ${tell(serverCpu)} + ${tell(postgresCpu)} µs`,
      ].join('  '),
    );
  }
  for (const sentence of missedGoals(ratios ?? {}, goal)) {
    console.log(`  ${sentence}`);
  }
}
