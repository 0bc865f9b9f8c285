/** Listeners while the database fails over to its standby, which has all that was committed or lacks the latest. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../setup/service.ts';
import { CountingPages } from './counting-pages.ts';
import { expectInformed, startWriters, write } from './noted-rows.ts';
import { type Pair, startPair } from './pair.ts';

let pair: Pair;
let service: Service;
let sql: Sql;
const pages = new CountingPages();
beforeAll(async () => {
  pair = await startPair();
  sql = pair.database.sql;
  service = await startService({ database: pair.database, databasePort: pair.address.port });
});
afterAll(async () => {
  await pages.stop();
  await service.stop();
  await pair.remove();
});

async function failOver(): Promise<void> {
  await pair.killPrimary();
  await pair.promote();
}

const timeout = 120_000;

describe('pages are told of everything', { timeout }, () => {
  it('when the primary is killed and the standby, which has all commits, is promoted', async () => {
    const account = randomUUID();
    const listeners = await pages.open(service, account, sql);
    const writers = startWriters(sql, account);
    await sleep(1500);
    await failOver();
    await sleep(1000);
    await writers.stop();
    await expectInformed(sql, account, listeners, 40_000);
  });

  it('when the standby that is promoted lacks the latest commits, whose numbers come again', async () => {
    await pair.complete();
    const account = randomUUID();
    const listeners = await pages.open(service, account, sql);
    await write(sql, account, 'in both');
    await pair.detach();
    const lost = Array.from({ length: 40 }, (_, number) => `lost ${number}`);
    await write(sql, account, ...lost);
    for (const page of listeners) {
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
    await expectInformed(sql, account, listeners, 40_000);
  });
});
