/** Connections over Hyperdrive when the last socket ends while joins wait. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Services, startWays } from '../faults/under-load.ts';
import type { Service } from '../setup/service.ts';
import { slowDown } from '../setup/slow-function.ts';
import { all, Wire } from './wire.ts';

let started: Services;
let service: Service;
beforeAll(async () => {
  started = await startWays(['hyperdrive']);
  [service] = started.services as [Service];
});
afterAll(() => started.stop());

it('no connection is held when everybody has gone, also when joins were waiting then', {
  timeout: 60_000,
}, async () => {
  const { sql } = started.database;
  const connections = async (): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer from pg_stat_activity where datname = current_database() and usename = 'builder_api'`;
    return row?.count ?? 0;
  };
  const restore = await slowDown(sql, 'builder.accounts_of_callers(json)', 0.5);
  const [a, b] = [await Wire.open(service), await Wire.open(service)];
  const payload = async () => ({
    config: { broadcast: {}, presence: { key: '' }, private: false, postgres_changes: [all] },
    access_token: await service.token({ account: randomUUID() }),
  });
  const [one, two] = [await payload(), await payload()];
  a.send('realtime:x', 'phx_join', one);
  await sleep(100);
  b.send('realtime:x', 'phx_join', two);
  await sleep(100);
  a.close();
  b.close();
  await sleep(2000);
  await restore();
  const counts: number[] = [];
  for (let n = 0; n < 10; n++) {
    counts.push(await connections());
    await sleep(1000);
  }
  expect(counts.at(-1)).toBe(0);
});
