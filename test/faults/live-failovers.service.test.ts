/**
 * Pages while the database fails over to its standby, which has every commit or lacks the latest.
 *
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExamplePages } from '../live/example-page.ts';
import { type Service, startService } from '../setup/service.ts';
import { expectInformed, startWriters, write } from './noted-rows.ts';
import { type Pair, startPair } from './pair.ts';

let pair: Pair;
let service: Service;
let sql: Sql;
const pages = new ExamplePages();
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

describe('pages show every change', { timeout: 120_000 }, () => {
  it('when the primary is killed and a standby with every commit is promoted', async () => {
    const account = randomUUID();
    const opened = await pages.open(service, account, sql);
    const writers = startWriters(sql, account);
    await sleep(1500);
    await failOver();
    await sleep(1000);
    await writers.stop();
    await expectInformed(sql, account, opened, 40_000);
  });

  it('when the promoted standby lacks the latest commits, whose transaction numbers come again', async () => {
    await pair.complete();
    const account = randomUUID();
    const opened = await pages.open(service, account, sql);
    await write(sql, account, 'in both');
    await pair.detach();
    await write(sql, account, ...Array.from({ length: 40 }, (_, number) => `lost ${number}`));
    for (const page of opened) {
      await expect.poll(() => page.bodies, { timeout: 20_000 }).toContain('lost 39');
    }
    // The service meets the new primary only when its numbers are beyond those of the old one.
    await pair.address.refuse();
    await failOver();
    const address = new URL(pair.database.ownerUrl);
    const promoted = postgres(Object.assign(address, { port: pair.primary.port }).href);
    await write(promoted, account, ...Array.from({ length: 60 }, (_, number) => `new ${number}`));
    await promoted.end();
    await pair.address.resume();
    await expectInformed(sql, account, opened, 40_000);
  });
});
