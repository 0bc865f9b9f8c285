/**
 * `npm run bench` (test/README.md): `npm start` and the deployment beside other servers, over the same tables, roles and
 * policies. Prints what it finds, and writes it into results.json beside this file, unless `--job` or `--beside` was
 * chosen.
 */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { exitWith, Problem } from '../../functions/local/problem.ts';
import { residentMegabytes } from '../costs/processes.ts';
import { type Contestant, findPostgrest, headersOf, startOurs, startPostgrest } from './contestants.ts';
import { type DeployedResult, measureDeployed } from './deployed.ts';
import { customers, insert, interleaved, type JobRequest, jobs, page } from './jobs.ts';
import { type LiveResult, measureLive } from './live.ts';
import { type Database, describeMachine, startDatabase } from './place.ts';
import { type JobResult, load, measureThroughput, type Rounds } from './throughput.ts';

interface MemoryResult {
  minutes: number;
  answered: number;
  /** Requests that were refused or given up, as they should be. */
  refused: number;
  failed: number;
  /** Megabytes resident, every ten seconds. */
  resident: number[];
}

/** What was found, by part; a part that was not measured this time is as it was. */
export interface Results {
  /** When and where the parts that compare under load were measured. */
  about?: Awaited<ReturnType<typeof describeMachine>> & Rounds;
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

/** Sends requests of many outcomes, with texts that no others have. Resolves to those that did not have their outcome. */
async function sendRefused(ours: Contestant): Promise<{ sent: number; wrong: number }> {
  const text = (length: number) => randomUUID() + 'x'.repeat(length);
  const ofAnother = () => ({
    ...insert(1),
    customer: 0,
    body: JSON.stringify({ ...JSON.parse(insert(1).body ?? ''), customization: { text: text(900_000) } }),
  });
  const uncastable = (): JobRequest => ({
    ...page(0),
    path: `/quotes?select=sport::integer&limit=1&sport=neq.${text(14_000)}`,
  });
  const outcomes: [make: () => JobRequest, count: number, outcome: number | 'given up'][] = [
    [ofAnother, 20, 403],
    [uncastable, 100, 400],
    [ofAnother, 5, 'given up'],
  ];
  const result = { sent: 0, wrong: 0 };
  for (const [make, count, outcome] of outcomes) {
    for (let n = 0; n < count; n++) {
      const request = make();
      const { method, path, body = null } = request;
      const signal = AbortSignal.timeout(outcome === 'given up' ? 2 : 60_000);
      const init = { method, headers: headersOf(ours, request), body, signal };
      const status = await fetch(`${ours.url}${path}`, init).then(
        async response => (await response.arrayBuffer()) && response.status,
        () => undefined,
      );
      result.sent += 1;
      result.wrong += outcome === 'given up' || status === outcome ? 0 : 1;
    }
  }
  return result;
}

/**
 * Measures minutes of mixed load, with the biggest page that is allowed among it, and requests that are refused or given up:
 * what fails, and what workerd holds.
 */
async function measureMemory(database: Database, minutes: number): Promise<MemoryResult> {
  const ours = await startOurs(database);
  // One of each in turn, since a connection sends them in their order and may not come to the end.
  const each = jobs.map(job => interleaved(job, customers));
  const rounds = Math.max(...each.map(({ length }) => length));
  const requests = Array.from({ length: rounds }, (_, round) =>
    each.flatMap(ofJob => ofJob[round % ofJob.length] ?? []),
  ).flat();
  const result: MemoryResult = { minutes, answered: 0, refused: 0, failed: 0, resident: [] };
  for (let second = 0; second < minutes * 60; second += stepSeconds) {
    const { answered, failed } = await load(database, ours, requests, stepSeconds);
    // All that one answer may hold: 1,000 rows.
    const biggest = await fetch(`${ours.url}/quotes?order=id`, { headers: headersOf(ours, page(0)) });
    await biggest.arrayBuffer();
    const refused = await sendRefused(ours);
    result.answered += answered;
    result.refused += refused.sent - refused.wrong;
    result.failed += failed + refused.wrong + (biggest.ok ? 0 : 1);
    result.resident.push(Math.round(residentMegabytes('workerd', ours.process)));
    if (second % 60 === 0) {
      await database.clean();
    }
  }
  await ours.stop();
  const [first] = result.resident;
  console.log(
    `\n${minutes} minutes of mixed load: ${result.answered} answers, ${result.refused} refused or given up, ${result.failed} failures; resident ${first} MB ` +
      `at the start, ${Math.max(...result.resident)} MB at most, ${result.resident.at(-1)} MB at the end`,
  );
  return result;
}

async function measure(database: Database, results: Results): Promise<void> {
  results.about = { ...(await describeMachine(database, findPostgrest())), ...rounds };
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
