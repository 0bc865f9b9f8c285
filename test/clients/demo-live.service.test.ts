/**
 * The page `/demo` in a real browser, while rows change as it reads, and when its connection breaks.
 * @module-tag chromium
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { type Link, startLink } from '../faults/link.ts';
import { type Chromium, startChromium, type Tab } from '../setup/chromium.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';

const jwtSecret = randomUUID();
const account = randomUUID();
let service: Service;
let link: Link;
let chromium: Chromium;
let tab: Tab;
/** What the page was told: that a join was refused, or that changes were missed. */
const errors: string[] = [];

beforeAll(async () => {
  const [customer, staff] = await Promise.all([
    createAccessToken(jwtSecret, { account }),
    createAccessToken(jwtSecret, { account: randomUUID(), staff: true }),
  ]);
  const bindings = { JWT_SECRET: jwtSecret, DEMO_TOKEN: customer, DEMO_STAFF_TOKEN: staff };
  [service, chromium] = await Promise.all([startService({ bindings }), startChromium()]);
  link = await startLink(Number(new URL(service.url).port));
  tab = await chromium.open(`http://127.0.0.1:${link.port}/demo`);
  // So that what it reads at first is not among what a test holds back.
  await tab.page.waitForSelector('#builder .live.on');
  await tab.page.waitForSelector('#desk .live.on');
  tab.page.on('websocket', socket =>
    socket.on('framereceived', ({ payload }) =>
      errors.push(...(/"status":"error".*/.exec(`${payload}`) ?? [])),
    ),
  );
});
afterAll(() => Promise.all([service.stop(), chromium.stop(), link.stop()]));
afterEach(() => tab.page.unrouteAll());

const collections = /\/rest\/v1\/(quotes|notifications)\?/;
const linesOf = (selector: string) => () => tab.page.locator(`${selector} > li`).allTextContents();
const shows = (selector: string, ...lines: string[]) =>
  expect
    .poll(linesOf(selector), { timeout: 20_000 })
    .toEqual(lines.map(line => expect.stringContaining(line)));

async function insert(quote_number: string, body: string): Promise<{ quote: string; notification: string }> {
  const { sql } = service;
  const row = aQuote(account, { quote_number, status: 'submitted', source: 'csv_import' });
  const [quote] = await sql`insert into builder.quotes ${sql(row)} returning id`;
  const [notification] = await sql`
    insert into builder.notifications ${sql(aNotification(account, { body }))} returning id`;
  return { quote: quote?.['id'], notification: notification?.['id'] };
}

async function remove({ quote, notification }: { quote: string; notification: string }): Promise<void> {
  await service.sql`update builder.quotes set deleted_at = now() where id = ${quote}`;
  await service.sql`delete from builder.notifications where id = ${notification}`;
}

interface HeldReads {
  count(): number;
  /** Lets the page have the answers from this one to that one, in the order of the requests. */
  release(from: number, to: number): void;
}

/** Holds back what the service answers to reads of quotes and notifications, until that is released. */
async function holdReads(): Promise<HeldReads> {
  const held: (() => void)[] = [];
  await tab.page.route(collections, async route => {
    const response = await route.fetch();
    await new Promise<void>(resolve => held.push(resolve));
    await route.fulfill({ response }).catch(() => {});
  });
  return {
    count: () => held.length,
    release(from, to) {
      for (const release of held.slice(from, to)) {
        release();
      }
    },
  };
}

/** Both sides of the page read quotes, and the customer's reads notifications too. */
const readsOfAPage = 3;
const readLine = /→ GET \/rest\/v1\/(quotes|notifications)/;

describe('/demo', () => {
  it('shows what is written while it reads, and that alone', async () => {
    const old = await insert('QT-2026-00001', 'old');
    const reads = await holdReads();
    await tab.page.reload();
    await expect.poll(reads.count).toBe(readsOfAPage);
    await remove(old);
    await insert('QT-2026-00002', 'new');
    for (const side of ['customer', 'staff']) {
      const told = ['INSERT notifications', 'DELETE notifications', 'INSERT quotes', 'DELETE quotes'];
      await expect
        .poll(linesOf('#log ol'), { timeout: 20_000 })
        .toEqual(expect.arrayContaining(told.map(line => expect.stringContaining(`${side} ← ${line}`))));
    }
    reads.release(0, readsOfAPage);
    await shows('#queue', 'QT-2026-00002');
    await shows('#bell', 'new');
  });

  it('shows what the later of two reads has found, when it returns first', async () => {
    const old = await insert('QT-2026-00001', 'old');
    const reads = await holdReads();
    await tab.page.reload();
    await expect.poll(reads.count).toBe(readsOfAPage);
    await remove(old);
    link.cut();
    await expect.poll(reads.count, { timeout: 20_000 }).toBe(2 * readsOfAPage);
    reads.release(readsOfAPage, 2 * readsOfAPage);
    await shows('#queue', 'QT-2026-00002');
    await shows('#bell', 'new');
    reads.release(0, readsOfAPage);
    const returned = async () => (await linesOf('#log ol')()).filter(line => readLine.test(line)).length;
    await expect.poll(returned).toBe(2 * readsOfAPage);
    await sleep(300);
    await shows('#queue', 'QT-2026-00002');
    await shows('#bell', 'new');
  });

  it('joins at its first attempt', () => {
    expect(errors).toEqual([]);
  });

  it('reads again when a read fails', async () => {
    let failed = 0;
    await tab.page.route(collections, route => {
      failed += 1;
      return route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer expired' } });
    });
    await tab.page.reload();
    await expect.poll(() => failed).toBeGreaterThanOrEqual(readsOfAPage);
    await tab.page.unrouteAll();
    await shows('#queue', 'QT-2026-00002');
    await shows('#bell', 'new');
  });

  it('forgets rows that were deleted while it was away', async () => {
    const { sql } = service;
    await shows('#queue', 'QT-2026-00002');
    await link.refuse();
    await sql`update builder.quotes set deleted_at = now()`;
    await sql`delete from builder.notifications`;
    await insert('QT-2026-00003', 'newest');
    await link.resume();
    await shows('#queue', 'QT-2026-00003');
    await shows('#bell', 'newest');
  });
});
