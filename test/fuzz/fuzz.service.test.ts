/** Random requests through the whole service. `npm run fuzz` sends more of them; a seed sends the same again. */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rounds } from '../setup/full-size.ts';
import { type Service, startService } from '../setup/service.ts';
import { populate, untouchable } from './rows.ts';
import { Fuzzer } from './run.ts';
import { owners } from './world.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const requests = Number(process.env['FUZZ_REQUESTS'] ?? rounds(1500, 6000));
/** Milliseconds; a request takes a few. */
const timeout = 60_000 + requests * 20;

let service: Service;
/** Has what ann may see, and nothing else. */
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

/** Quotes of those who sign in, deleted ones too. */
async function countOwn(): Promise<number> {
  const others = owners.nobody.account;
  const rows = await service.sql`select from builder.quotes where account_id <> ${others}`;
  return rows.length;
}

const expectNothingFound = () => expect(fuzzer.report.findings, `seed ${seed}`).toEqual([]);

it(
  'tells a customer and a stranger the same, whatever else there is',
  async () => {
    const each = Math.floor(requests / 10);
    await fuzzer.twins(service, blind, 0, each, 'ann');
    await fuzzer.twins(service, blind, each, each / 4, 'anonymous');
    expectNothingFound();
  },
  timeout,
);

it(
  'answers everybody clearly, tells nobody of others, and lets nobody change what is not theirs',
  async () => {
    const before = await untouchable(service);
    const quotesAtFirst = await countOwn();
    await fuzzer.open(service, requests, Math.floor(requests * 0.6), 'everybody');
    expectNothingFound();
    expect(await untouchable(service)).toEqual(before);
    expect(await countOwn()).toBeGreaterThan(quotesAtFirst);
  },
  timeout,
);

it(
  'answers staff clearly, who may write anything',
  async () => {
    await fuzzer.open(service, 2 * requests, Math.floor(requests * 0.15), 'staff');
    expectNothingFound();
    expect(fuzzer.report.requests).toBeGreaterThan(requests * 0.9);
  },
  timeout,
);
