/** Clients that join, and that come back, while changes are being told without a pause, and telling them takes a while. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rounds } from '../setup/full-size.ts';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { slowDown } from '../setup/slow-function.ts';
import { all, Wire } from './wire.ts';

const service = useService();
let restore: () => Promise<void>;
beforeAll(async () => {
  restore = await slowDown(service.sql, 'builder.account_ids()', 0.02);
});
afterAll(() => restore());

/** Whoever reads waits so many seconds for its accounts first. */
async function setPause(seconds: number): Promise<void> {
  await restore();
  restore = await slowDown(service.sql, 'builder.account_ids()', seconds);
}

/** By a request, after which the feed is read at once. */
async function write(account: string, body: string): Promise<void> {
  const { status } = await service.fetch('/rest/v1/notifications', {
    method: 'POST',
    headers: { apikey: service.secretKey, 'content-type': 'application/json' },
    body: JSON.stringify(aNotification(account, { body })),
  });
  expect(status).toBe(201);
}

/** Rows that are numbered as they are committed, one every few milliseconds. */
class Writer {
  readonly account = randomUUID();
  committed = 0;
  #isRunning = true;
  readonly #ended: Promise<void> = this.#write();

  async #write(): Promise<void> {
    while (this.#isRunning) {
      await write(this.account, String(this.committed + 1));
      this.committed += 1;
      await sleep(5);
    }
  }

  stop(): Promise<void> {
    this.#isRunning = false;
    return this.#ended;
  }
}

const numbersOf = (wire: Wire): number[] => wire.changes().map(({ data }) => Number(data.record?.['body']));

const numbersFrom = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

async function join(token: string, ref = 0, topic = 'x'): Promise<Wire> {
  const wire = await Wire.open(service, { ref });
  expect(await wire.join(topic, [all], token)).toMatchObject({ status: 'ok' });
  return wire;
}

it('those who join are told of all that is committed after the answer, once and in order', {
  timeout: 60_000,
}, async () => {
  const writer = new Writer();
  const token = await service.token({ account: writer.account });
  const joined: { wire: Wire; from: number }[] = [];
  for (let n = 0; n < rounds(15, 60); n++) {
    joined.push({ wire: await join(token), from: writer.committed + 1 });
    await sleep(n * 3);
    if (n % 5 === 4) {
      // Nobody listens for a moment, and the next one begins anew.
      const last = writer.committed;
      await Promise.all(joined.map(({ wire }) => expectAll(wire, last)));
      check(joined.splice(0), last);
    }
  }
  await writer.stop();
});

it('those who come back are told of all that they missed, once and in order', {
  timeout: 120_000,
}, async () => {
  const writer = new Writer();
  const token = await service.token({ account: writer.account });
  // It has another topic, so that nobody could be taken for it.
  const bystander = await join(token, 0, 'bystander');
  let last = await join(token);
  await expectAll(last, writer.committed + 1);
  for (let n = 0; n < 10; n++) {
    await last.heartbeat();
    await last.heartbeat();
    const has = Math.max(0, ...numbersOf(last));
    last.cut();
    await sleep(n * 10);
    const back = await join(token, last.ref + 1);
    await expectAll(back, writer.committed);
    const told = numbersOf(back);
    // What had been sent and was not proved is told again.
    expect(told[0]).toBeLessThanOrEqual(has + 1);
    expect(told).toEqual(numbersFrom(told[0] ?? 0, told.at(-1) ?? 0));
    last = back;
  }
  await writer.stop();
  await expectAll(bystander, writer.committed);
  last.cut();
  bystander.close();
});

it('heartbeats that are answered while a join waits do not prove its answer', async () => {
  const account = randomUUID();
  const token = await service.token({ account });
  const wire = await Wire.listen(service, token, { bindings: [{ ...all, event: 'DELETE' }], topic: 'other' });
  await setPause(1);
  const member = await service.token({ account, also: [randomUUID()] });
  const config = { postgres_changes: [all] };
  const joined = wire.reply(wire.send('realtime:x', 'phx_join', { config, access_token: member }));
  await wire.heartbeat();
  await wire.heartbeat();
  expect(await joined).toMatchObject({ status: 'ok' });
  await setPause(0);
  await wire.reply(wire.send('realtime:x', 'phx_leave', {}));
  await write(account, '1');
  await wire.join('x', [all], member);
  await expectAll(wire, 1);
  await setPause(0.02);
  wire.close();
});

/** Waits until it was told of this number. */
async function expectAll(wire: Wire, number: number): Promise<void> {
  await expect
    .poll(() => numbersOf(wire).at(-1) ?? 0, { timeout: 20_000, interval: 10 })
    .toBeGreaterThanOrEqual(number);
}

function check(joined: { wire: Wire; from: number }[], last: number): void {
  for (const { wire, from } of joined) {
    const told = numbersOf(wire);
    expect(told[0]).toBeLessThanOrEqual(from);
    expect(told.slice(0, numbersFrom(told[0] ?? 0, last).length)).toEqual(numbersFrom(told[0] ?? 0, last));
    wire.close();
  }
}
