/** Clients that come back late, with others of the same user, with another token, or do not read. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { setReach, usualReach } from '../live/reach.ts';
import { all, allQuotes, Wire } from '../live/wire.ts';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';

const service = useService();

describe('a client that was away for longer than the feed reaches', () => {
  afterEach(() => setReach(service.sql, usualReach));

  it('is told that it missed changes, when it comes back and while it listens, and goes on', async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const first = await Wire.listen(service, token);
    await first.heartbeat();
    first.cut();
    await setReach(service.sql, '-1 seconds');
    const second = await Wire.listen(service, token, { ref: 10 });
    const missed = { status: 'error', message: 'changes were missed: read again' };
    await second.until(({ event, payload }) => event === 'system' && payload.message === missed.message);
    expect(second.messages).toContainEqual(
      expect.objectContaining({ event: 'system', payload: expect.objectContaining(missed) }),
    );
    await second.until(({ event }) => event === 'phx_error');
    await setReach(service.sql, usualReach);
    await second.join('x', [all], token);
    await service.sql`insert into builder.notifications ${service.sql(aNotification(account))}`;
    await second.told(1);
    second.close();
  });
});

describe('a client that listens for longer than the feed reaches, while nothing happens', () => {
  afterEach(() => setReach(service.sql, usualReach));

  it('is told of what comes then', async () => {
    const account = randomUUID();
    const wire = await Wire.listen(service, await service.token({ account }));
    await setReach(service.sql, '3 seconds');
    await sleep(6000);
    await service.sql`insert into builder.notifications ${service.sql(aNotification(account))}`;
    await wire.told(1);
    expect(wire.messages.filter(({ event }) => event === 'phx_error')).toEqual([]);
    wire.close();
  });
});

describe('a fresh page of the same user', () => {
  it('is not told what happened before it came, and a page that comes back is, once', async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const { sql } = service;
    const write = (body: string) =>
      sql`insert into builder.notifications ${sql(aNotification(account, { body }))}`;
    const before = await Wire.listen(service, token, { ref: 10 });
    before.cut();
    await sleep(300);
    await write('missed');
    const fresh = await Wire.listen(service, token);
    await write('to both');
    await fresh.told(1);
    const back = await Wire.listen(service, token, { ref: 15 });
    await back.told(2);
    const bodies = (wire: Wire) => wire.changes().map(({ data }) => data.record?.['body']);
    expect(bodies(fresh)).toEqual(['to both']);
    expect(bodies(back)).toEqual(['missed', 'to both']);
    const again = await Wire.listen(service, token, { topic: 'y', ref: 17 });
    await again.join('x', [{ ...all, event: 'INSERT' }], token);
    await write('to all');
    await again.told(2);
    expect(bodies(again)).toEqual(['to all', 'to all']);
    for (const wire of [fresh, back, again]) {
      wire.close();
    }
  });

  it('is told of the end of a row whose beginning it was told of just before the connection broke', async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const { sql } = service;
    const before = await Wire.listen(service, token, { ref: 10 });
    const [row] = await sql`insert into builder.notifications ${sql(aNotification(account))} returning id`;
    await before.told(1);
    before.cut();
    await sql`delete from builder.notifications where id = ${row?.['id']}`;
    const back = await Wire.listen(service, token, { ref: 15 });
    const [change] = await back.told(1);
    expect(change?.data).toMatchObject({ type: 'DELETE', old_record: { id: Number(row?.['id']) } });
    back.close();
  });

  it('that leaves is not remembered, and one that closes is, as a browser may bring it back', async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const { sql } = service;
    const left = await Wire.listen(service, token, { topic: 'left', ref: 10 });
    await left.join('closed', [all], token);
    await left.heartbeat();
    await left.heartbeat();
    await left.reply(left.send('realtime:left', 'phx_leave', {}));
    left.socket.close(1001);
    await left.ended();
    await sql`insert into builder.notifications ${sql(aNotification(account))}`;
    const back = await Wire.listen(service, token, { topic: 'left', ref: left.ref });
    await back.join('closed', [all], token);
    await sql`insert into builder.notifications ${sql(aNotification(account, { body: 'new' }))}`;
    await back.told(3);
    const bodiesOf = (topic: string) => back.changes(topic).map(({ data }) => data.record?.['body']);
    expect(bodiesOf('realtime:left')).toEqual(['new']);
    expect(bodiesOf('realtime:closed')).toEqual(['Your quote is ready', 'new']);
    back.close();
  });
});

describe('a token that expires', () => {
  it('ends the channel, and the one that is joined with the next token is told what came in between', async () => {
    const account = randomUUID();
    const now = Math.floor(Date.now() / 1000);
    const ending = await service.token({ account, claims: { iat: now - 60, exp: now - 28 } });
    const { sql } = service;
    const wire = await Wire.listen(service, ending);
    await wire.until(({ event }) => event === 'phx_error');
    await sql`insert into builder.notifications ${sql(aNotification(account))}`;
    await wire.join('x', [all], await service.token({ account }));
    await wire.told(1);
    wire.close();
  });
});

describe('a client that does not read', () => {
  /** So many quotes of 60 KiB in one statement. */
  const writeQuotes = (account: string, count: number) => service.sql`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
    select ${account}, 'QT-2026-00001', gen_random_uuid(), 'golf', jsonb_build_object('text', repeat('x', 60 * 1024))
    from generate_series(1, ${count}::integer)`;
  const isToldToRead = ({ messages }: Wire): boolean =>
    messages.some(({ payload }) => payload.message === 'changes were missed: read again');

  it('is closed, whatever it sends, and what it is told when it comes back is bounded', {
    timeout: 120_000,
  }, async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const slow = await Wire.open(service);
    const staff = await Wire.open(service);
    await slow.join('x', [allQuotes], token);
    await staff.join(
      'x',
      [{ ...allQuotes, select: ['id'] }],
      await service.token({ account: randomUUID(), staff: true }),
    );
    slow.socket.pause();
    const ofUser = Math.ceil(limits.live.bytesOfUserWithin / (60 * 1024));
    for (let round = 1; round <= 4; round++) {
      await writeQuotes(account, ofUser + 10);
      await staff.told(round * (ofUser + 10));
      slow.send('phoenix', 'heartbeat', {});
      slow.send('realtime:x', 'phx_join', { config: { postgres_changes: [allQuotes] }, access_token: token });
      await sleep(limits.live.bytesWindow / 2);
    }
    slow.socket.resume();
    expect(await slow.ended()).toMatchObject({
      code: 1008,
      reason: expect.stringMatching(/^Connect again: /),
    });
    expect(isToldToRead(slow)).toBe(true);
    const back = await Wire.listen(service, token, { bindings: [allQuotes], ref: slow.ref + 10 });
    await vi.waitUntil(() => isToldToRead(back) || back.changes().length > 0, { timeout: 30_000 });
    const bytes = back.frames.reduce((sum, frame) => sum + frame.length, 0);
    expect(bytes).toBeLessThan(limits.live.resumedBytes + 2 ** 20);
    await back.heartbeat();
    expect(staff.closed).toBeUndefined();
    for (const wire of [staff, back]) {
      wire.close();
    }
  });

  it('while one that reads is told to read again when it is told too much at once, and its connection stays', async () => {
    const account = randomUUID();
    const token = await service.token({ account });
    const wire = await Wire.listen(service, token, { bindings: [allQuotes] });
    await writeQuotes(account, 200);
    await wire.until(({ event }) => event === 'phx_error');
    expect(isToldToRead(wire)).toBe(true);
    expect(await wire.join('x', [allQuotes], token)).toMatchObject({ status: 'ok' });
    await sleep(limits.live.bytesWindow);
    const before = wire.changes().length;
    await writeQuotes(account, 1);
    await wire.told(before + 1);
    wire.close();
  });
});
