/**
 * From the answer to its join until it ends, a channel is sent every change, or that changes were missed.
 * @module-tag live
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransactionSql } from 'postgres';
import { describe, expect, it, onTestFinished } from 'vitest';
import { liveLimits } from '../../functions/live/live-limits.ts';
import { socketLimits } from '../../functions/live/live-socket.ts';
import { everyone } from '../../schema/everyone.ts';
import { rounds } from '../setup/full-size.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { slowDown } from '../setup/slow-function.ts';
import { callerOf } from '../setup/wire.ts';
import { all, allQuotes, useLive, type Wire } from './wire.ts';

const service = useService();
const live = useLive(service);

/** Makes a function of the database take so many seconds longer during the test. */
async function slow(name: string, seconds: number): Promise<() => Promise<void>> {
  const restore = await slowDown(service.sql, name, seconds);
  onTestFinished(restore);
  return restore;
}

const insert = (body: string) => live.insert({ body });
const numbersFrom = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const numbers = (wire: Wire): number[] => wire.bodies.map(Number);
const quotesOf = (owner: string, count: number, bytes: number) => service.sql`
  insert into builder.quotes (account_id, quote_number, product_id, sport, customization, roster_count)
  select ${owner}, 'QT-2026-00001', gen_random_uuid(), 'golf', jsonb_build_object('text', repeat('x', ${bytes}::integer)), n
  from generate_series(1, ${count}::integer) n`;

