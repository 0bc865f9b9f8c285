/** LIVE_OBJECTS: sockets are shared out among several objects, which poll for themselves. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { numberFor } from '../../functions/live/report.ts';
import { longTest } from '../setup/full-size.ts';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { useWires, type Wire } from './wire.ts';
import { bodies, errors, insertNotification } from './writes.ts';

const objects = 3;
const service = useService({ bindings: { LIVE_OBJECTS: String(objects) }, hyperdrive: 'direct' });
const { listen } = useWires(service);

/** An address whose sockets are at the object of each number. */
const addresses = Array.from({ length: objects }, (_, number) => {
  const candidates = Array.from({ length: 250 }, (_, n) => `198.51.100.${n + 1}`);
  return candidates.find(address => numberFor(address, objects) === number) ?? '';
});

let account: string;
let token: string;
beforeEach(async () => {
  account = randomUUID();
  token = await service.token({ account });
});

const listenFrom = (address: string) => listen(token, { headers: { 'cf-connecting-ip': address } });

/** Connections to Postgres: each object that polls holds its own. */
const connections = async (): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::integer from pg_stat_activity
    where datname = current_database() and usename = 'builder_api'`;
  return row?.count ?? 0;
};
const live = async () => ((await (await service.fetch('/health')).json()) as { live: string }).live;

describe('several objects', () => {
  it('each send a change to their listeners, whoever wrote it', async () => {
    const wires = await Promise.all(addresses.map(listenFrom));
    expect(await connections()).toBeGreaterThanOrEqual(objects);
    await insertNotification(service.sql, account, { body: 'by SQL' });
    await Promise.all(wires.map(wire => wire.received(1)));
    await callerOf(service, service.secretKey).send(
      'POST',
      '/notifications',
      aNotification(account, { body: 'by a request' }),
    );
    await Promise.all(wires.map(wire => wire.received(2)));
    expect(wires.map(bodies)).toEqual(wires.map(() => ['by SQL', 'by a request']));
    expect(wires.flatMap(errors)).toEqual([]);
  });

  it('hold connections only while they have sockets, and /health knows all', async () => {
    await expect.poll(connections).toBe(0);
    expect(await live()).toBe('idle');
    for (const address of addresses) {
      const wire = await listenFrom(address);
      expect(await live()).toBe('reading');
      await expect.poll(connections).toBeLessThanOrEqual(2);
      wire.close();
      await expect.poll(live).toBe('idle');
    }
    await expect.poll(connections).toBe(0);
  });

  longTest('write a line a minute each', async () => {
    const wires: Wire[] = await Promise.all(addresses.map(listenFrom));
    const lines = () => service.logs.filter(line => line.includes('"event":"live"'));
    const numbers = () => new Set(lines().map(line => /"object":(\d+)/.exec(line)?.[1])).size;
    await expect.poll(numbers, { timeout: 90_000 }).toBe(wires.length);
  });
});
