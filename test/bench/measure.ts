/** One job against one server, for some seconds, from a number of connections. */
import autocannon from 'autocannon';
import type { Contestant } from './contestants.ts';
import { cpuSeconds } from './cpu.ts';
import type { Job } from './jobs.ts';

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

const connections = 16;

/** Rejects when any answer is not 2xx: a fast refusal is no result. */
export async function measure(contestant: Contestant, job: Job, seconds: number): Promise<Measurement> {
  const root = new URL(contestant.url);
  const before = await Promise.all([cpuSeconds(contestant.program), cpuSeconds('postgres')]);
  const result = await autocannon({
    url: root.origin,
    connections,
    duration: seconds,
    headers: contestant.headers,
    requests: job.requests.map(request => ({
      ...request,
      path: `${root.pathname.replace(/\/$/, '')}${request.path}`,
      headers: { ...contestant.headers, ...request.headers },
    })),
  });
  const after = await Promise.all([cpuSeconds(contestant.program), cpuSeconds('postgres')]);
  const answered = result['2xx'];
  if (result.non2xx > 0 || result.errors > 0 || answered === 0) {
    throw new Error(
      `${contestant.name}, ${job.name}: ${answered} answers, ${result.non2xx} refusals, ${result.errors} errors`,
    );
  }
  const perRequest = (index: 0 | 1) => ((after[index] - before[index]) / answered) * 1_000_000;
  return {
    throughput: answered / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    serverCpu: perRequest(0),
    postgresCpu: perRequest(1),
  };
}

/** The median of each figure over the rounds. */
export function medianOf(rounds: Measurement[]): Measurement {
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
