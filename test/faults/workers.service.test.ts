/** Workers and databases that end while e-mail is sent, or while rows are written. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sql } from 'postgres';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { deliveryLimits } from '../../functions/delivery/delivery-limits.ts';
import { createAccessToken, type TokenHolder } from '../../functions/local/access-token.ts';
import type { ServeRequest, ServeResult } from '../../functions/local/worker-process.ts';
import { startRelay, type TestRelay } from '../delivery/relay.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { bundleOnce } from '../setup/deployed/bundles.ts';
import { freePort } from '../setup/free-port.ts';
import { newKeys } from '../setup/running-worker.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { startCluster } from './cluster.ts';
import { countSent, endLeases, storeDueMails, tallyOf } from './due-mails.ts';
import { isGood, underLoad } from './under-load.ts';

let relay: TestRelay;
let ending: (() => Promise<unknown>)[];
beforeEach(async () => {
  ending = [];
  relay = await startRelay({ certificate: inject('certificate'), smtp: { hideSTARTTLS: true } });
});
afterEach(async () => {
  await relay.stop();
  for (const end of ending.reverse()) {
    await end();
  }
});

async function aDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  ending.push(() => database.drop());
  return database;
}

const program = fileURLToPath(new URL('../../functions/local/worker-process.ts', import.meta.url));

/** The worker of everything, in a process group of its own, which sends e-mail over the relay. */
async function startKillable({ apiUrl, jobsUrl }: TestDatabase, objects?: string) {
  const keys = newKeys();
  const addresses = {
    DATABASE_URL: apiUrl,
    JOBS_DATABASE_URL: jobsUrl,
  };
  const mail = {
    MAIL_URL: `smtp://127.0.0.1:${relay.port}`,
    MAIL_FROM: 'Uniform Builder <quotes@builder.example>',
    MAIL_PER_DAY: '1000000',
    SERVICE_URL: 'https://api.builder.example',
  };
  const request: ServeRequest = {
    script: (await bundleOnce('all')).script,
    port: 0,
    bindings: { LOCAL: '1', ...addresses, ...keys, ...mail },
    ...(objects && { objects }),
  };
  let holder: ChildProcess;
  const worker = {
    keys,
    fetch: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${request.port}${path}`, init),
    /** Has it sweep, and look for deliveries that are due. */
    async wake(): Promise<void> {
      const { body } = await worker.fetch('/cdn-cgi/handler/scheduled');
      await body?.cancel();
    },
    async kill(): Promise<void> {
      if (holder.exitCode === null && holder.signalCode === null) {
        const ended = once(holder, 'exit');
        process.kill(-(holder.pid ?? Number.NaN), 'SIGKILL');
        await ended;
      }
    },
    /** Starts it, each time on a port that is free: another program may have taken the last one. */
    async start(): Promise<void> {
      request.port = await freePort();
      holder = fork(program, { detached: true, execArgv: ['--import', 'tsx'], stdio: 'ignore' });
      holder.send(request);
      const [result] = (await once(holder, 'message')) as [ServeResult];
      expect(result).toEqual({});
    },
  };
  await worker.start();
  ending.push(worker.kill);
  return worker;
}

const untilSent = (sql: Sql, count: number) =>
  vi.waitUntil(async () => (await countSent(sql)) >= count, { timeout: 120_000, interval: 10 });

it('a worker that is killed sends each mail, and at most those in flight twice', async () => {
  const database = await aDatabase();
  const { sql } = database;
  await storeDueMails(sql, 60);
  const worker = await startKillable(database);
  await worker.wake();
  await untilSent(sql, 25);
  await worker.kill();
  const inFlight = await endLeases(sql);
  expect(inFlight).toBeLessThanOrEqual(deliveryLimits.run.sessions);
  await worker.start();
  await worker.wake();
  await untilSent(sql, 60);
  const { twice, ...all } = tallyOf(relay);
  expect(all).toEqual({ addresses: 60, messages: 60 });
  expect(twice).toBeLessThanOrEqual(inFlight);
});

it('deliveries go on when the worker is killed and workerd forgets when to wake them', {
  tags: ['full'],
}, async () => {
  const database = await aDatabase();
  const { sql } = database;
  const { path, remove } = await makeTemporaryDirectory();
  ending.push(remove);
  await storeDueMails(sql, 60);
  const worker = await startKillable(database, path);
  await worker.wake();
  await untilSent(sql, 10);
  await worker.kill();
  await endLeases(sql);
  // workerd's list of alarms; the object has its own in a file beside it, which is overdue then.
  await rm(join(path, 'all-Delivery', 'metadata.sqlite'));
  await sleep(deliveryLimits.run.overdueAlarm + 2000);
  await worker.start();
  await worker.wake();
  await untilSent(sql, 60);
});

it('no mail is sent twice when the database restarts, since each is settled when it is back', {
  tags: ['full'],
}, async () => {
  const cluster = await startCluster();
  ending.push(() => cluster.remove());
  const { sql } = cluster.database;
  const count = 100;
  await storeDueMails(sql, count);
  const one = await startKillable(cluster.database);
  await one.wake();
  await untilSent(sql, 25);
  await cluster.stop('fast');
  await sleep(300);
  await cluster.start();
  const restarted = new Date();
  const before = await vi.waitUntil(() => countSent(sql).catch(() => undefined), { timeout: 30_000 });
  expect(before).toBeLessThan(count);
  await one.wake();
  // By then it has settled what it could not settle meanwhile. What is left was claimed, and the reply was lost.
  await untilSent(sql, count - deliveryLimits.run.sessions);
  await endLeases(sql, restarted);
  await one.wake();
  await untilSent(sql, count);
  expect(tallyOf(relay)).toEqual({ addresses: count, twice: 0, messages: count });
});

it('two workers send 80 mails that are due, each once', { tags: ['full'] }, async () => {
  const database = await aDatabase();
  const { sql } = database;
  const count = 80;
  await storeDueMails(sql, count);
  const both = [await startKillable(database), await startKillable(database)];
  await Promise.all(both.map(each => each.wake()));
  await untilSent(sql, count);
  expect(tallyOf(relay)).toEqual({ addresses: count, twice: 0, messages: count });
});

it('every acknowledged write is stored once when the worker is killed and started again', async () => {
  const database = await aDatabase();
  const worker = await startKillable(database);
  const service = {
    publishableKey: worker.keys.PUBLISHABLE_KEY,
    token: (holder: TokenHolder) => createAccessToken(worker.keys.JWT_SECRET, holder),
    fetch: worker.fetch,
  };
  const restart = async () => {
    await worker.kill();
    await worker.start();
  };
  const [attempts = []] = await underLoad(database, [service], restart, true);
  expect(attempts.filter(({ status }) => status === 0).length).toBeGreaterThan(0);
  expect(attempts.filter(isGood).length).toBeGreaterThan(20);
});
