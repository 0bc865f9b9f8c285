/**
 * Requests at a constant rate, whether or not the server keeps up, and the time of each from when it was due. So a
 * server that stops for a while pays for all requests that were due meanwhile: leaving them out is the "coordinated
 * omission". autocannon 9 can't do this: it sends the requests of a second at its beginning, as fast as they are
 * answered, and its correction for the omission (`lib/run.js`) takes an interval in seconds for milliseconds.
 */
import { once } from 'node:events';
import { Agent, type RequestOptions, request as send } from 'node:http';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { type Contestant, headersOf } from './contestants.ts';
import type { JobRequest } from './jobs.ts';

export interface ConstantRate {
  contestant: Contestant;
  /** Sent in turn. */
  requests: JobRequest[];
  /** Requests a second. */
  rate: number;
  /** At most; who is due when none is free waits for one, which counts. */
  connections: number;
  seconds: number;
}

/** An HdrHistogram of microseconds, of three significant digits. Rejects when any answer is not 2xx. */
export async function loadAtRate(load: ConstantRate): Promise<RecordableHistogram> {
  const { contestant, requests, rate, connections, seconds } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const prepared = requests.map(request => prepare(contestant, request, agent));
  const histogram = createHistogram({ figures: 3 });
  const pacer = new Worker(new URL('./pacer.mjs', import.meta.url), {
    workerData: { rate, count: Math.round(rate * seconds) },
  });
  const answers: Promise<void>[] = [];
  pacer.on('message', (due: number) => {
    const request = prepared[answers.length % prepared.length] as Prepared;
    const answer = statusOf(request).then(status => {
      histogram.record(Math.max(1, Math.round((now() - due) * 1000)));
      if (status < 200 || status > 299) {
        throw new Error(`${contestant.name}, ${request.options.path}: ${status}`);
      }
    });
    // All are awaited in the end; until then a rejection has somebody who hears it.
    answer.catch(() => {});
    answers.push(answer);
  });
  await once(pacer, 'exit');
  try {
    await Promise.all(answers);
  } finally {
    agent.destroy();
  }
  return histogram;
}

const now = (): number => performance.timeOrigin + performance.now();

interface Prepared {
  options: RequestOptions;
  body: string | undefined;
}

/** Once and not each time, so that sending takes little of the machine. */
function prepare(contestant: Contestant, request: JobRequest, agent: Agent): Prepared {
  const { hostname, port, pathname, search } = new URL(`${contestant.url}${request.path}`);
  const headers = headersOf(contestant, request);
  const options = { agent, hostname, port, path: `${pathname}${search}`, method: request.method, headers };
  return { options, body: request.body };
}

const statusOf = ({ options, body }: Prepared): Promise<number> =>
  new Promise((resolve, reject) => {
    send(options, response => {
      response
        .on('end', () => resolve(response.statusCode ?? 0))
        .on('error', reject)
        .resume();
    })
      .on('error', reject)
      .end(body);
  });
