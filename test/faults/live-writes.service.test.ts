/**
 * Writes of every kind: each commit arrives, and nothing that was rolled back does.
 *
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ExamplePages } from '../live/example-page.ts';
import { rounds } from '../setup/full-size.ts';
import { useService } from '../setup/service.ts';
import { expectInformed, write } from './noted-rows.ts';

const service = useService();
/** With as many connections as there are transactions at once. */
let sql: Sql;
const pages = new ExamplePages();
beforeAll(async () => {
  sql = postgres(service.database.ownerUrl, { max: 30, onnotice: () => {} });
});
afterAll(async () => {
  await pages.stop();
  await sql.end();
});

describe('pages show every change', { timeout: 120_000 }, () => {
  it.concurrent('of statements that insert, change and delete 20,000 rows', async () => {
    const account = randomUUID();
    const opened = await pages.open(service, account, sql);
    await sql`
      insert into builder.notifications (account_id, body, dismissed)
      select ${account}, 'bulk ' || number, false from generate_series(1, 20000) number`;
    await expectInformed(sql, account, opened, 60_000);
    await sql`
      update builder.notifications set body = body || ' changed' where account_id = ${account} and id % 2 = 0`;
    await sql`delete from builder.notifications where account_id = ${account} and id % 5 = 0`;
    await expectInformed(sql, account, opened, 60_000);
  });

  it.concurrent('of transactions with savepoints, some of which are rolled back', async () => {
    const account = randomUUID();
    const opened = await pages.open(service, account, sql);
    const shown = new Set<string>();
    const watch = setInterval(() => {
      for (const body of opened.flatMap(({ bodies }) => bodies)) {
        shown.add(body);
      }
    }, 20);
    const inPart = async (number: number): Promise<void> => {
      await sql.begin(async transaction => {
        await write(transaction, account, `kept ${number}`);
        await transaction
          .savepoint(async savepoint => {
            await write(savepoint, account, `undone ${number}`);
            throw new Error('to the savepoint');
          })
          .catch(() => {});
        await transaction.savepoint(savepoint => write(savepoint, account, `also kept ${number}`));
      });
      await sql
        .begin(async transaction => {
          await write(transaction, account, `undone whole ${number}`);
          throw new Error('all of it');
        })
        .catch(() => {});
    };
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let number = 0; number < rounds(20, 200); number++) {
        await inPart(writer * 1000 + number);
      }
    });
    await Promise.all(writers);
    await expectInformed(sql, account, opened, 40_000);
    clearInterval(watch);
    expect([...shown].filter(body => body.startsWith('undone'))).toEqual([]);
    expect(shown.size).toBeGreaterThan(100);
  });

  it.concurrent('of transactions that commit while another one stays open, and of that one', async () => {
    const account = randomUUID();
    const opened = await pages.open(service, account, sql);
    const end = Date.now() + rounds(5, 20) * 1000;
    await sql.begin(async transaction => {
      await write(transaction, account, 'long, at its beginning');
      for (let number = 0; number === 0 || Date.now() < end; number++) {
        await write(sql, account, `meanwhile ${number}`);
        // It arrives although the older transaction has not ended.
        await vi.waitUntil(() => opened.every(page => page.bodies.includes(`meanwhile ${number}`)), {
          timeout: 20_000,
        });
        await sleep(50);
      }
      await write(transaction, account, 'long, at its end');
      expect(opened.filter(page => page.bodies.includes('long, at its beginning'))).toEqual([]);
    });
    await expectInformed(sql, account, opened);
  });
});
