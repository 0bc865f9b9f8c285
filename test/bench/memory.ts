/** Minutes of mixed load, with the biggest page that is allowed among it: what is answered, and what workerd holds. */

import { residentMegabytes } from '../costs/processes.ts';
import { type Contestant, headersOf, startOurs } from './contestants.ts';
import { customers, interleaved, jobs, page } from './jobs.ts';
import type { Database } from './place.ts';
import { connections, load, percentile } from './throughput.ts';

export interface MemoryResult {
  minutes: number;
  answered: number;
  failed: number;
  /** Milliseconds: the median of all steps, and the worst of them. */
  p50: number;
  p99: number;
  /** Megabytes resident, every ten seconds. */
  resident: number[];
}

const stepSeconds = 10;

export async function measureMemory(database: Database, minutes: number): Promise<MemoryResult> {
  const ours = await startOurs(database);
  // One of each in turn, since a connection sends them in their order and may not come to the end.
  const each = jobs.map(job => interleaved(job, customers));
  const rounds = Math.max(...each.map(({ length }) => length));
  const requests = Array.from({ length: rounds }, (_, round) =>
    each.flatMap(ofJob => ofJob[round % ofJob.length] ?? []),
  ).flat();
  const result: MemoryResult = { minutes, answered: 0, failed: 0, p50: 0, p99: 0, resident: [] };
  const medians: number[] = [];
  for (let second = 0; second < minutes * 60; second += stepSeconds) {
    const { directory } = database;
    const loaded = await load({ contestant: ours, requests, connections, seconds: stepSeconds, directory });
    result.answered += loaded.answered;
    result.failed += loaded.failed + ((await readBiggestPage(ours)) ? 0 : 1);
    medians.push(loaded.p50);
    result.p99 = Math.max(result.p99, loaded.p99);
    result.resident.push(Math.round(residentMegabytes('workerd', ours.process)));
    if (second % 60 === 0) {
      await database.clean();
    }
  }
  await ours.stop();
  result.p50 = percentile(medians, 50);
  const [first] = result.resident;
  console.log(
    `\n${minutes} minutes of mixed load: ${result.answered} answers, ${result.failed} failures; resident ${first} MB ` +
      `at the start, ${Math.max(...result.resident)} MB at most, ${result.resident.at(-1)} MB at the end; ` +
      `p50 ${result.p50} ms, p99 of the worst ten seconds ${result.p99} ms`,
  );
  return result;
}

/** All that one answer may hold: 1,000 rows. */
async function readBiggestPage(contestant: Contestant): Promise<boolean> {
  const headers = headersOf(contestant, page(0));
  const response = await fetch(`${contestant.url}/quotes?order=id`, { headers });
  return response.ok && (await response.arrayBuffer()).byteLength > 0;
}
