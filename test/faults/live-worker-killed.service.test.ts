/** workerd is killed and started again, with what its objects stored or without it. */
import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { returningVersions } from '../live/realtime-clients.ts';
import { rounds, sample } from '../setup/full-size.ts';
import { type Service, startService } from '../setup/service.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { CountingListener } from './counting-listener.ts';
import { expectToldOfLost, prove, User } from './device.ts';
import { expectInformed, readRows, startWriters } from './noted-rows.ts';

const directory = use(makeTemporaryDirectory, 'remove');
let service: Service;
const listeners: CountingListener[] = [];
beforeAll(async () => {
  service = await startService({ objects: directory.path });
});
afterAll(async () => {
  await Promise.all(listeners.map(listener => listener.stop()));
  await service.stop();
});

async function listen(account: string): Promise<CountingListener[]> {
  const read = () => readRows(service.sql, account);
  const pages = await Promise.all(
    sample(2, returningVersions).map(client => CountingListener.open({ service, account, client, read })),
  );
  listeners.push(...pages);
  return pages;
}

/** Everything that objects have stored. */
async function forget(): Promise<void> {
  const names = await readdir(directory.path);
  expect(names.length).toBeGreaterThan(0);
  await Promise.all(names.map(name => rm(join(directory.path, name), { recursive: true })));
}

const timeout = 120_000;

/** It starts a new process in place of the one that it kills with SIGKILL. */
const restarts: [what: string, restart: () => Promise<void>][] = [
  ['killed', () => service.restart()],
  [
    'killed twice within a second',
    async () => {
      await service.restart();
      await sleep(500);
      await service.restart();
    },
  ],
];

describe('pages are told of everything when workerd is', { timeout }, () => {
  it.each(restarts)('%s', async (_what, restart) => {
    const account = randomUUID();
    const pages = await listen(account);
    const writers = startWriters(service.sql, account);
    await sleep(rounds(2500, 6000));
    await restart();
    await sleep(500);
    await writers.stop();
    await expectInformed(service.sql, account, pages, 40_000);
  });

  it('killed, and what its objects stored is lost, each of several devices of one user', async () => {
    const user = new User(service);
    const devices = await Promise.all([user.connect(20), user.connect(50), user.connect(53)]);
    await Promise.all(devices.map(prove));
    for (const { socket } of devices) {
      socket.pause();
    }
    await user.writeLost();
    await forget();
    await service.restart();
    for (const { ref } of devices) {
      // Those that are back already are like it, and have missed nothing since.
      const back = await user.connect(ref + 3);
      await expectToldOfLost(back);
      await prove(back);
    }
    user.leave();
  });
});
