/** Where a client goes on, to the change: what it has proved to have is not told again, and whatever else came is. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { all, Wire } from './wire.ts';

const service = useService();

let account: string;
let token: string;
beforeEach(async () => {
  account = randomUUID();
  token = await service.token({ account });
});

const write = async (body: string): Promise<void> => {
  const { sql } = service;
  await sql`insert into builder.notifications ${sql(aNotification(account, { body }))}`;
};

const bodies = (wire: Wire): unknown[] => wire.changes().map(({ data }) => data.record?.['body']);

/** What the wire is told until this change, which is written now. */
async function toldUntil(wire: Wire, body: string): Promise<unknown[]> {
  await write(body);
  await wire.until(({ payload }) => payload?.data?.record?.body === body);
  return bodies(wire);
}

async function prove(wire: Wire): Promise<void> {
  await wire.heartbeat();
  await wire.heartbeat();
}

/** A client that joins with the first message of its socket. */
const join = (ref = 0): Promise<Wire> => Wire.listen(service, token, { ref });

/** The same, on a socket that has proved another channel before. */
async function joinLate(): Promise<Wire> {
  const wire = await Wire.listen(service, token, { bindings: [{ ...all, event: 'DELETE' }], topic: 'other' });
  await prove(wire);
  expect(await wire.join('x', [all], token)).toMatchObject({ status: 'ok' });
  return wire;
}

const rejoin = (wire: Wire) => wire.join('x', [all], token);
const leave = (wire: Wire) => wire.reply(wire.send('realtime:x', 'phx_leave', {}));

describe('on the same socket', () => {
  it.each([
    ['first', () => join()],
    ['later', joinLate],
  ])('a client that leaves before its %s join is proved goes on where it joined, as it may have ignored what came late', async (_, begin) => {
    const wire = await begin();
    await toldUntil(wire, 'ignored');
    await wire.heartbeat();
    await leave(wire);
    await write('meanwhile');
    await rejoin(wire);
    expect(await toldUntil(wire, 'after')).toEqual(['ignored', 'ignored', 'meanwhile', 'after']);
    wire.close();
  });

  it('a client that leaves later begins anew', async () => {
    const wire = await join();
    await prove(wire);
    await leave(wire);
    await write('meanwhile');
    await rejoin(wire);
    expect(await toldUntil(wire, 'after')).toEqual(['after']);
    wire.close();
  });

  it('a client that joins again without leaving goes on from what it was sent', async () => {
    const wire = await join();
    await prove(wire);
    await toldUntil(wire, 'sent');
    await rejoin(wire);
    expect(await toldUntil(wire, 'after')).toEqual(['sent', 'after']);
    wire.close();
  });
});

describe('on another socket', () => {
  it('a client goes on from what two heartbeats have proved, each time it comes back', async () => {
    const first = await join();
    first.ref += limits.live.freshRefs; // It has been open for some minutes.
    await toldUntil(first, 'proved');
    await prove(first);
    await toldUntil(first, 'sent');
    first.cut();
    await write('missed');
    const second = await join(first.ref + 1);
    expect(await toldUntil(second, 'second')).toEqual(['sent', 'missed', 'second']);
    await prove(second);
    second.cut();
    const third = await join(second.ref + 1);
    expect(await toldUntil(third, 'third')).toEqual(['third']);
    third.close();
  });

  it('a page that came back in its first minutes goes on from there each time: another one may have it as its own', async () => {
    const first = await join();
    await prove(first);
    first.cut();
    await write('missed');
    const second = await join(first.ref + 1);
    expect(await toldUntil(second, 'second')).toEqual(['missed', 'second']);
    await prove(second);
    second.cut();
    const third = await join(second.ref + limits.live.freshRefs);
    expect(await toldUntil(third, 'third')).toEqual(['missed', 'second', 'third']);
    third.close();
  });

  it.each([
    ['first', () => join()],
    ['later', joinLate],
  ])('one heartbeat after its %s join proves nothing', async (_, begin) => {
    const first = await begin();
    await first.heartbeat();
    await toldUntil(first, 'sent');
    await first.heartbeat();
    first.cut();
    const second = await join(first.ref + 1);
    expect(await toldUntil(second, 'second')).toEqual(['sent', 'second']);
    second.close();
  });

  it('a heartbeat that is answered before it was told what it missed does not prove that', async () => {
    const first = await join();
    await prove(first);
    first.cut();
    await write('missed');
    const release = await lockNotifications();
    const second = await join(first.ref + 1);
    await second.heartbeat();
    await release();
    await second.told(1);
    await second.heartbeat();
    second.cut();
    const third = await join(second.ref + 1);
    expect(await toldUntil(third, 'third')).toEqual(['missed', 'third']);
    third.close();
  });
});

