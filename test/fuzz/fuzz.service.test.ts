/** Random requests through the whole service. `npm run fuzz` sends more of them; a seed sends the same again. */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../setup/service.ts';
import { Fuzzer } from './run.ts';
import { callersOf, populate, untouchable } from './world.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 4000);
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
    const share = Math.floor(requests * 0.6);
    await fuzzer.open(service, requests, share, ({ kind }) => ({ rollsBack: kind === 'staff' }));
    expectNothingFound();
    expect(await untouchable(service)).toEqual(before);
    const rows =
      await service.sql`select count(*)::int as quotes from builder.quotes where account_id = any (${(await callersOf(service)).slice(1, 4).flatMap(({ owns }) => owns.map(({ account }) => account))})`;
    expect(rows[0]?.['quotes']).toBeGreaterThan(35);
  },
  timeout,
);

it(
  'answers staff clearly, who may write anything',
  async () => {
    await fuzzer.open(service, 2 * requests, Math.floor(requests * 0.15), () => ({}), true);
    expectNothingFound();
    expect(fuzzer.report.requests).toBeGreaterThan(requests * 0.9);
  },
  timeout,
);
