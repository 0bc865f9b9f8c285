/** More than a page of changes at once, and more bytes than who comes back is told. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { it } from 'vitest';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { all, Wire } from './wire.ts';

const service = useService();

const missed = (wire: Wire) =>
  wire.messages.filter(({ event, payload }) => event === 'system' && payload.status === 'error').length;

// Concurrent, because each mostly waits.
it.concurrent('several pages of one transaction, for one who listens, one who comes back and one who joins meanwhile', {
  timeout: 90_000,
}, async ({ expect }) => {
  const { sql } = service;
  const account = randomUUID();
  const token = await service.token({ account });
  const other = await service.token({ account: randomUUID(), also: [account] });
  const ids = [{ ...all, select: ['id'] }];
  const join = (ref = 0, as = token) => Wire.listen(service, as, { bindings: ids, ref });
  const live = await join(0, other);
  const gone = await join();
  await sleep(1200);
  await gone.heartbeat();
  await gone.heartbeat();
  gone.cut();
  const row = { ...aNotification(account, { body: 'x' }) };
  const write = sql.begin(async tx => {
    for (let n = 0; n < 12; n++) {
      await tx`insert into builder.notifications ${sql(Array.from({ length: 1000 }, () => row))}`;
    }
  });
  await write;
  const back = await join(gone.ref);
  await sql`insert into builder.notifications ${sql(row)}`;
  const numbers = (wire: Wire) => new Set(wire.changes().map(({ data }) => data.record?.['id'])).size;
  const knows = (wire: Wire) => missed(wire) > 0 || numbers(wire) === 12_001;
  await expect.poll(() => [live, back].map(knows), { timeout: 60_000 }).toEqual([true, true]);
  live.close();
  back.close();
});

it.concurrent('one that missed too many bytes while it was away is told so once, and goes on', {
  timeout: 90_000,
}, async ({ expect }) => {
  const { sql } = service;
  const account = randomUUID();
  const token = await service.token({ account });
  const wire = await Wire.listen(service, token);
  await sleep(1200);
  await wire.heartbeat();
  await wire.heartbeat();
  wire.cut();
  for (let n = 0; n < 18; n++) {
    await sql`insert into builder.notifications ${sql(Array.from({ length: 1000 }, () => aNotification(account)))}`;
  }
  await sleep(1000);
  const back = await Wire.listen(service, token, { ref: wire.ref });
  await back.until(({ event, payload }) => event === 'system' && payload.status === 'error');
  // The user's bytes of ten seconds are over.
  await sleep(15_000);
  expect(missed(back)).toBe(1);
  const before = back.changes().length;
  await sql`insert into builder.notifications ${sql(aNotification(account, { body: 'after' }))}`;
  await expect.poll(() => back.changes().length - before).toBe(1);
  await back.heartbeat();
  expect([back.changes().length - before, missed(back)]).toEqual([1, 1]);
  back.close();
});
