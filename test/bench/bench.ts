/**
 * `npm run bench` (test/README.md): `npm start` and the deployment beside other servers, over the same tables, roles and
 * policies. Prints what it finds, and writes it into results.json beside this file, unless `--job` or `--beside` was
 * chosen.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { exitWith, Problem } from '../../functions/local/problem.ts';
import { residentMegabytes } from '../costs/processes.ts';
import { headersOf, startOurs, startPostgrest } from './contestants.ts';
import { type DeployedResult, measureDeployed } from './deployed.ts';
import { customers, interleaved, jobs, page } from './jobs.ts';
import { type LiveResult, measureLive } from './live.ts';
import { type About, type Database, describeMachine, startDatabase } from './place.ts';
import { type JobResult, load, measureThroughput } from './throughput.ts';

interface MemoryResult {
  minutes: number;
  answered: number;
  failed: number;
  /** Megabytes resident, every ten seconds. */
  resident: number[];
}

/** What was found, by part; a part that was not measured this time is as it was. */
export interface Results {
  /** When and where the parts that compare under load were measured. */
  about?: About;
  deployed?: DeployedResult;
  machine?: JobResult[];
  live?: LiveResult;
  memory?: MemoryResult;
}

const allParts = ['deployed', 'machine', 'live', 'memory'];
const usage = `npm run bench [-- [--only <part>,…] [--rounds 5] [--seconds 3] [--minutes 10]
                 [--job <part of its name>] [--beside <another checkout>]]
The parts are ${allParts.join(', ')}.`;

function readOptions() {
  try {
    const options = {
      help: { type: 'boolean', default: false },
      only: { type: 'string', default: allParts.join() },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      minutes: { type: 'string', default: '10' },
      job: { type: 'string', default: '' },
      beside: { type: 'string' },
    } as const;
    const { values } = parseArgs({ options });
    const unknown = values.only.split(',').find(part => !allParts.includes(part));
    if (unknown !== undefined) {
      throw new Error(`Unknown part ${unknown}.`);
    }
    return values;
  } catch (error) {
    return exitWith(new Problem(`${(error as Error).message} Usage: ${usage}`));
  }
}

const options = readOptions();
if (options.help) {
  console.log(usage);
  process.exit();
}
const parts = options.only.split(',');
const rounds = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
const resultsFile = new URL('./results.json', import.meta.url);

/** Measures what one machine does: `npm start`, and PostgREST. */
async function measureMachine(database: Database): Promise<JobResult[]> {
  const contestants = [
    await startOurs(database),
    await startPostgrest(database),
    options.beside && (await startOurs(database, 'beside', options.beside)),
  ].filter(found => typeof found === 'object');
  try {
    const chosen = jobs.filter(({ name }) => name.includes(options.job));
    return await measureThroughput(database, contestants, chosen, rounds);
  } finally {
    for (const contestant of contestants) {
      await contestant.stop();
    }
  }
}

const stepSeconds = 10;

/** Measures minutes of mixed load, with the biggest page that is allowed among it: what fails, and what workerd holds. */
async function measureMemory(database: Database, minutes: number): Promise<MemoryResult> {
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

async function measure(database: Database, results: Results): Promise<void> {
  results.about = { ...(await describeMachine(database)), ...rounds };
  if (parts.includes('deployed')) {
    console.log('\nThe deployment');
    results.deployed = await measureDeployed(database, rounds, options.job);
  }
  if (parts.includes('machine')) {
    console.log('\nOne machine: npm start');
    results.machine = await measureMachine(database);
  }
  if (parts.includes('live')) {
    results.live = await measureLive(database);
  }
  if (parts.includes('memory')) {
    results.memory = await measureMemory(database, Number(options.minutes));
  }
}

/** Figures of six digits, and what holds nothing but figures on one line. */
function format(results: Results): string {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value;
  const text = JSON.stringify(results, rounded, 1);
  return `${text.replace(/\{[^{}]*\}|\[[^[\]{}]*\]/g, innermost => innermost.replace(/\s+/g, ' '))}\n`;
}

console.log(`The machine's load is ${loadavg()[0]?.toFixed(1)}. Other programs distort the results.`);
const results: Results = JSON.parse(await readFile(resultsFile, 'utf8').catch(() => '{}'));
const database = await startDatabase();
try {
  await measure(database, results);
} finally {
  await database.stop();
}
if (options.job === '' && options.beside === undefined) {
  await writeFile(resultsFile, format(results));
}
process.exit();
