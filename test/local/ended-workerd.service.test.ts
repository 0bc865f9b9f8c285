/**
 * workerd that ends under `npm start` and `npm run dev`, or does not start with changed code.
 * @module-tag full
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { tryPort } from '../../functions/local/port.ts';
import { cpuOf, idsOf } from '../costs/processes.ts';
import { copyCheckout } from '../setup/checkout.ts';
import { useDatabase } from '../setup/database.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { keepLoginPassword } from './login-password.ts';
import { type Program, startCommand, startProgram } from './program.ts';

const directory = use(makeTemporaryDirectory, 'remove');
const database = useDatabase();
let program: Program;
let port: number;

beforeAll(async () => {
  await keepLoginPassword(data());
  port = (await tryPort(0)) ?? 0;
});
afterEach(() => program.interrupt().catch(() => {}));

const data = (): string => join(directory.path, 'data');

/** On the same data and port each time. */
async function start(...args: string[]): Promise<void> {
  const env = { PORT: String(port), DATABASE_URL: database.ownerUrl };
  program = startProgram('start', ['--data', data(), ...args], env);
  await program.printed('Ctrl-C stops it.');
}

it.each(['start', 'dev'])('npm run %s ends with workerd, says so and leaves nothing running', async name => {
  await start(...(name === 'dev' ? ['--watch'] : []));
  const [workerd = 0, ...others] = idsOf('workerd', program.id);
  expect(others).toEqual([]);
  const parents = idsOf('node', program.id);
  process.kill(workerd, 'SIGKILL');
  const ending = await Promise.race([program.ended, sleep(5000)]);
  expect(ending).toMatchObject({ code: 1, stderr: 'workerd ended.\n' });
  await expect.poll(() => parents.filter(id => cpuOf(id) !== undefined)).toEqual([]);
  expect(await tryPort(port)).toBe(port);
});

it('npm run dev goes on when workerd does not start with changed code', async () => {
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
