import { expect, it } from 'vitest';
import { numberFor } from '../../functions/live/live-stub.ts';
import { aNotification } from '../setup/rows.ts';
import { postgresPort, useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { useLive } from './wire.ts';

const objects = 3;
const service = useService({ bindings: { LIVE_OBJECTS: String(objects) }, databasePort: postgresPort() });
const live = useLive(service);

/** An address whose sockets are at the object of each number. */
const addresses = Array.from({ length: objects }, (_, number) => {
  const candidates = Array.from({ length: 250 }, (_, n) => `198.51.100.${n + 1}`);
  return candidates.find(address => numberFor(address, objects) === number) ?? '';
});

const from = (address: string) => ({ headers: { 'cf-connecting-ip': address } });
const listenFrom = (address: string) => live.listen(from(address));

/** Connections to Postgres. */
const connections = async (): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::integer from pg_stat_activity where datname = current_database() and usename = 'builder_api'`;
  return row?.count ?? 0;
};
const health = async () => (await service.fetch('/health')).json();

it('each object sends its listeners what anybody wrote, also after every backend was terminated', async () => {
  const wires = await Promise.all(addresses.map(listenFrom));
  expect(await connections()).toBeGreaterThanOrEqual(objects);
  await live.insert({ body: 'from psql' });
  await Promise.all(wires.map(wire => wire.received(1)));
  const row = aNotification(live.account, { body: 'from the service' });
  const { send } = callerOf(service, service.secretKey);
  expect(await send('POST', '/notifications', row)).toMatchObject({ status: 201 });
  await Promise.all(wires.map(wire => wire.received(2)));
  await service.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await live.insert({ body: 'after the cut' });
  await Promise.all(wires.map(wire => wire.received(3)));
  const bodies = ['from psql', 'from the service', 'after the cut'];
  expect(wires.map(wire => wire.bodies)).toEqual(wires.map(() => bodies));
  expect(wires.flatMap(({ errors }) => errors)).toEqual([]);
});

it('an object holds at most two connections, and only while it has sockets; /health knows all objects', async () => {
  await expect.poll(connections).toBe(0);
  expect(await health()).toMatchObject({ live: 'idle' });
  for (const address of addresses) {
    const wire = await listenFrom(address);
    // On a busy machine it may read late.
    await expect.poll(health).toMatchObject({ status: 'ok', live: 'reading', mail: 'off' });
    await expect.poll(connections).toBeLessThanOrEqual(2);
    wire.close();
    await expect.poll(health).toMatchObject({ live: 'idle' });
  }
  await expect.poll(connections).toBe(0);
});
