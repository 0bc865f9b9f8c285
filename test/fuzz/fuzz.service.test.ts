/** Random requests to the whole service. `npm run fuzz` sends more of them; the same seed repeats a run. */
import { randomInt, randomUUID } from 'node:crypto';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { everyone } from '../../schema/everyone.ts';
import { Wire } from '../live/wire.ts';
import { rounds } from '../setup/full-size.ts';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { populate, untouchable } from './rows.ts';
import { compare, fuzz } from './run.ts';
import { callersOf, internal, owners, withheld } from './world.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const requests = Number(process.env['FUZZ_REQUESTS'] ?? rounds(1500, 4000));
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

/**
 * Has customers listen to everything. Resolves to what ends that, and expects that they were sent only their own rows. With
 * `staffWrites` staff give rows to other accounts, so marks don't tell whose a row is.
 */
async function listenToEverything({ staffWrites = false } = {}): Promise<() => Promise<void>> {
  const customers = (await callersOf(service)).filter(({ kind }) => kind === 'customer');
  const listeners = customers.map(async ({ headers, owns }) => {
    const token = headers['authorization']?.replace('Bearer ', '') ?? '';
    const wire = await Wire.listen(service, token, { bindings: [{ event: '*', schema: 'public' }] });
    return { wire, owns };
  });
  const listening = await Promise.all(listeners);
  const wires = listening.map(({ wire }) => wire);
  // As clients do: many requests take longer than a socket may be silent.
  const beating = setInterval(
    () => wires.forEach(wire => void wire.send('phoenix', 'heartbeat', {})),
    25_000,
  );
  onTestFinished(() => clearInterval(beating));
  return async () => {
    const { sql } = service;
    const body = `the end ${randomUUID()}`;
    await sql`insert into builder.notifications ${sql(aNotification(everyone, { body }))}`;
    // On a busy machine one may be told to read again instead, and is sent no more.
    const areDone = () => wires.every(wire => wire.errors.length > 0 || wire.bodies.includes(body));
    await expect.poll(areDone, { timeout: 120_000 }).toBe(true);
    await sql`delete from builder.notifications where body = ${body}`;
    const accounts: string[] = [];
    for (const { wire, owns } of listening) {
      wire.close();
      const foreign = Object.values(owners).filter(owner => !owns.includes(owner));
      const marks = staffWrites ? [] : foreign.map(({ mark }) => mark);
      const secrets = [...marks, internal, withheld, '"internal_notes"'];
      expect(wire.frames.filter(frame => secrets.some(secret => frame.includes(secret)))).toEqual([]);
      const sent = wire
        .changes()
        .flatMap(({ data }) => (data.record ? [String(data.record['account_id'])] : []));
      const own = [...owns.map(({ account }) => account), everyone];
      expect(sent.filter(account => !own.includes(account))).toEqual([]);
      accounts.push(...sent.filter(account => account !== everyone));
    }
    expect(accounts).not.toEqual([]);
  };
}

it('responses to a customer and a stranger do not depend on rows hidden from them', { timeout }, async () => {
  await compare(service, blind, 'ann', amount(0.1));
  await compare(service, blind, 'anonymous', amount(0.025));
});

it('every caller gets clear responses, and sees and changes no rows of others', { timeout }, async () => {
  const before = await untouchable(service);
  const quotesAtFirst = await countOwn();
  const stopListening = await listenToEverything();
  await fuzz(service, 'everybody', amount(0.6));
  await stopListening();
  expect(await untouchable(service)).toEqual(before);
  expect(await countOwn()).toBeGreaterThan(quotesAtFirst);
});

it('what staff write gets clear responses, and customers are sent only their rows', { timeout }, async () => {
  const stopListening = await listenToEverything({ staffWrites: true });
  await fuzz(service, 'staff', amount(0.15));
  await stopListening();
});
