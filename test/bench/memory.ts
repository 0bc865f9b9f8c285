/** Minutes of mixed traffic: what fails, and how much memory is held. */
import { residentMegabytes } from '../costs/processes.ts';
import { headersOf, startOurs } from './contestants.ts';
import { customers, interleaved, jobs, page } from './jobs.ts';
import type { Database } from './place.ts';
import { load } from './throughput.ts';

export interface MemoryResult {
  minutes: number;
  answered: number;
  failed: number;
  /** Megabytes resident, every ten seconds. */
  resident: number[];
}

const stepSeconds = 10;

/** Measures minutes of mixed load, with the biggest page that is allowed among it: what fails, and what workerd holds. */
export async function measureMemory(database: Database, minutes: number): Promise<MemoryResult> {
  const ours = await startOurs(database);
  // One of each in turn, since a connection sends them in their order and may not come to the end.
  const each = jobs.map(job => interleaved(job, customers));
  const rounds = Math.max(...each.map(({ length }) => length));
  const requests = Array.from({ length: rounds }, (_, round) =>
    each.flatMap(ofJob => ofJob[round % ofJob.length] ?? []),
  ).flat();
  const result: MemoryResult = { minutes, answered: 0, failed: 0, resident: [] };
  for (let second = 0; second < minutes * 60; second += stepSeconds) {
    const { answered, failed } = await load(database, ours, requests, stepSeconds);
    // All that one answer may hold: 1,000 rows.
    const biggest = await fetch(`${ours.url}/quotes?order=id`, { headers: headersOf(ours, page(0)) });
    await biggest.arrayBuffer();
    result.answered += answered;
    result.failed += failed + (biggest.ok ? 0 : 1);
    result.resident.push(Math.round(residentMegabytes('workerd', ours.process)));
    if (second % 60 === 0) {
      await database.clean();
    }
  }
  await ours.stop();
  const [first] = result.resident;
  console.log(
    `\n${minutes} minutes of mixed load: ${result.answered} answers, ${result.failed} failures; resident ${first} MB ` +
      `at the start, ${Math.max(...result.resident)} MB at most, ${result.resident.at(-1)} MB at the end`,
  );
  return result;
}
