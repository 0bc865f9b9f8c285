/** Random requests to the whole service. `npm run fuzz` sends more of them; the same seed repeats a run. */
import { beforeAll, expect, it } from 'vitest';
import { rounds } from '../setup/full-size.ts';
import { seed } from '../setup/seed.ts';
import { useService } from '../setup/service.ts';
import { populate, untouchable } from './rows.ts';
import { compare, fuzz } from './run.ts';
import { owners } from './world.ts';

const requests = Number(process.env['FUZZ_REQUESTS'] ?? rounds(1500, 2500));
/** Milliseconds. A request takes a few. */
const timeout = 300_000 + requests * 50;
const amount = (share: number) => ({ seed, requests: requests * share });

const service = useService();
/** Has only the rows that ann may see. */
const blind = useService();
beforeAll(async () => {
  console.log(`seed ${seed}`);
  await populate(service);
  await populate(blind, 'ann');
});

/** The number of quotes of the callers, including deleted ones. */
async function countOwn(): Promise<number> {
  const others = owners.nobody.account;
  const rows = await service.sql`select from builder.quotes where account_id <> ${others}`;
  return rows.length;
}

it('responses to a customer and a stranger do not depend on rows hidden from them', { timeout }, async () => {
  await compare(service, blind, 'ann', amount(0.1));
  await compare(service, blind, 'anonymous', amount(0.025));
});

it('every caller gets clear responses, and sees and changes no rows of others', { timeout }, async () => {
  const before = await untouchable(service);
  const quotesAtFirst = await countOwn();
  await fuzz(service, amount(0.75));
  expect(await untouchable(service)).toEqual(before);
  expect(await countOwn()).toBeGreaterThan(quotesAtFirst);
});
