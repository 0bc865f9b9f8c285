/**
 * What each server answers when sixteen customers send without a pause, by `wrk`, the CPU that each request costs, and how long
 * one takes at half of the rate that the slowest server reached.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cpuOfFamily } from '../costs/processes.ts';
import { measureAtRate } from './at-rate.ts';
import { type Contestant, headersOf } from './contestants.ts';
import { customers, interleaved, type Job, type JobRequest } from './jobs.ts';
import type { Database } from './place.ts';

const execute = promisify(execFile);

export interface Rounds {
  rounds: number;
  seconds: number;
}

/** Requests a second; microseconds of CPU a request, of the server, of Postgres, and of both. */
const figures = ['throughput', 'serverCpu', 'postgresCpu', 'cpu'] as const;
type Figures<Value> = Record<(typeof figures)[number], Value>;

/** A figure that was measured in several rounds: the median, the lowest and the highest. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

export interface JobResult {
  job: string;
  /** By server. */
  servers: Record<string, Figures<Spread>>;
  latency: Latency;
}

/** Milliseconds at a rate, requests a second, by server. */
interface Latency {
  rate: number;
  servers: Record<string, { p50: Spread; p99: Spread }>;
}

const warmUpSeconds = 6;

export async function measureThroughput(
  database: Database,
  contestants: Contestant[],
  jobs: Job[],
  rounds: Rounds,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const job of jobs) {
    const found = await takeTurns(database, contestants, job, rounds);
    const servers = Object.fromEntries(Object.entries(found).map(([name, of]) => [name, spreadsOf(of)]));
    const slowest = Math.min(...Object.values(servers).map(({ throughput }) => throughput.median));
    const latency = await measureLatency(database, contestants, job, Math.ceil(slowest / 2), rounds);
    const result = { job: job.name, servers, latency };
    report(result);
    results.push(result);
  }
  return results;
}

/** What each round found, by server. */
type Found = Record<string, Figures<number>[]>;

/** The servers take turns, so that what the machine does besides falls on all of them; every second round backwards. */
async function takeTurns(
  database: Database,
  contestants: Contestant[],
  job: Job,
  { rounds, seconds }: Rounds,
): Promise<Found> {
  const requests = interleaved(job, customers);
  const found: Found = {};
  // What is measured first would pay for what is compiled, cached and connected.
  for (const contestant of contestants) {
    found[contestant.name] = [];
    await measure(database, contestant, job, requests, warmUpSeconds);
  }
  for (let round = 0; round < rounds; round++) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      // What was written before is not the next one's to pay.
      await database.clean();
      found[contestant.name]?.push(await measure(database, contestant, job, requests, seconds));
    }
  }
  await database.clean();
  return found;
}

async function measureLatency(
  database: Database,
  contestants: Contestant[],
  job: Job,
  rate: number,
  { rounds, seconds }: Rounds,
): Promise<Latency> {
  const requests = interleaved(job, customers);
  const times: Record<string, number[][]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      await database.clean();
      const found = await measureAtRate(contestant, requests, rate, seconds);
      times[contestant.name] = [...(times[contestant.name] ?? []), found];
    }
  }
  await database.clean();
  const servers = Object.entries(times).map(([name, found]) => {
    const spreadOf = (percent: number) => spread(found.map(round => percentile(round, percent)));
    return [name, { p50: spreadOf(50), p99: spreadOf(99) }] as const;
  });
  return { rate, servers: Object.fromEntries(servers) };
}

/** Rejects when any answer is not what the job is about: a fast refusal is no result. */
async function measure(
  database: Database,
  contestant: Contestant,
  { name }: Job,
  requests: JobRequest[],
  seconds: number,
): Promise<Figures<number>> {
  const used = () => [contestant.process, database.postmaster].map(cpuOfFamily);
  const before = used();
  const { answered, failed, seconds: taken } = await load(database, contestant, requests, seconds);
  const after = used();
  if (failed > 0 || answered === 0) {
    throw new Error(`${contestant.name}, ${name}: ${answered} answers, ${failed} failures`);
  }
  const [serverCpu = 0, postgresCpu = 0] = after.map(
    (seconds, index) => (Math.max(0, seconds - (before[index] ?? 0)) / answered) * 1_000_000,
  );
  return { throughput: answered / taken, serverCpu, postgresCpu, cpu: serverCpu + postgresCpu };
}

/** Spreads of each figure over the rounds. */
const spreadsOf = (rounds: Figures<number>[]): Figures<Spread> =>
  Object.fromEntries(
    figures.map(figure => [figure, spread(rounds.map(found => found[figure]))]),
  ) as Figures<Spread>;

const spread = (values: number[]): Spread => ({
  median: percentile(values, 50),
  low: Math.min(...values),
  high: Math.max(...values),
});

/** The smallest value that at least `percent` of the values do not exceed. */
export function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** `12.3 (11.8–14.0)`: the median, the lowest and the highest round. */
const tell = ({ median, low, high }: Spread, digits = 0): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;

function report({ job, servers, latency }: JobResult): void {
  console.log(`\n${job}`);
  for (const [name, { throughput, serverCpu, postgresCpu }] of Object.entries(servers)) {
    console.log(
      `  ${name.padEnd(11)} CPU ${tell(serverCpu)} + ${tell(postgresCpu)} µs, ${tell(throughput)}/s`,
    );
  }
  console.log(`  at ${latency.rate}/s:`);
  for (const [name, { p50, p99 }] of Object.entries(latency.servers)) {
    console.log(`  ${name.padEnd(11)} p50 ${tell(p50, 1)} ms, p99 ${tell(p99, 1)} ms`);
  }
}

/** A string as Lua reads it, whatever is in it but its own end. */
const lua = (text: string): string => `[==[${text}]==]`;

/** Sends the requests in turn, over and over, from a connection for each customer. */
async function load(
  { directory }: Pick<Database, 'directory'>,
  contestant: Contestant,
  requests: JobRequest[],
  seconds: number,
) {
  const root = new URL(contestant.url);
  const formatted = requests.map(request => {
    const { method, path, body } = request;
    const all = { host: root.host, ...headersOf(contestant, request) };
    const fields = Object.entries(all).map(([name, value]) => `[ ${lua(name)} ]=${lua(value)}`);
    const target = `${root.pathname.replace(/\/$/, '')}${path}`;
    return `wrk.format(${lua(method)}, ${lua(target)}, {${fields}}, ${body === undefined ? 'nil' : lua(body)})`;
  });
  const script = join(directory, 'load.lua');
  await writeFile(
    script,
    `local requests = {${formatted.join(',\n')}}
local turn = 0
request = function()
  turn = turn % #requests + 1
  return requests[turn]
end
done = function(summary)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"refused":%d,"lost":%d}\\n', summary.requests,
    summary.duration, e.status, e.connect + e.read + e.write + e.timeout))
end
`,
  );
  const args = ['-t1', `-c${customers}`, `-d${seconds}s`, '--timeout', '20s', '-s', script, root.origin];
  const { stdout } = await execute('wrk', args);
  const result: Record<'requests' | 'refused' | 'lost' | 'microseconds', number> = JSON.parse(
    /^RESULT (.*)$/m.exec(stdout)?.[1] ?? '{}',
  );
  return {
    answered: result.requests - result.refused,
    // Anything that was not expected, and connections that failed.
    failed: result.refused + result.lost,
    seconds: result.microseconds / 1e6,
  };
}
