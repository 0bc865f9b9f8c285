/** The workers' process is killed during writes, and another one replaces it. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import type { ServeRequest, ServeResult } from '../../functions/local/worker-process.ts';
import { useDatabase } from '../setup/database.ts';
import { isGood, underLoad } from './under-load.ts';

const program = fileURLToPath(new URL('../../functions/local/worker-process.ts', import.meta.url));
const secret = randomBytes(32).toString('hex');
const key = `sb_publishable_${randomBytes(16).toString('hex')}`;

const database = useDatabase();
let holder: ChildProcess;
let port = 0;
beforeAll(async () => {
  await start();
});
afterAll(async () => {
  holder.disconnect();
  await once(holder, 'exit');
});

/** Starts workerd as `npm start` does, in its own process group, on the same port as before. */
async function start(): Promise<void> {
  holder = fork(program, { detached: true, execArgv: ['--import', 'tsx'], stdio: 'ignore' });
  const bindings = { DATABASE_URL: database.apiUrl, PUBLISHABLE_KEY: key, JWT_SECRET: secret };
  const request: ServeRequest = { script: inject('worker').script, bindings, port };
  holder.send(request);
  const [result] = (await once(holder, 'message')) as [ServeResult];
  expect(result).toHaveProperty('port');
  port = 'port' in result ? result.port : 0;
}

async function kill(): Promise<void> {
  const ended = once(holder, 'exit');
  process.kill(-(holder.pid ?? Number.NaN), 'SIGKILL');
  await ended;
}

it('killed and started again: every acknowledged write is stored once', async () => {
  const service = {
    publishableKey: key,
    token: (holder: Parameters<typeof createAccessToken>[1]) => createAccessToken(secret, holder),
    fetch: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
  };
  const fault = async () => {
    await kill();
    await start();
  };
  const [attempts = []] = await underLoad(database, [service], fault, true);
  expect(attempts.filter(({ status }) => status === 0).length).toBeGreaterThan(0);
  expect(attempts.filter(isGood).length).toBeGreaterThan(20);
});
