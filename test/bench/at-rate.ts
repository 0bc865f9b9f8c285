/** How long a request takes at a fixed rate: requests are sent when they are due, whether or not earlier ones were answered. */
import { Agent, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contestant, headersOf } from './contestants.ts';
import type { JobRequest } from './jobs.ts';

/** The first ones open the connections. */
const uncountedSeconds = 1;

/** Returns the milliseconds of each request, sent in turn over as many connections as it takes. */
export async function measureAtRate(
  contestant: Contestant,
  requests: JobRequest[],
  rate: number,
  seconds: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  const sent: Promise<number | Error>[] = [];
  for (let index = 0; index < rate * (uncountedSeconds + seconds); index++) {
    const wait = start + (index * 1000) / rate - performance.now();
    if (wait > 0) {
      await sleep(wait);
    }
    const next = requests[index % requests.length];
    if (next) {
      // A rejection while others are sent would end the program with its servers running.
      sent.push(timeOf(contestant, next, agent).catch((error: Error) => error));
    }
  }
  const results = await Promise.all(sent);
  agent.destroy();
  return results.slice(rate * uncountedSeconds).map(result => {
    if (typeof result !== 'number') {
      throw result;
    }
    return result;
  });
}

/** Rejects when the answer is a refusal. */
async function timeOf(
  contestant: Contestant,
  { body, ...request }: JobRequest,
  agent: Agent,
): Promise<number> {
  const { method, path } = request;
  const started = performance.now();
  const headers = {
    ...headersOf(contestant, request),
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  };
  const { status, answer } = await new Promise<{ status: number; answer: string }>((resolve, reject) => {
    send(`${contestant.url}${path}`, { method, headers, agent }, response => {
      text(response).then(answer => resolve({ status: response.statusCode ?? 0, answer }), reject);
    })
      .on('error', reject)
      .end(body);
  });
  if (status >= 300) {
    throw new Error(`${contestant.name}, ${method} ${path}: ${status} ${answer}`);
  }
  return performance.now() - started;
}
