/**
 * The files of `npm start`'s directory, missing, damaged or left by something else: they are repaired, or named in a sentence.
 * @module-tag full
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSecrets } from '../../functions/local/secrets.ts';
import { killPostmaster } from '../faults/cluster.ts';
import { copyStopped } from '../setup/data-directory.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { type Ending, type Program, runProgram, startProgram } from './program.ts';

const directory = use(makeTemporaryDirectory, 'remove');
const ready = 'Ctrl-C stops it.';
/** The data of a service that was stopped. */
const kept = () => join(directory.path, 'kept');

let program: Program | undefined;
async function start(data: string): Promise<Program> {
  program = startProgram('start', ['--data', data], { PORT: '0' });
  await program.printed(ready);
  return program;
}

const health = async (of: Program): Promise<unknown> =>
  (await fetch(`${/^address +(\S+)$/m.exec(of.output())?.[1]}/health`)).json();

beforeAll(async () => {
  await (await start(kept())).interrupt();
  await writeFile(join(kept(), 'address'), '');
}, 120_000);
afterAll(() => program?.interrupt().catch(() => {}));

let made = 0;
function newDirectory(): string {
  made += 1;
  return join(directory.path, `data-${made}`);
}

/** Returns a copy of the data. */
async function copyData(): Promise<string> {
  const data = newDirectory();
  await copyStopped(kept(), data);
  return data;
}

const noise = Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 131) % 256));

/** What may have happened to a file. */
const damages: Record<string, (path: string) => Promise<unknown>> = {
  missing: async () => {},
  noise: path => writeFile(path, noise),
  'a directory': path => mkdir(join(path, 'file'), { recursive: true }),
};

async function damage(path: string, how: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await damages[how]?.(path);
}

/** Runs it until it ends, and expects one sentence and no stack. */
async function expectSentence(data: string, sentence: RegExp): Promise<void> {
  const ending: Ending = await runProgram('start', ['--data', data], { PORT: '0' });
  expect(ending.stderr).toMatch(sentence);
  expect(ending.stderr).not.toMatch(/\n {4}at /);
  expect(ending.code).toBe(1);
}

it.each([
  'noise',
  'a directory',
])('npm start starts when what it rebuilds, locks and notes is %s', async how => {
  const data = await copyData();
  const rebuilt = ['address', 'bundle', 'demo', 'reference', 'objects', 'postgres.new.password'];
  for (const name of [...rebuilt, 'postgres/postmaster.pid', 'postgres/server.log']) {
    await damage(join(data, name), how);
  }
  const running = await start(data);
  expect(running.output()).not.toContain('demo rows loaded');
  expect(await health(running)).toMatchObject({ status: 'ok' });
  expect(await running.interrupt()).toMatchObject({ code: 0, stderr: '' });
  expect((await readdir(data)).filter(name => name.startsWith('programs-'))).toHaveLength(1);
});

describe('secrets.json', () => {
  const change = (name: string, value: unknown) => (text: string) =>
    JSON.stringify({ ...JSON.parse(text), [name]: value });

  it.each<[what: string, changed: (text: string) => string | Buffer]>([
    ['empty', () => ''],
    ['noise', () => noise],
    ['a list', () => '[]'],
    ['with a password that is a number', change('ownerPassword', 1)],
    ['with a key of two lines', change('secretKey', 'a\nb')],
    ['with a short JWT secret', change('jwtSecret', 'short')],
  ])('is named, with what to do, when it is %s', async (_, changed) => {
    const data = newDirectory();
    await mkdir(data);
    const text = await readFile(join(kept(), 'secrets.json'), 'utf8');
    await writeFile(join(data, 'secrets.json'), changed(text));
    await expect(loadSecrets(data)).rejects.toThrow(
      /^\S+\/secrets\.json cannot be used: .+\. Restore it, or remove it: then new keys .+ the data is kept\.$/,
    );
  });

  it('is named when it is a directory', async () => {
    const data = newDirectory();
    await mkdir(join(data, 'secrets.json'), { recursive: true });
    await expectSentence(
      data,
      /^\S+\/secrets\.json cannot be used: EISDIR.+ Restore it, or remove it: .+\n$/,
    );
  });

  it('is made anew beside data that it is missing for, which are kept', async () => {
    const data = await copyData();
    await rm(join(data, 'secrets.json'));
    const running = await start(data);
    expect(running.output()).toContain('has the password of the new secrets now.');
    expect(running.output()).not.toContain('demo rows loaded');
    expect(await health(running)).toMatchObject({ status: 'ok' });
    expect(await running.interrupt()).toMatchObject({ code: 0, stderr: '' });
    expect(await (await start(data)).interrupt()).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the database', () => {
  it.each([
    ['is a file', '', 'noise'],
    ['has no PG_VERSION', 'PG_VERSION', 'missing'],
    ['has a damaged control file', 'global/pg_control', 'noise'],
    ['has lost its tables', 'base', 'missing'],
  ])('is named, with what to do, when it %s', async (_, file, how) => {
    const data = await copyData();
    await damage(join(data, 'postgres', file), how);
    await expectSentence(
      data,
      /^The database in \S+ cannot be used: .+ restore the directory, or move it away: then a new database is created\.\n$/,
    );
  });

  it('is named when another version of Postgres has made it', async () => {
    const data = await copyData();
    await writeFile(join(data, 'postgres/PG_VERSION'), '15\n');
    await expectSentence(
      data,
      /was initialized by PostgreSQL version 15, which is not compatible .+move it away/,
    );
  });
});

it('starts when another program has its old port, which answers every path with a page', async () => {
  const other = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello');
  });
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const data = await copyData();
  await writeFile(join(data, 'address'), `http://127.0.0.1:${port}`);
  const running = await start(data);
  expect(await running.interrupt()).toMatchObject({ code: 0, stderr: '' });
  other.closeAllConnections();
  other.close();
});

it('ends with a sentence when Postgres is killed, and starts again', async () => {
  const data = await copyData();
  const running = await start(data);
  await killPostmaster(join(data, 'postgres'), 'SIGKILL');
  expect(await running.ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Postgres ended\. The last line of its log, \S+server\.log: .+\n$/),
  });
  const again = await start(data);
  expect(await health(again)).toMatchObject({ status: 'ok' });
  expect(await again.interrupt()).toMatchObject({ code: 0, stderr: '' });
});
