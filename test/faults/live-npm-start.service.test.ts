/** `npm start` is stopped and started, or loses workerd, while pages listen to it. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { tryPort } from '../../functions/local/port.ts';
import { loadSecrets, type Secrets } from '../../functions/local/secrets.ts';
import { type Program, startProgram } from '../local/program.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../setup/temporary-directory.ts';
import { type Cluster, startCluster } from './cluster.ts';
import type { CountingListener } from './counting-listener.ts';
import { CountingPages } from './counting-pages.ts';
import { expectInformed, startWriters } from './noted-rows.ts';

const execute = promisify(execFile);

let directory: TemporaryDirectory;
let cluster: Cluster;
let sql: Sql;
let secrets: Secrets;
let port: number;
let program: Program;
const pages = new CountingPages();
beforeAll(async () => {
  [directory, cluster] = await Promise.all([makeTemporaryDirectory(), startCluster()]);
  sql = cluster.database.sql;
  port = (await tryPort(0)) ?? 0;
  secrets = await loadSecrets(directory.path, {});
  await start();
});
afterAll(async () => {
  await pages.stop();
  await program.interrupt().catch(() => {});
  await cluster.remove();
  await directory.remove();
});

/** Its database goes on when it ends. */
async function start(): Promise<void> {
  const env = { PORT: String(port), DATABASE_URL: cluster.database.ownerUrl };
  program = startProgram('start', ['--data', directory.path], env);
  await program.printed('Ctrl-C stops it.');
}

function listen(account: string): Promise<CountingListener[]> {
  const service = {
    url: `http://127.0.0.1:${port}`,
    publishableKey: secrets.publishableKey,
    token: (holder: Parameters<typeof createAccessToken>[1]) => createAccessToken(secrets.jwtSecret, holder),
  };
  return pages.open(service, account, sql);
}

/** The process that runs workerd, below all that the program has started. */
async function findWorkerd(): Promise<number> {
  const { stdout } = await execute('ps', ['-eo', 'pid=,ppid=,comm=']);
  const all = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/));
  const below = (parent: number): string[][] =>
    all.filter(([, of]) => Number(of) === parent).flatMap(own => [own, ...below(Number(own[0]))]);
  return Number(below(program.id).find(([, , name]) => name === 'workerd')?.[0]);
}

const answers = (): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/rest/v1/`, { signal: AbortSignal.timeout(5000) }).then(
    async response => {
      await response.body?.cancel();
      return true;
    },
    () => false,
  );

const timeout = 120_000;

describe('npm start', { timeout }, () => {
  it('stopped and started, tells pages of everything', async () => {
    const account = randomUUID();
    const listeners = await listen(account);
    const writers = startWriters(sql, account);
    await sleep(2500);
    await program.interrupt();
    await start();
    await sleep(500);
    await writers.stop();
    await expectInformed(sql, account, listeners, 40_000);
  });

  it('ends, or serves again, when workerd is killed', async () => {
    const workerd = await findWorkerd();
    expect(workerd).toBeGreaterThan(0);
    let hasEnded = false;
    void program.ended.then(() => {
      hasEnded = true;
    });
    process.kill(workerd, 'SIGKILL');
    await sleep(500);
    await expect.poll(async () => hasEnded || (await answers()), { timeout: 20_000 }).toBe(true);
  });
});
