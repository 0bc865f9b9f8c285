/** Live updates as they are deployed: the object reaches the database through Hyperdrive, and holds its connections. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Services, startWays } from '../faults/under-load.ts';
import { aNotification } from '../setup/rows.ts';
import type { Service } from '../setup/service.ts';
import { all, Wire } from './wire.ts';

let started: Services;
let service: Service;
beforeAll(async () => {
  started = await startWays(['hyperdrive']);
  [service] = started.services as [Service];
});
afterAll(() => started.stop());

const bodies = (wire: Wire): unknown[] => wire.changes().map(({ data }) => data.record?.['body']);

it('a customer is told what the service and others wrote, also after every connection was cut', async () => {
  const account = randomUUID();
  const { sql } = started.database;
  const staff = await service.token({ account: randomUUID(), staff: true });
  const wire = await Wire.open(service);
  expect(await wire.join('room', [all], await service.token({ account }))).toMatchObject({ status: 'ok' });
  await sql`insert into builder.notifications ${sql(aNotification(account, { body: 'from psql' }))}`;
  await wire.told(1);
  const written = await service.fetch('/rest/v1/notifications', {
    method: 'POST',
    headers: { ...service.headers(staff), 'content-type': 'application/json' },
    body: JSON.stringify(aNotification(account, { body: 'from the service' })),
  });
  expect(written.status).toBe(201);
  await wire.told(2);
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await sql`insert into builder.notifications ${sql(aNotification(account, { body: 'after the cut' }))}`;
  await wire.told(3);
  expect(bodies(wire)).toEqual(['from psql', 'from the service', 'after the cut']);
  expect(await (await service.fetch('/health')).json()).toEqual({ status: 'ok', live: 'reading' });
  wire.close();
});

it('the object holds two connections at most while anybody listens, and none when everybody has gone', async () => {
  const { sql } = started.database;
  const connections = async (): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer from pg_stat_activity where datname = current_database() and usename = 'builder_api'`;
    return row?.count ?? 0;
  };
  const wires = await Promise.all(Array.from({ length: 20 }, () => Wire.open(service)));
  const accounts = wires.map(() => randomUUID());
  await Promise.all(
    wires.map(async (wire, n) => wire.join('x', [all], await service.token({ account: accounts[n] ?? '' }))),
  );
  for (const account of accounts) {
    await sql`insert into builder.notifications ${sql(aNotification(account))}`;
  }
  await Promise.all(wires.map(wire => wire.told(1)));
  expect(await connections()).toBeLessThanOrEqual(2);
  for (const wire of wires) {
    wire.close();
  }
  await expect.poll(connections).toBe(0);
});
