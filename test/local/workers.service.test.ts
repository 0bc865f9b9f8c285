import { access, readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryPort } from '../../functions/local/port.ts';
import { idsOf } from '../bench/cpu.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../setup/temporary-directory.ts';
import { keepLoginPassword } from './login-password.ts';
import { type Program, startProgram } from './program.ts';

let directory: TemporaryDirectory;
let database: TestDatabase;
let program: Program;
let port: number;

beforeAll(async () => {
  [directory, database] = await Promise.all([makeTemporaryDirectory(), createDatabase()]);
  await keepLoginPassword(data());
  await start();
});
afterAll(async () => {
  await program.interrupt().catch(() => {});
  await database.drop();
  await directory.remove();
});

const data = (): string => join(directory.path, 'data');

async function start(): Promise<void> {
  const env = { PORT: '0', DATABASE_URL: database.ownerUrl };
  program = startProgram('start', ['--workers', '2', '--data', data()], env);
  await program.printed('Ctrl-C stops it.');
  port = Number(/^address +http:\/\/127\.0\.0\.1:(\d+)$/m.exec(program.output())?.[1]);
}

const workerds = (): Promise<number[]> => idsOf('workerd', program.id);

/** The status of a request on a connection of its own. */
const status = (): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get({ port, path: '/health', agent: false }, response => resolve(response.resume().statusCode))
      .on('error', reject)
      .setTimeout(20_000, () => reject(new Error('no answer')));
  });

/** Where a workerd process keeps its files. */
async function filesOf(id: number): Promise<string> {
  const line = await readFile(`/proc/${id}/cmdline`, 'utf8');
  return /--directory-path=do:storage=([^\0]+)/.exec(line)?.[1] ?? '';
}

/** Requests are answered while either of the two is stopped, so both accept connections. */
async function expectBothToAnswer(): Promise<void> {
  const ids = await workerds();
  expect(ids).toHaveLength(2);
  for (const id of ids) {
    process.kill(id, 'SIGSTOP');
    expect([await status(), await status()]).toEqual([200, 200]);
    process.kill(id, 'SIGCONT');
  }
}

/** Of all processes and files that were there, nothing is left, and the port is free. */
async function expectNothingLeft(ids: number[], files: string[]): Promise<void> {
  const running = () => ids.filter(isRunning);
  await expect.poll(running).toEqual([]);
  await expect.poll(() => Promise.all(files.map(exists))).toEqual(files.map(() => false));
  expect(await tryPort(port)).toBe(port);
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe('npm start with two workers', { timeout: 120_000 }, () => {
  it('serves from two workerd processes on one port, each with files of its own', async () => {
    expect(program.output()).toMatch(/^worker +\d+ ms {3}2 workerd processes accept requests$/m);
    await expectBothToAnswer();
    const files = await Promise.all((await workerds()).map(filesOf));
    expect(new Set(files).size).toBe(2);
  });

  it('answers while one of them is dead, starts it again, and leaves nothing on Ctrl-C', async () => {
    const [killed = 0, other = 0] = await workerds();
    process.kill(killed, 'SIGKILL');
    expect([await status(), await status()]).toEqual([200, 200]);
    const others = async () => (await workerds()).filter(id => id !== killed);
    await expect.poll(others).toHaveLength(2);
    const now = await others();
    expect(now).toContain(other);
    await expectBothToAnswer();

    const files = await Promise.all(now.map(filesOf));
    const ending = await program.interrupt();
    expect(ending.code).toBe(0);
    expect(ending.stderr).toMatch(
      /^workerd [12] ended \(signal SIGKILL\); it is started again in \d+ ms\.\n$/,
    );
    await expectNothingLeft(now, files);
  });

  it('leaves nothing when it is killed', async () => {
    await start();
    const ids = await workerds();
    const files = await Promise.all(ids.map(filesOf));
    await program.kill();
    await expectNothingLeft(ids, files);
  });
});
