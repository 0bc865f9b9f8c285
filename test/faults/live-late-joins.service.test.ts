/** Joins whose answers come after the client has given them up: it is not deaf afterwards, and lacks nothing. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { type RealtimeVersion, returningVersions } from '../live/realtime-clients.ts';
import { sample } from '../setup/full-size.ts';
import { type Service, startService } from '../setup/service.ts';
import { CountingListener } from './counting-listener.ts';
import type { Link } from './link.ts';
import { expectInformed, readRows, startWriters } from './noted-rows.ts';

let service: Service;
const listeners: CountingListener[] = [];
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await Promise.all(listeners.map(listener => listener.stop()));
  await service.stop();
});

/** Milliseconds that the clients give a join. */
const joinTimeout = 2000;

async function listen(account: string, client: RealtimeVersion): Promise<CountingListener> {
  const read = () => readRows(service.sql, account);
  const listener = await CountingListener.open({ service, account, client, joinTimeout, read });
  listeners.push(listener);
  return listener;
}

/** From the next message that a client sends on a new socket, a join, nothing reaches it for so long. */
async function holdNextAnswer(link: Link, lasts: number): Promise<void> {
  let isHeld = false;
  link.inspect((from, chunk, { chunks }) => {
    if (from === 'client' && chunks.client === 2) {
      link.inspect();
      link.stall('downstream');
      isHeld = true;
    }
    return chunk.length;
  });
  link.cut('RST');
  await vi.waitUntil(() => isHeld, { timeout: 30_000, interval: 10 });
  await sleep(lasts);
  await link.resume();
}

const hold: [what: string, lasts: number][] = [
  ['while it joins for the second time', 3500],
  ['long after', 9000],
];
const cases = sample(2, returningVersions).flatMap(client =>
  hold.map(([what, lasts]) => [client.version, what, { client, lasts }] as const),
);

describe('a page that comes back, and whose join is answered after it was given up, lacks nothing', () => {
  it.concurrent.each(cases)(
    'with realtime-js %s, %s',
    { timeout: 120_000 },
    async (_version, _what, { client, lasts }) => {
      const account = randomUUID();
      const page = await listen(account, client);
      const writers = startWriters(service.sql, account);
      await sleep(2500);
      await holdNextAnswer(page.link, lasts);
      await sleep(500);
      await writers.stop();
      await expectInformed(service.sql, account, [page], 30_000);
    },
  );
});
