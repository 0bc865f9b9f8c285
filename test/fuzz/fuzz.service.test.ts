/** Random requests to the whole service. `npm run fuzz` sends more of them; the same seed repeats a run. */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rounds } from '../setup/full-size.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Heard, listenToEverything } from './listeners.ts';
import { populate, untouchable } from './rows.ts';
import { Fuzzer } from './run.ts';
import { owners } from './world.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const requests = Number(process.env['FUZZ_REQUESTS'] ?? rounds(1500, 6000));
/** Milliseconds. A request takes a few. */
const timeout = 60_000 + requests * 20;

let service: Service;
/** Has only the rows that ann may see. */
let blind: Service;
const fuzzer = new Fuzzer(seed);
beforeAll(async () => {
  console.log(`seed ${seed}`);
  [service, blind] = await Promise.all([startService(), startService()]);
  await populate(service);
  await populate(blind, 'ann');
});
afterAll(async () => {
  const { statuses, slowest, requests: sent } = fuzzer.report;
  console.log(`${sent} requests with seed ${seed}, the slowest ${Math.round(slowest)} ms:`, statuses);
  await Promise.all([service.stop(), blind.stop()]);
});

/** The number of quotes of the callers, including deleted ones. */
async function countOwn(): Promise<number> {
  const others = owners.nobody.account;
  const rows = await service.sql`select from builder.quotes where account_id <> ${others}`;
  return rows.length;
}

function expectNoLeaks(heard: Heard[]): void {
  expect(
    heard.flatMap(({ leaks }) => leaks),
    `seed ${seed}`,
  ).toEqual([]);
  expect(heard.filter(({ changes }) => changes > 0)).not.toEqual([]);
}

const expectNothingFound = () => expect(fuzzer.report.findings, `seed ${seed}`).toEqual([]);

it(
  'responses to a customer and a stranger do not depend on rows hidden from them',
  async () => {
    const each = Math.floor(requests / 10);
    await fuzzer.twins(service, blind, 0, each, 'ann');
    await fuzzer.twins(service, blind, each, each / 4, 'anonymous');
    expectNothingFound();
  },
  timeout,
);

it(
  'every caller gets clear responses, sees and is told of no rows of others, and changes none',
  async () => {
    const before = await untouchable(service);
    const quotesAtFirst = await countOwn();
    const heard = await listenToEverything(service, { staffWrites: false });
    await fuzzer.open(service, requests, Math.floor(requests * 0.6), 'everybody');
    expectNothingFound();
    expectNoLeaks(await heard());
    expect(await untouchable(service)).toEqual(before);
    expect(await countOwn()).toBeGreaterThan(quotesAtFirst);
  },
  timeout,
);

it(
  'staff who write anything get clear responses, and customers are told of their own rows alone',
  async () => {
    const heard = await listenToEverything(service, { staffWrites: true });
    await fuzzer.open(service, 2 * requests, Math.floor(requests * 0.15), 'staff');
    expectNothingFound();
    expectNoLeaks(await heard());
    expect(fuzzer.report.requests).toBeGreaterThan(requests * 0.9);
  },
  timeout,
);