describe('before the service has noticed that its connection broke', () => {
  it('a client that comes back leaves no place to which it would go back later', {
    timeout: 60_000,
  }, async () => {
    const [first, other] = [await join(), await join()];
    first.ref = limits.live.freshRefs;
    await Promise.all([first, other].map(prove));
    first.socket.pause();
    await toldUntil(other, 'missed');
    const second = await join(first.ref + 1);
    await second.told(1);
    first.cut();
    await Promise.all([second, other].map(prove));
    await sleep(limits.live.storeInterval + 2 * limits.live.interval);
    second.cut();
    const third = await join(second.ref + 1);
    expect(await toldUntil(third, 'third')).toEqual(['third']);
    third.close();
    other.close();
  });
});

describe('of several that may be meant', () => {
  it('each finds what it missed, though another came back before it and may have been it', async () => {
    const high = await join();
    high.ref = 60;
    await prove(high);
    const low = await join();
    await toldUntil(low, 'proved by one of them');
    await prove(low);
    high.cut();
    low.cut();
    await sleep(limits.live.interval);
    await write('lost');
    const isTold = (wire: Wire) => wire.until(({ payload }) => payload?.data?.record?.body === 'lost');
    const back = await join(100);
    await isTold(back);
    const second = await join(low.ref + 1);
    await isTold(second);
    back.close();
    second.close();
  });
});

describe('clients that come back together', () => {
  it('are each told what it missed, and no more', async () => {
    const team = randomUUID();
    const tokens = await Promise.all(
      [1, 2].map(() => service.token({ account: randomUUID(), also: [team] })),
    );
    const listen = async (of: number, ref = 0): Promise<Wire> => {
      const wire = await Wire.open(service, { ref });
      await wire.join('x', [all], tokens[of]);
      return wire;
    };
    account = team;
    const [first, second] = [await listen(0), await listen(1)];
    await Promise.all([first, second].map(prove));
    first.cut();
    await toldUntil(second, 'one');
    await prove(second);
    second.cut();
    await write('two');
    const release = await lockNotifications();
    const back = [await listen(0, first.ref + 1), await listen(1, second.ref + 1)];
    // Longer than a reading waits for the lock, so that the next one is for both.
    await sleep(2 * limits.live.readingTimeout);
    await release();
    await Promise.all(back.map(wire => wire.until(({ payload }) => payload?.data?.record?.body === 'two')));
    expect(back.map(bodies)).toEqual([['one', 'two'], ['two']]);
    for (const wire of back) {
      wire.close();
    }
  });
});

describe('after workerd was killed', () => {
  it('clients go on from what all had proved a few seconds before', { timeout: 60_000 }, async () => {
    const [first, slow] = [await join(), await join(5)];
    await toldUntil(first, 'proved');
    await slow.until(({ payload }) => payload?.data?.record?.body === 'proved');
    await Promise.all([first, slow].map(prove));
    await toldUntil(slow, 'not proved');
    await prove(first);
    await sleep(limits.live.storeInterval + 2 * limits.live.interval);
    await write('missed');
    await service.restart();
    const second = await join(slow.ref + 1);
    expect(await toldUntil(second, 'second')).toEqual(['not proved', 'missed', 'second']);
    second.close();
  });

  it('a client that had come back, and proved nothing since, goes on from where it came back', {
    timeout: 60_000,
  }, async () => {
    const first = await join();
    await prove(first);
    first.cut();
    await write('missed');
    const second = await join(first.ref + 1);
    await second.told(1);
    await sleep(limits.live.storeInterval + 2 * limits.live.interval);
    await service.restart();
    const third = await join(second.ref + 1);
    expect(await toldUntil(third, 'third')).toEqual(['missed', 'third']);
    third.close();
  });
});

/** Until it is released nobody reads notifications. */
async function lockNotifications(): Promise<() => Promise<void>> {
  const connection = await service.sql.reserve();
  await connection`begin`;
  await connection`lock table builder.notifications in access exclusive mode`;
  return async () => {
    await connection`commit`;
    connection.release();
  };
}
