/** Listeners while the database fails over to its standby, which has all that was committed or lacks the latest. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { returningVersions } from '../live/realtime-clients.ts';
import { sample } from '../setup/full-size.ts';
import { type Service, startService } from '../setup/service.ts';
import { CountingListener } from './counting-listener.ts';
import { expectInformed, readRows, startWriters, write } from './noted-rows.ts';
import { type Pair, startPair } from './pair.ts';

let pair: Pair;
let service: Service;
let sql: Sql;
const listeners: CountingListener[] = [];
beforeAll(async () => {
  pair = await startPair();
  sql = pair.database.sql;
  service = await startService({ database: pair.database, databasePort: pair.address.port });
});
afterAll(async () => {
  await Promise.all(listeners.map(listener => listener.stop()));
  await service.stop();
  await pair.remove();
});

async function listen(account: string): Promise<CountingListener[]> {
  const read = () => readRows(sql, account);
  const pages = await Promise.all(
    sample(1, returningVersions).map(client => CountingListener.open({ service, account, client, read })),
  );
  listeners.push(...pages);
  return pages;
}

async function failOver(): Promise<void> {
  await pair.killPrimary();
  await pair.promote();
}

const timeout = 120_000;

describe('pages are told of everything', { timeout }, () => {
  it('when the primary is killed and the standby, which has all commits, is promoted', async () => {
    const account = randomUUID();
    const pages = await listen(account);
    const writers = startWriters(sql, account);
    await sleep(1500);
    await failOver();
    await sleep(1000);
    await writers.stop();
    await expectInformed(sql, account, pages, 40_000);
  });

  it('when the standby that is promoted lacks the latest commits, whose numbers come again', async () => {
    await pair.complete();
    const account = randomUUID();
    const pages = await listen(account);
    await write(sql, account, 'in both');
    await pair.detach();
    const lost = Array.from({ length: 40 }, (_, number) => `lost ${number}`);
    await write(sql, account, ...lost);
    for (const page of pages) {
      await expect.poll(() => [...page.rows.values()], { timeout: 20_000 }).toContain('lost 39');
    }
    // The service sees the new primary only when it is ahead of what the old one was.
    await pair.address.refuse();
    await failOver();
    const promoted = postgres(
      Object.assign(new URL(pair.database.ownerUrl), { port: pair.primary.port }).href,
    );
    await write(promoted, account, ...Array.from({ length: 60 }, (_, number) => `new ${number}`));
    await promoted.end();
    await pair.address.resume();
    await expectInformed(sql, account, pages, 40_000);
  });
});
