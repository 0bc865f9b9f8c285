/**
 * `npm start` that is stopped and started again while pages listen to it, and workerd that ends under it.
 *
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAccessToken, type TokenHolder } from '../../functions/local/access-token.ts';
import { tryPort } from '../../functions/local/port.ts';
import { loadSecrets, type Secrets } from '../../functions/local/secrets.ts';
import { idsOf } from '../costs/processes.ts';
import { expectInformed, startWriters } from '../faults/noted-rows.ts';
import { ExamplePages } from '../live/example-page.ts';
import { copyCheckout } from '../setup/checkout.ts';
import { useDatabase } from '../setup/database.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { keepLoginPassword } from './login-password.ts';
import { type Program, startCommand, startProgram } from './program.ts';

const directory = use(makeTemporaryDirectory, 'remove');
const database = useDatabase();
let secrets: Secrets;
let program: Program;
let port: number;
const pages = new ExamplePages();

beforeAll(async () => {
  await keepLoginPassword(data());
  secrets = await loadSecrets(data(), {});
  port = (await tryPort(0)) ?? 0;
});
afterEach(() => program.interrupt().catch(() => {}));
afterAll(() => pages.stop());

const data = (): string => join(directory.path, 'data');

/** On the same data and port each time. */
async function start(...args: string[]): Promise<void> {
  const env = { PORT: String(port), DATABASE_URL: database.ownerUrl };
  program = startProgram('start', ['--data', data(), ...args], env);
  await program.printed('Ctrl-C stops it.');
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

it('pages that listen show every change when npm start is killed and started again', {
  timeout: 120_000,
}, async () => {
  await start();
  const account = randomUUID();
  const service = {
    url: `http://127.0.0.1:${port}`,
    publishableKey: secrets.publishableKey,
    token: (holder: TokenHolder) => createAccessToken(secrets.jwtSecret, holder),
  };
  const listeners = await pages.open(service, account, database.sql);
  const writers = startWriters(database.sql, account);
  await sleep(1000);
  await program.kill();
  await expect.poll(() => tryPort(port)).toBe(port);
  await start();
  await sleep(1000);
  await writers.stop();
  await expectInformed(database.sql, account, listeners, 40_000);
  await pages.stop();
  expect(await program.interrupt()).toMatchObject({ code: 0 });
});

describe.each(['start', 'dev'])('npm run %s', name => {
  it('ends with a message when workerd has ended, and leaves nothing running', async () => {
    await start(...(name === 'dev' ? ['--watch'] : []));
    const [workerd = 0, ...others] = idsOf('workerd', program.id);
    expect(others).toEqual([]);
    const parents = idsOf('node', program.id);
    process.kill(workerd, 'SIGKILL');
    const ending = await Promise.race([program.ended, sleep(5000)]);
    expect(ending).toMatchObject({ code: 1, stderr: 'workerd ended.\n' });
    await expect.poll(() => parents.filter(isRunning)).toEqual([]);
    expect(await tryPort(port)).toBe(port);
  });
});

it('npm run dev goes on when workerd does not start with changed code', {
  tags: ['full'],
  timeout: 120_000,
}, async () => {
  const checkout = join(directory.path, 'checkout');
  await copyCheckout(checkout);
  const command = ['run', 'dev', '--', '--data', data()];
  program = startCommand('npm', command, {
    directory: checkout,
    env: { PORT: String(port), DATABASE_URL: database.ownerUrl },
  });
  await program.printed('Ctrl-C stops it.');
  const file = join(checkout, 'functions/all.ts');
  const code = await readFile(file, 'utf8');
  await writeFile(file, `${code}throw new Error('changed');\n`);
  await expect.poll(() => tryPort(port)).toBe(port);
  await writeFile(file, code);
  await program.printed('serving the new bundle');
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  const { code: exit, stderr } = await program.interrupt();
  expect(exit).toBe(0);
  expect(stderr).toContain(
    'workerd did not start with the new bundle. Nothing is served until the code changes.',
  );
});
