/** How long one request takes, alone, when Postgres is some milliseconds away. */
import { type Contestant, headersOf, type Place, startOurs, startPostgrest } from './contestants.ts';
import { insert, type JobRequest, page } from './jobs.ts';
import type { Database } from './place.ts';
import { percentile } from './rounds.ts';
import { startSlowLink } from './slow-link.ts';

/** Medians in milliseconds, by server. */
export interface LatencyResult {
  /** Milliseconds of a round trip. */
  link: number;
  read: Record<string, number>;
  write: Record<string, number>;
}

const links = [0, 5, 20, 40];
const requestsEach = 60;

export async function measureLatency(database: Database): Promise<LatencyResult[]> {
  const link = await startSlowLink(database.port);
  const place: Place = { ...database, databasePort: link.port };
  const contestants = [await startOurs(place), await startPostgrest(place)].filter(
    found => found !== undefined,
  );
  const results: LatencyResult[] = [];
  for (const roundTrip of links) {
    link.setRoundTrip(roundTrip);
    const result: LatencyResult = { link: roundTrip, read: {}, write: {} };
    for (const contestant of contestants) {
      result.read[contestant.name] = await timeOf(contestant, page(0));
      result.write[contestant.name] = await timeOf(contestant, insert(0));
    }
    await database.clean();
    report(result);
    results.push(result);
  }
  for (const contestant of contestants) {
    await contestant.stop();
  }
  await link.stop();
  return results;
}

/** The median of requests one after the other; the first few open connections and are not counted. */
async function timeOf(contestant: Contestant, request: JobRequest): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < requestsEach; index++) {
    const started = performance.now();
    const { method, path, body } = request;
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
  }
  return percentile(times.slice(20), 50);
}

function report({ link, read, write }: LatencyResult): void {
  const shown = (times: Record<string, number>) =>
    Object.entries(times)
      .map(([name, time]) => `${name} ${time.toFixed(1)} ms`)
      .join(', ');
  console.log(`\nPostgres ${link} ms away\n  a page: ${shown(read)}\n  an insert: ${shown(write)}`);
}
