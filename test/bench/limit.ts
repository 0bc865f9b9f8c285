/**
 * What Postgres itself can do: pgbench sends the messages that our service would send. Where pgbench is missing, the
 * service's own driver sends them from this process.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Caller } from '../../functions/caller/caller.ts';
import { Connection } from '../../functions/database/connection.ts';
import { loginUrl } from '../../functions/local/database.ts';
import { messageOf } from '../../functions/statement/statement.ts';
import { collections } from '../../schema/collections.ts';
import { planOf } from '../plan/plan-of.ts';
import type { Place } from './contestants.ts';
import { account, type JobRequest } from './jobs.ts';
import type { LoadResult } from './load.ts';

const execute = promisify(execFile);

const customer: Caller = {
  kind: 'customer',
  audience: 'customer',
  claims: { role: 'authenticated', sub: account, app_metadata: { account_ids: [] } },
};

/** The message of a request, each statement of it. */
export function messageFor({ as = customer, method, path, headers = {}, body }: JobRequest): string {
  const [name, query = ''] = path.slice(1).split('?');
  const of = collections.find(collection => collection.name === name);
  const plan = of && planOf({ as, of, method, query, headers, body: body && JSON.parse(body) });
  if (!plan?.ok) {
    throw new Error(`${method} ${path} has no plan`);
  }
  return messageOf(plan.value).text;
}

export async function loadPostgres(
  place: Place,
  requests: JobRequest[],
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const url = loginUrl(place.ownerUrl, 'builder_api', place.loginPassword);
  const messages = requests.map(messageFor);
  return (await hasPgbench)
    ? loadByPgbench(url, messages, connections, seconds, join(place.directory, 'pgbench'))
    : loadByDriver(url, messages, connections, seconds);
}

const hasPgbench: Promise<boolean> = execute('pgbench', ['--version']).then(
  () => true,
  () => false,
);

async function loadByPgbench(
  url: string,
  messages: string[],
  connections: number,
  seconds: number,
  directory: string,
): Promise<LoadResult> {
  await mkdir(directory, { recursive: true });
  const scripts = messages.map((message, index) => ({
    path: join(directory, `${index}.sql`),
    // `\;` keeps statements together in one message; a statement ends with its line.
    text: `${message.replaceAll('\n', ' ').replaceAll(';', '\\;')}\n`,
  }));
  for (const { path, text } of scripts) {
    await writeFile(path, text);
  }
  const files = scripts.flatMap(({ path }) => ['-f', path]);
  const prefix = join(directory, 'log');
  const { stdout } = await execute(
    'pgbench',
    ['-n', '-M', 'simple', `-c${connections}`, `-T${seconds}`, '-l', `--log-prefix=${prefix}`, ...files, url],
    { maxBuffer: 16 * 1024 * 1024 },
  );
  const times: number[] = [];
  for (const name of await readdir(directory)) {
    if (name.startsWith('log')) {
      const lines = (await readFile(join(directory, name), 'utf8')).split('\n');
      times.push(...lines.filter(line => line !== '').map(line => Number(line.split(' ')[2]) / 1000));
    }
  }
  await rm(directory, { recursive: true });
  const tps = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  return { answered: tps * seconds, failed: 0, seconds, ...percentiles(times) };
}

async function loadByDriver(
  url: string,
  messages: string[],
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const end = performance.now() + seconds * 1000;
  const times: number[] = [];
  const worker = async (from: number) => {
    const connection = new Connection(url);
    for (let index = from; performance.now() < end; index++) {
      const started = performance.now();
      await connection.send(messages[index % messages.length] ?? '');
      times.push(performance.now() - started);
    }
    connection.abandon();
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => worker(index)));
  return { answered: times.length, failed: 0, seconds, ...percentiles(times) };
}

/** Of times in milliseconds. */
export function percentiles(times: number[]): { p50: number; p99: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
