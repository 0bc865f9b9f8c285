/**
 * How many requests each server answers when sixteen connections send without a pause, and the CPU that each costs: of
 * sixteen customers, each with its own rows, and of one customer alone.
 */
import type { Contestant } from './contestants.ts';
import { cpuSeconds } from './cpu.ts';
import { customers, emptyAnswer, interleaved, type Job, type JobRequest, jobs } from './jobs.ts';
import { type LoadResult, load } from './load.ts';
import type { Database } from './place.ts';
import { type Measured, measuredOf, type Rounds, ratioOf, type Spread, takeTurns, tell } from './rounds.ts';

type Figure =
  /** Requests a second. */
  | 'throughput'
  /** Milliseconds. */
  | 'p50'
  | 'p99'
  /** Microseconds of CPU a request: of the process that answers, of the server with all it started, of Postgres, and of both. */
  | 'programCpu'
  | 'serverCpu'
  | 'postgresCpu'
  | 'cpu';

export interface JobResult extends Measured<Figure> {
  job: string;
  customers: number;
  /** What workerd takes for it, divided by what it takes for an empty answer in the same round, by server. */
  multiples: Record<string, Spread>;
}

export const connections = 16;

/** Measures the jobs whose name has `only` in it. */
export async function measureThroughput(
  database: Database,
  contestants: Contestant[],
  rounds: Rounds,
  only = '',
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const job of jobs.filter(({ name }) => name.includes(only))) {
    for (const number of [customers, 1]) {
      const result = await measureJob(database, contestants, job, number, rounds);
      report(result, job);
      results.push(result);
    }
  }
  return results;
}

async function measureJob(
  database: Database,
  contestants: Contestant[],
  job: Job,
  customers: number,
  rounds: Rounds,
): Promise<JobResult> {
  const turnOf = (contestant: Contestant, name: string, job: Job) => ({
    name,
    measure: (seconds: number) => measure(database, contestant, job, interleaved(job, customers), seconds),
  });
  const asked = contestants.filter(({ isOurs }) => isOurs || job.goal !== undefined);
  // Each of ours is asked both, so that none has done more before it is measured than another.
  const found = await takeTurns(
    database,
    asked.flatMap(contestant => [
      turnOf(contestant, contestant.name, job),
      ...(contestant.isOurs ? [turnOf(contestant, emptyOf(contestant), emptyAnswer)] : []),
    ]),
    rounds,
  );
  const roundsOf = (name: string) => found[name] ?? [];
  const cpuOf = (name: string) => roundsOf(name).map(({ programCpu }) => programCpu);
  const ours = asked.filter(({ isOurs }) => isOurs);
  const multiples = ours.map(one => [one.name, ratioOf(cpuOf(one.name), cpuOf(emptyOf(one)))]);
  const compared = asked.map(({ name }) => [name, roundsOf(name)]);
  return {
    job: job.name,
    customers,
    multiples: Object.fromEntries(multiples),
    ...measuredOf(Object.fromEntries(compared)),
  };
}

/** The name of the turn in which an empty answer is asked of this server. */
const emptyOf = ({ name }: Contestant): string => `${emptyAnswer.name} of ${name}`;

/** Rejects when any answer is not what the job is about: a fast refusal is no result. */
export async function loadFully(
  { directory }: Database,
  contestant: Contestant,
  { name, isRefused = false }: Job,
  requests: JobRequest[],
  seconds: number,
): Promise<LoadResult> {
  const result = await load({ contestant, requests, isRefused, connections, seconds, directory });
  if (result.failed > 0 || result.answered === 0) {
    throw new Error(`${contestant.name}, ${name}: ${result.answered} answers, ${result.failed} failures`);
  }
  return result;
}

async function measure(
  database: Database,
  contestant: Contestant,
  job: Job,
  requests: JobRequest[],
  seconds: number,
): Promise<Record<Figure, number>> {
  const processes = [contestant.program, contestant.process, database.postmaster];
  const before = await Promise.all(processes.map(cpuSeconds));
  const {
    answered,
    seconds: taken,
    p50,
    p99,
  } = await loadFully(database, contestant, job, requests, seconds);
  const after = await Promise.all(processes.map(cpuSeconds));
  const [programCpu = 0, serverCpu = 0, postgresCpu = 0] = after.map(
    (used, index) => (Math.max(0, used - (before[index] ?? 0)) / answered) * 1_000_000,
  );
  const cpu = serverCpu + postgresCpu;
  return { throughput: answered / taken, p50, p99, programCpu, serverCpu, postgresCpu, cpu };
}

function report(
  { job, customers, multiples, servers, ratios }: JobResult,
  { goal, multiple: most }: Job,
): void {
  console.log(`\n${job}; ${customers === 1 ? 'one customer' : `${customers} customers`}`);
  for (const [name, { throughput, p50, p99, serverCpu, postgresCpu }] of Object.entries(servers)) {
    console.log(
      `  ${name.padEnd(9)}  ${tell(throughput)}/s, p50 ${tell(p50, 1)} ms, p99 ${tell(p99, 1)} ms, CPU ${tell(serverCpu)} + ${tell(postgresCpu)} µs`,
    );
  }
  for (const [name, { throughput, p99, cpu }] of Object.entries(ratios)) {
    const aim = goal === undefined ? '' : ` (goal ${goal})`;
    console.log(
      `  × ${name}: throughput ${tell(throughput, 2)}${aim}, p99 ${tell(p99, 2)}, CPU ${tell(cpu, 2)}`,
    );
  }
  const aim = most === undefined ? '' : ` (goal ${most})`;
  for (const [name, multiple] of Object.entries(multiples)) {
    console.log(`  ${name} × ${emptyAnswer.name}: ${tell(multiple, 2)}${aim}`);
  }
}