describe('a channel is sent every commit after the answer to its join, once and in order', () => {
  it('while rows are written without a pause and take long to read', async () => {
    await slow('builder.account_ids()', 0.02);
    const { send } = callerOf(service, service.secretKey);
    let [started, committed] = [0, 0];
    let isRunning = true;
    const owner = live.account;
    onTestFinished(() => {
      isRunning = false;
    });
    const writing = (async () => {
      // By requests, upon which the service reads the feed at once.
      for (; isRunning; await sleep(5)) {
        started += 1;
        const { status } = await send('POST', '/notifications', aNotification(owner, { body: `${started}` }));
        expect(status).toBe(201);
        committed += 1;
      }
    })();
    const joined: { wire: Wire; next: number }[] = [];
    for (let n = 0; n < rounds(15, 30); n++) {
      joined.push({ wire: await live.listen(), next: started + 1 });
      await sleep(n * 3);
      if (n % 5 === 4) {
        const last = committed;
        for (const { wire, next } of joined.splice(0)) {
          await expect.poll(() => numbers(wire).at(-1) ?? 0).toBeGreaterThanOrEqual(last);
          const [first = 0, ...more] = numbers(wire);
          expect(first).toBeLessThanOrEqual(next);
          expect([first, ...more]).toEqual(numbersFrom(first, more.at(-1) ?? first));
          // For a moment nobody listens.
          wire.close();
        }
      }
    }
    isRunning = false;
    await writing;
  });

  it('of a transaction of more lines than one read of the feed, also when a channel is joined meanwhile', async () => {
    const bindings = [{ ...all, select: ['id'] }];
    const wire = await live.listen({ bindings });
    const { sql } = service;
    await sql`
      insert into builder.notifications (account_id, body, dismissed)
      select ${live.account}, 'n', false from generate_series(1, 6000)`;
    const late = await live.listen({ bindings });
    await insert('after');
    const changes = await wire.received(6001);
    expect(new Set(changes.map(({ data }) => data.record?.['id'])).size).toBe(6001);
    expect(changes).toHaveLength(6001);
    const last = changes.at(-1)?.data.record?.['id'];
    await late.until(({ payload }) => payload?.data?.record?.id === last);
    expect([wire, late].flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('while an older transaction stays open, which is sent when it ends, without what it rolled back', async () => {
    const wire = await live.listen();
    const { sql } = service;
    const insertBy = (transaction: TransactionSql, body: string) => transaction`
      insert into builder.notifications ${sql(aNotification(live.account, { body }))}`;
    await sql.begin(async long => {
      await insertBy(long, 'kept');
      for (let n = 0; n < 6; n++) {
        await insert(`${n}`);
        await wire.until(({ payload }) => payload?.data?.record?.body === `${n}`);
      }
      const undone = long.savepoint(async part => {
        await insertBy(part, 'undone');
        throw new Error('to the savepoint');
      });
      await undone.catch(() => {});
      await long.savepoint(part => insertBy(part, 'also kept'));
    });
    const [changes = []] = await live.settle(wire);
    const bodies = changes.map(({ data }) => data.record?.['body']);
    expect(bodies).toEqual([...numbersFrom(0, 5).map(String), 'kept', 'also kept']);
  });

  it('while its token is renewed, and another page of its user joins', async () => {
    const team = await service.token({ account: live.account, also: [randomUUID()] });
    const old = await live.listen({}, team);
    const other = await live.listen({ topic: 'other' }, await service.token({ account: randomUUID() }));
    const restore = await slow('builder.accounts_of_callers(json)', 0.3);
    old.send('realtime:x', 'access_token', { access_token: live.token });
    await sleep(50);
    const joining = other.join('x', [all], live.token);
    for (let n = 0; n < 40; n++) {
      await insert(`${n}`);
      await sleep(20);
    }
    await restore();
    await joining;
    // Its account is in both tokens.
    await live.settle(old);
    expect(numbers(old).filter(Number.isFinite)).toEqual(numbersFrom(0, 39));
    expect(old.errors).toEqual([]);
  });
});

it('a change of which the service knows only from the database is sent at the next reading of the feed, twice a second', async () => {
  const wire = await live.listen();
  await insert('from psql');
  // A busy machine takes longer over each of them too: of those that are 100 ms apart, some five are answered meanwhile.
  let answered = 0;
  for (; wire.changes().length === 0; answered++) {
    expect((await service.fetch('/health')).status).toBe(200);
    await sleep(100);
  }
  expect(answered).toBeLessThan(30);
});

it('two joins of a topic at once are both answered: the first with an error', async () => {
  const wire = await live.open();
  await slow('builder.accounts_of_callers(json)', 0.3);
  const refs = [1, 2].map(() => wire.sendJoin('x', [all], live.token));
  const replies = await Promise.all(refs.map(ref => wire.reply(ref)));
  expect(replies).toMatchObject([{ status: 'error' }, { status: 'ok' }]);
});

describe('a channel is sent that changes may have been missed', () => {
  it('when its token becomes that of another user, and nothing more of the first', async () => {
    const [wire, first] = [await live.listen(), await live.listen({ topic: 'first' })];
    await slow('builder.account_ids()', 0.02);
    const other = await service.token({ account: randomUUID(), also: [live.account] });
    await insert('of the first user');
    wire.send('realtime:x', 'access_token', { access_token: other });
    await wire.until(({ event }) => event === 'phx_error');
    expect(wire.errors).toEqual([expect.stringContaining('read again')]);
    const before = wire.changes().length;
    await insert('later');
    await first.received(2);
    expect(wire.changes()).toHaveLength(before);
  });

  it('when its user gains an account, as the join of another page shows', async () => {
    const wire = await live.listen();
    const [row] = await service.sql`select pg_get_functiondef('builder.account_ids()'::regprocedure) as text`;
    onTestFinished(() => service.sql.unsafe(row?.['text']).then(() => {}));
    const ids = `'{${live.account},${randomUUID()}}'`;
    const gain = `\nbegin if builder.caller_id() = '${live.account}' then return ${ids}; end if;\n`;
    await service.sql.unsafe(row?.['text'].replace('\nbegin\n', gain));
    const other = await live.listen({ topic: 'other' });
    await wire.until(({ event }) => event === 'phx_error');
    expect([wire, other].map(({ errors }) => errors)).toEqual([['changes were missed: read again'], []]);
  });

  it('when what it would be sent takes too long to read', async () => {
    const wire = await live.listen();
    await slow('builder.account_ids()', 0.7);
    await insert('slow');
    await wire.until(({ event }) => event === 'phx_error');
    expect(wire.errors).toEqual(['changes were missed: read again']);
  });

  it('when the database cannot tell what was committed since the last look, as a restored one', async () => {
    const wire = await live.listen();
    for (const body of ['1', '2', '3']) {
      await insert(body);
    }
    await wire.received(3);
    await service.sql`truncate builder.changes restart identity`;
    await expect.poll(() => wire.errors).toEqual(['changes were missed: read again']);
  });

  it('after the join of a client that was connected before, and not of a new one', async () => {
    const [back, fresh] = [await live.listen({ ref: 100 }), await live.listen()];
    const error = await back.until(({ event, payload }) => event === 'system' && payload.status === 'error');
    expect(error).toMatchObject({ payload: { message: expect.stringContaining('read again') } });
    await insert('after');
    await Promise.all([back, fresh].map(wire => wire.received(1)));
    for (let n = 0; n < socketLimits.freshRefs; n++) {
      await fresh.heartbeat();
    }
    expect(await fresh.join('later', [all], live.token)).toMatchObject({ status: 'ok' });
    await fresh.heartbeat();
    expect(fresh.errors).toEqual([]);
    expect(back.messages.some(({ event }) => event === 'phx_error')).toBe(false);
  });

  it('when it is sent too much at once, and its connection stays', async () => {
    const wire = await live.listen({ bindings: [allQuotes] });
    await quotesOf(live.account, 200, 60 * 1024);
    await wire.until(({ event, payload }) => event === 'system' && payload.status === 'error');
    await sleep(liveLimits.bytesWindow);
    // On a busy machine some of the changes come only now.
    const join = async () => (await wire.join('x', [allQuotes], live.token)).status;
    await expect.poll(join).toBe('ok');
    const before = wire.changes().length;
    await quotesOf(live.account, 1, 10);
    await wire.received(before + 1);
  });

  it('only if it missed some: the others listen while one user writes much', async () => {
    const { sql } = service;
    const others = Array.from({ length: 59 }, () => service.token({ account: randomUUID() }));
    const tokens = [live.token, ...(await Promise.all(others))];
    const wires = await Promise.all(tokens.map(token => live.listen({}, token)));
    await sql.begin(async transaction => {
      const quotes = Array.from({ length: 5 }, () => aQuote(live.account));
      await transaction`insert into builder.quotes ${sql(quotes)}`;
      await transaction`insert into builder.notifications ${sql(aNotification(everyone, { body: 'hello' }))}`;
    });
    await live.settle(...wires);
    expect(wires.map(wire => wire.bodies[0])).toEqual(wires.map(() => 'hello'));
    expect(wires.flatMap(({ errors }) => errors)).toEqual([]);
  });
});

it('a row over 64 KiB is sent with only short values that name no version, and says so', async () => {
  const select = ['id', 'status', 'updated_at', 'total_price', 'quoted_at', 'submitted_at'];
  const [wire, ofShort] = await Promise.all([
    live.listen({ bindings: [allQuotes] }),
    live.listen({ bindings: [{ ...allQuotes, select }] }),
  ]);
  await quotesOf(live.account, 1, 70 * 1024);
  const [change] = await wire.received(1);
  expect(change?.data.errors).toEqual(['Error 413: Payload Too Large']);
  expect(change?.data.record).toMatchObject({ account_id: live.account, status: 'draft' });
  // With the new times, a page that merges the record into its row could price a design that it has not read.
  for (const name of ['customization', 'updated_at', 'total_price', 'quoted_at', 'submitted_at']) {
    expect(change?.data.record).not.toHaveProperty(name);
  }
  const [whole] = await ofShort.received(1);
  expect(whole?.data.errors).toBeNull();
  expect(Object.keys(whole?.data.record ?? {})).toEqual(select);
});
