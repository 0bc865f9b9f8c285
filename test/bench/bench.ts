/**
 * `npm run bench` (test/README.md): `npm start` and the deployment beside other servers, over the same tables, roles and
 * policies. Prints what it finds, and writes it into results.json beside this file, unless `--job` or `--beside` was
 * chosen.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { exitWith, Problem } from '../../functions/local/program.ts';
import { type Contestant, findPostgrest, startOurs, startPostgrest } from './contestants.ts';
import { type DeployedResult, measureDeployed } from './deployed.ts';
import { jobs } from './jobs.ts';
import { type Database, describeMachine, startDatabase } from './place.ts';
import { type JobResult, measureThroughput, type Rounds } from './throughput.ts';

/** What was found, by part; a part that was not measured this time is as it was. */
export interface Results {
  /** When and where the parts that compare under load were measured. */
  about?: Awaited<ReturnType<typeof describeMachine>> & Rounds;
  deployed?: DeployedResult;
  machine?: JobResult[];
}

const allParts = ['deployed', 'machine'];
const usage = `npm run bench [-- [--only <part>,…] [--rounds 5] [--seconds 3]
                 [--job <part of its name>] [--beside <another checkout>]]
The parts are ${allParts.join(', ')}.`;

function readOptions() {
  try {
    const options = {
      help: { type: 'boolean', default: false },
      only: { type: 'string', default: allParts.join() },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
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
    options.beside && (await startBeside(database, options.beside)),
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

/** `npm start` of another checkout, over a database of its own, whose migrations may differ. */
async function startBeside(database: Database, checkout: string): Promise<Contestant> {
  const { place, fill } = await database.add('beside');
  const contestant = await startOurs(place, 'beside', checkout);
  await fill();
  return contestant;
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
