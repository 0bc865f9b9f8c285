/**
 * `npm run dev` with changed code, and workerd that ends under it or under `npm start`.
 * @module-tag full
 */
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryPort } from '../../functions/local/port.ts';
import { cpuOf, idsOf } from '../costs/processes.ts';
import { copyCheckout } from '../setup/checkout.ts';
import { useDatabase } from '../setup/database.ts';
import { freePort } from '../setup/free-port.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { keepLoginPassword } from './login-password.ts';
import { type Program, startCommand, startProgram } from './program.ts';

const directory = use(makeTemporaryDirectory, 'remove');
const database = useDatabase();
let program: Program;
let env: Record<string, string>;
/** On the same data and port each time. */
const args = () => ['--data', join(directory.path, 'data')];

beforeAll(async () => {
  await keepLoginPassword(join(directory.path, 'data'));
  env = { PORT: String(await freePort()), DATABASE_URL: database.ownerUrl };
});
afterAll(() => program.interrupt().catch(() => {}));

/** Kills workerd, and expects that the program ends with it. */
async function expectEnd(): Promise<void> {
  const [workerd = 0, ...others] = idsOf('workerd', program.id);
  expect(others).toEqual([]);
  const parents = idsOf('node', program.id);
  process.kill(workerd, 'SIGKILL');
  const { code, stderr } = await program.ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('workerd ended.\n')]);
  await expect.poll(() => parents.filter(id => cpuOf(id) !== undefined)).toEqual([]);
  expect(await tryPort(Number(env['PORT']))).toBe(Number(env['PORT']));
}

it('npm start ends with workerd, says so and leaves nothing running', async () => {
  program = startProgram('start', args(), env);
  await program.printed('Ctrl-C stops it.');
  await expectEnd();
});

describe('npm run dev', () => {
  const address = () => `http://127.0.0.1:${env['PORT']}`;
  let checkout: string;
  beforeAll(async () => {
    checkout = join(directory.path, 'checkout');
    await copyCheckout(checkout);
    program = startCommand('npm', ['run', 'dev', '--', ...args()], { directory: checkout, env });
    await program.printed('Ctrl-C stops it.');
  });

  it('goes on when workerd does not start with changed code', async () => {
    const file = join(checkout, 'functions/all.ts');
    const code = await readFile(file, 'utf8');
    await writeFile(file, `${code}throw new Error('changed');\n`);
    const port = Number(env['PORT']);
    await expect.poll(() => tryPort(port), { timeout: 120_000 }).toBe(port);
    await writeFile(file, code);
    await program.printed('serving the new bundle');
  });

  it('serves changed code on the same port, and continues to print the log', async () => {
    const key = /^publishable key +(\S+)$/m.exec(program.output())?.[1] ?? '';
    const headers = { apikey: key, 'x-request-id': 'after-the-reload' };
    expect((await fetch(`${address()}/rest/v1/graphics`, { headers })).status).toBe(200);
    await program.printed('"request_id":"after-the-reload"');
  });

  it('migrates again when a file of sql/ changes', async () => {
    await utimes(join(checkout, 'sql/demo.sql'), new Date(), new Date());
    const migrations = () => program.output().match(/^migrations .*/gm);
    await expect.poll(migrations, { timeout: 120_000 }).toHaveLength(2);
  });

  it('ends with workerd, says so and leaves nothing running', async () => {
    await expectEnd();
    const { stderr } = await program.ended;
    expect(stderr).toContain(
      'workerd did not start with the new bundle. Nothing is served until the code changes.',
    );
  });
});
