/** Ways in which a listener could lose a change without a word, or be told to read again for nothing. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { slowDown } from '../setup/slow-function.ts';
import { everyone } from '../sql/roles.ts';
import { all, Wire } from './wire.ts';

const service = useService();

const insert = async (owner: string, body: string): Promise<string> => {
  const { sql } = service;
  const [row] =
    await sql`insert into builder.notifications ${sql(aNotification(owner, { body }))} returning id`;
  return row?.['id'];
};
const bodies = (wire: Wire) => wire.changes().map(({ data }) => data.record?.['body']);
const missed = (wire: Wire) =>
  wire.messages.filter(({ event, payload }) => event === 'system' && payload.status === 'error');

it('many who listen to notifications alone, while one of them writes quotes and all are told of something', {
  timeout: 60_000,
}, async () => {
  const { sql } = service;
  const attacker = randomUUID();
  const accounts = [attacker, ...Array.from({ length: 59 }, () => randomUUID())];
  const wires = await Promise.all(
    accounts.map(async account => {
      const wire = await Wire.listen(service, await service.token({ account }));
      return wire;
    }),
  );
  await sql.begin(async tx => {
    await tx`insert into builder.quotes ${sql(Array.from({ length: 5 }, () => aQuote(attacker)))}`;
    await tx`insert into builder.notifications ${sql(aNotification(everyone, { body: 'hello' }))}`;
  });
  await sleep(2500);
  expect(wires.flatMap(missed)).toEqual([]);
  for (const wire of wires) {
    wire.close();
  }
});

// Concurrent, because each mostly waits.
it.concurrent('who listens to UPDATE alone is told of a row that was inserted and updated in the same round', async () => {
  const account = randomUUID();
  const wire = await Wire.open(service);
  const token = await service.token({ account });
  expect(
    await wire.join('x', [{ event: 'UPDATE', schema: 'public', table: 'notifications' }], token),
  ).toMatchObject({ status: 'ok' });
  const { sql } = service;
  await sql.begin(async tx => {
    const [row] =
      await tx`insert into builder.notifications ${sql(aNotification(account, { body: 'a' }))} returning id`;
    await tx`update builder.notifications set body = 'b' where id = ${row?.['id']}`;
  });
  await sleep(2000);
  expect([bodies(wire), missed(wire).length]).toEqual([['b'], 0]);
  wire.close();
});

it.concurrent('who listens to UPDATE alone and comes back is told of a row that was inserted and then updated', async () => {
  const account = randomUUID();
  const token = await service.token({ account });
  const updates = [{ event: 'UPDATE', schema: 'public', table: 'notifications' }];
  const wire = await Wire.listen(service, token, { bindings: updates });
  await wire.heartbeat();
  await wire.heartbeat();
  wire.cut();
  const id = await insert(account, 'a');
  await sleep(2000);
  const { sql } = service;
  await sql`update builder.notifications set body = 'b' where id = ${id}`;
  await sleep(1000);
  const back = await Wire.listen(service, token, { bindings: updates, ref: wire.ref });
  await sleep(2000);
  expect([bodies(back), missed(back).length]).toEqual([['b'], 0]);
  back.close();
});

it.concurrent('a socket whose user became another one, and whose network was cut without a word', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const wire = await Wire.listen(service, await service.token({ account: first }));
  const token = await service.token({ account: second });
  wire.send('realtime:x', 'access_token', { access_token: token });
  await wire.heartbeat();
  await wire.heartbeat();
  await sleep(1000);
  await insert(second, 'sent on the first socket, never read');
  await wire.told(1);
  // The object does not know that this socket is cut.
  const back = await Wire.listen(service, token, { ref: wire.ref });
  await sleep(2000);
  expect(bodies(back).length + missed(back).length).toBeGreaterThan(0);
  back.close();
  wire.close();
});

it('a token is renewed while another page of the same user joins with it', { timeout: 60_000 }, async () => {
  const account = randomUUID();
  const team = randomUUID();
  const old = await Wire.listen(service, await service.token({ account }));
  const other = await Wire.listen(service, await service.token({ account: randomUUID() }), { topic: 'warm' });
  const restore = await slowDown(service.sql, 'builder.accounts_of_callers(json)', 0.3);
  onTestFinished(restore);
  const token = await service.token({ account, also: [team] });
  old.send('realtime:x', 'access_token', { access_token: token });
  await sleep(50);
  const joining = other.join('x', [all], token);
  let n = 0;
  for (; n < 40; n++) {
    await insert(account, `${n}`);
    await sleep(20);
  }
  await restore();
  await joining;
  await sleep(3000);
  // Its own account was in both tokens.
  const told = new Set(bodies(old));
  expect([Array.from({ length: n }, (_, i) => `${i}`).filter(i => !told.has(i)), missed(old).length]).toEqual(
    [[], 0],
  );
  old.close();
  other.close();
});
