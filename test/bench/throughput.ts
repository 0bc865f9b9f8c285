/** Each job against each server in alternating rounds, so that what the machine does besides falls on all of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contestant } from './contestants.ts';
import { cpuSeconds, type Which } from './cpu.ts';
import { type Job, jobs } from './jobs.ts';
import { loadPostgres } from './limit.ts';
import { type LoadResult, load } from './load.ts';
import type { Database } from './place.ts';

export interface Measurement {
  /** Requests a second. */
  throughput: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Microseconds of CPU a request, in the server and in Postgres. */
  serverCpu: number;
  postgresCpu: number;
}

/** Of a job: the median of its rounds by server; `Postgres` is the limit. */
export interface JobResult {
  job: string;
  goal: number;
  servers: Record<string, Measurement>;
}

export const connections = 16;

export interface Rounds {
  rounds: number;
  seconds: number;
}

export async function measureThroughput(
  database: Database,
  contestants: Contestant[],
  { rounds, seconds }: Rounds,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const job of jobs) {
    const servers: [name: string, measure: (seconds: number) => Promise<Measurement>][] = [
      ...contestants.map((contestant): (typeof servers)[0] => [
        contestant.name,
        time => measure(contestant.process, () => loadFailing(contestant, job, time, database)),
      ]),
      ['Postgres', time => measure('pgbench', () => loadPostgres(database, job.requests, connections, time))],
    ];
    const measured = new Map(servers.map(([name]) => [name, [] as Measurement[]]));
    for (let round = -1; round < rounds; round++) {
      for (const [name, run] of servers) {
        // The first is for warming up.
        const measurement = await run(round < 0 ? 2 : seconds);
        if (round >= 0) {
          measured.get(name)?.push(measurement);
        }
      }
      // What the rows of a round cost is not the next one's to pay.
      await database.clean();
    }
    const result = {
      job: job.name,
      goal: job.goal,
      servers: Object.fromEntries([...measured].map(([name, all]) => [name, medianOf(all)])),
    };
    report(result);
    results.push(result);
    await sleep(1000);
  }
  return results;
}

/** Rejects when any answer is not 2xx: a fast refusal is no result. */
async function loadFailing(
  contestant: Contestant,
  job: Job,
  seconds: number,
  { directory }: Database,
): Promise<LoadResult> {
  const result = await load({ contestant, requests: job.requests, connections, seconds, directory });
  if (result.failed > 0 || result.answered === 0) {
    throw new Error(`${contestant.name}, ${job.name}: ${result.answered} answers, ${result.failed} failures`);
  }
  return result;
}

async function measure(server: Which, run: () => Promise<LoadResult>): Promise<Measurement> {
  const used = () => Promise.all([cpuSeconds(server), cpuSeconds('postgres')]);
  const before = await used();
  const { answered, seconds, p50, p99 } = await run();
  const after = await used();
  const perRequest = (index: 0 | 1) => (Math.max(0, after[index] - before[index]) / answered) * 1_000_000;
  return {
    throughput: answered / seconds,
    p50,
    p99,
    serverCpu: perRequest(0),
    postgresCpu: perRequest(1),
  };
}

/** The median of each figure over the rounds. */
function medianOf(rounds: Measurement[]): Measurement {
  const median = (of: (measurement: Measurement) => number): number => {
    const sorted = rounds.map(of).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    throughput: median(({ throughput }) => throughput),
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
    serverCpu: median(({ serverCpu }) => serverCpu),
    postgresCpu: median(({ postgresCpu }) => postgresCpu),
  };
}

function report({ job, goal, servers }: JobResult): void {
  const { ours, PostgREST: theirs, Postgres: limit } = servers;
  const ratios = ours
    ? [
        ...(theirs ? [`${(ours.throughput / theirs.throughput).toFixed(2)} × PostgREST (goal ${goal})`] : []),
        ...(limit ? [`${(ours.throughput / limit.throughput).toFixed(2)} × the limit`] : []),
      ]
    : [];
  console.log(`\n${job}: ${ratios.join(', ')}`);
  for (const [name, { throughput, p50, p99, serverCpu, postgresCpu }] of Object.entries(servers)) {
    console.log(
      [
        `  ${name.padEnd(10)}`,
        `${throughput.toFixed(0).padStart(6)}/s`,
        `p50 ${p50.toFixed(1).padStart(5)} ms`,
        `p99 ${p99.toFixed(1).padStart(6)} ms`,
        `CPU ${serverCpu.toFixed(0).padStart(4)} + ${postgresCpu.toFixed(0).padStart(4)} µs`,
      ].join('   '),
    );
  }
}
