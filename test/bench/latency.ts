/** How long one request takes, alone, when Postgres is some milliseconds away from the pooler. */
import { setTimeout } from 'node:timers/promises';
import { type Contestant, headersOf } from './contestants.ts';
import { customers, interleaved, type Job } from './jobs.ts';
import { percentile } from './throughput.ts';

export interface LatencyResult {
  job: string;
  /** Milliseconds of a round trip between the pooler and Postgres. */
  link: number;
  /** Medians in milliseconds, by server. */
  servers: Record<string, number>;
}

const requestsEach = 40;
/** The first ones open the pooler's connections. */
const uncounted = 15;
/** Round trips between two requests, in which the pooler resets its connection: without them each would wait for that. */
const pause = 3;

export async function measureLatency(
  contestants: Contestant[],
  jobs: Job[],
  link: number,
): Promise<LatencyResult[]> {
  const results: LatencyResult[] = [];
  for (const job of jobs) {
    const servers: Record<string, number> = {};
    for (const contestant of contestants) {
      servers[contestant.name] = await timeOf(contestant, job, pause * link);
    }
    const shown = Object.entries(servers).map(([name, time]) => `${name} ${time.toFixed(1)} ms`);
    console.log(`${job.name}, Postgres ${link} ms away: ${shown.join(', ')}`);
    results.push({ job: job.name, link, servers });
  }
  return results;
}

/** The median of requests one after the other. */
async function timeOf(contestant: Contestant, job: Job, betweenRequests: number): Promise<number> {
  const requests = interleaved(job, customers);
  const times: number[] = [];
  for (let index = 0; index < requestsEach; index++) {
    const request = requests[index % requests.length];
    if (request === undefined) {
      throw new Error(`${job.name} has no requests`);
    }
    const { method, path, body } = request;
    const started = performance.now();
    const response = await fetch(`${contestant.url}${path}`, {
      method,
      headers: headersOf(contestant, request),
      ...(body !== undefined && { body }),
    });
    await response.arrayBuffer();
    if (!response.ok) {
      throw new Error(`${contestant.name}, ${method} ${path}: ${response.status}`);
    }
    times.push(performance.now() - started);
    await setTimeout(betweenRequests);
  }
  return percentile(times.slice(uncounted), 50);
}
