/** What workerd holds in memory through minutes of mixed load, with the biggest page that is allowed among it. */
import { type Contestant, startOurs } from './contestants.ts';
import { residentMegabytes } from './cpu.ts';
import { jobs } from './jobs.ts';
import { load } from './load.ts';
import type { Database } from './place.ts';
import { connections } from './throughput.ts';

export interface MemoryResult {
  minutes: number;
  answered: number;
  failed: number;
  /** Megabytes resident, every ten seconds. */
  resident: number[];
}

const stepSeconds = 10;

export async function measureMemory(database: Database, minutes: number): Promise<MemoryResult> {
  const ours = await startOurs(database);
  const requests = jobs.flatMap(job => job.requests);
  const result: MemoryResult = { minutes, answered: 0, failed: 0, resident: [] };
  for (let second = 0; second < minutes * 60; second += stepSeconds) {
    const { directory } = database;
    const loaded = await load({ contestant: ours, requests, connections, seconds: stepSeconds, directory });
    result.answered += loaded.answered;
    result.failed += loaded.failed;
    result.failed += (await readBiggestPage(ours)) ? 0 : 1;
    result.resident.push(Math.round(await residentMegabytes('workerd')));
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

/** All that one answer may hold: 1,000 rows. */
async function readBiggestPage({ url, headers }: Contestant): Promise<boolean> {
  const response = await fetch(`${url}/quotes?order=id`, { headers });
  return response.ok && (await response.arrayBuffer()).byteLength > 0;
}
