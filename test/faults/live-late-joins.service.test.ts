/** Joins whose answers come after the client has given them up: it is not deaf afterwards, and lacks nothing. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, it, vi } from 'vitest';
import { type RealtimeVersion, returningVersions } from '../live/realtime-clients.ts';
import { sample } from '../setup/full-size.ts';
import { useService } from '../setup/service.ts';
import { CountingListener } from './counting-listener.ts';
import type { Link } from './link.ts';
import { expectInformed, readRows, startWriters } from './noted-rows.ts';

const service = useService();
const listeners: CountingListener[] = [];
afterAll(async () => {
  await Promise.all(listeners.map(listener => listener.stop()));
});

/** Milliseconds that the clients give a join, and between heartbeats: a client ends a connection when two of them fall due. */
const [joinTimeout, heartbeatInterval] = [2000, 5000];
/** Bytes that a message has at least which carries a token, as a join does and a heartbeat does not. */
const joinLength = 200;

async function listen(account: string, client: RealtimeVersion): Promise<CountingListener> {
  const read = () => readRows(service.sql, account);
  const times = { joinTimeout, heartbeatInterval };
  const listener = await CountingListener.open({ service, account, client, read, ...times });
  listeners.push(listener);
  return listener;
}

/** The connection ends, and from the join on the next one nothing reaches the client for so long. */
async function holdNextAnswer(link: Link, lasts: number): Promise<void> {
  let isHeld = false;
  link.inspect((from, chunk, { chunks }) => {
    if (from === 'client' && chunks.client > 1 && chunk.length > joinLength) {
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
  ['long after', 7000],
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
