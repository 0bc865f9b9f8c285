/**
 * What is sent, and to whom: the rows, the columns and the events that each caller may know of.
 * @module-tag live
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { newRowOfQuote } from '../setup/collection-rows.ts';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { insert } from '../sql/roles.ts';
import { all, allQuotes, type Change, useLive } from './wire.ts';

const service = useService();
const live = useLive(service);

const kinds = (changes: Change[]): string[] => changes.map(({ data }) => data.type);
const staffToken = (account = randomUUID()) => service.token({ account, staff: true });

it.each(
  collections.filter(({ live }) => live),
)('changes of $name are sent as an insert, an update and a delete', async collection => {
  const { sql } = service;
  const { name, primaryKey } = collection;
  const wire = await live.listen({ bindings: [{ ...all, table: name }] });
  const key = await insert(sql, name, await newRowOfQuote(sql, collection, live.account));
  await wire.received(1);
  const row = sql`${sql(primaryKey)} = ${key}`;
  await sql`update ${sql(`builder.${name}`)} set account_id = account_id where ${row}`;
  await wire.received(2);
  if (collection.deletableBy.includes('staff')) {
    await callerOf(service, service.secretKey).send('DELETE', `/${name}?${primaryKey}=eq.${key}`);
  } else {
    await sql`delete from ${sql(`builder.${name}`)} where ${row}`;
  }
  const [inserted, updated, deleted] = await wire.received(3);
  const data = { schema: 'public', table: name, type: 'INSERT', errors: null };
  expect(inserted).toMatchObject({ ids: [1], data });
  const columns = inserted?.data.columns.map(column => column.name);
  expect(Object.keys(inserted?.data.record ?? {})).toEqual(columns);
  expect(inserted?.data).not.toHaveProperty('old_record');
  expect(updated?.data).toMatchObject({ type: 'UPDATE', record: updated?.data.old_record });
  expect(deleted?.data).toMatchObject({ type: 'DELETE', old_record: updated?.data.old_record });
  expect(deleted?.data).not.toHaveProperty('record');
});

describe('a customer is sent', () => {
  it('a DELETE of a quote that is marked as deleted, and nothing of it until it is restored', async () => {
    const wire = await live.listen({ bindings: [allQuotes] });
    const { sql } = service;
    const id = await live.insertQuote();
    await wire.received(1);
    await sql`update builder.quotes set deleted_at = now() where id = ${id}`;
    await wire.received(2);
    await sql`update builder.quotes set company = 'Lions' where id = ${id}`;
    await sql`update builder.quotes set deleted_at = null where id = ${id}`;
    const changes = await wire.received(3);
    expect(kinds(changes)).toEqual(['INSERT', 'DELETE', 'INSERT']);
    expect(changes[1]?.data.old_record).toEqual({ id });
    expect(changes[2]?.data.record).toMatchObject({ id, company: 'Lions', deleted_at: null });
  });

  it('a DELETE of a quote that moves to another account, whose members are sent an INSERT', async () => {
    const team = randomUUID();
    const member = await service.token({ account: randomUUID(), also: [team] });
    const left = await live.listen({ bindings: [allQuotes] });
    const right = await live.listen({ bindings: [allQuotes] }, member);
    const id = await live.insertQuote();
    await left.received(1);
    await service.sql`update builder.quotes set account_id = ${team} where id = ${id}`;
    expect(kinds(await left.received(2))).toEqual(['INSERT', 'DELETE']);
    const [moved] = await right.received(1);
    expect(moved?.data).toMatchObject({ type: 'INSERT', record: { id, account_id: team } });
  });

  it('the result of several changes at once: the row as it is, with an event it listens to, or that it was deleted', async () => {
    const wire = await live.listen();
    const updates = await live.listen({ bindings: [{ ...all, event: 'UPDATE' }] });
    const { sql } = service;
    await sql.begin(async transaction => {
      const write = (body: string) => transaction`
        insert into builder.notifications ${sql(aNotification(live.account, { body }))}`;
      await write('first');
      await transaction`update builder.notifications set body = 'last' where body = 'first'`;
      await write('never');
      await transaction`delete from builder.notifications where body = 'never'`;
    });
    const [changes = []] = await live.settle(wire);
    expect(kinds(changes)).toEqual(['INSERT', 'DELETE']);
    expect(changes[0]?.data.record).toMatchObject({ body: 'last' });
    await updates.received(1);
    expect([updates.bodies, updates.errors]).toEqual([['last'], []]);
  });

  it('the same to the byte but for the next id, whatever happens to rows of others, and no internal notes', async () => {
    const { sql } = service;
    const framesOf = async (isBusy: boolean): Promise<string[]> => {
      const [owner, stranger] = [randomUUID(), randomUUID()];
      // Not the feed, which other listeners may still read: they would have missed changes.
      await sql`truncate builder.notifications, builder.quotes restart identity cascade`;
      const bindings = [all, allQuotes, { ...allQuotes, filter: 'company=eq.MARK' }];
      const wire = await live.listen({ bindings }, await service.token({ account: owner }));
      // Downwards: the ids that the database gives begin above the greatest.
      let nextId = 2000;
      const disturb = async (): Promise<void> => {
        if (isBusy) {
          await live.insert({ id: nextId--, body: 'MARK' }, stranger);
          const id = await live.insertQuote({ company: 'MARK' }, stranger);
          await sql`update builder.quotes set account_id = ${randomUUID()}, internal_notes = 'MARK' where id = ${id}`;
          await sql`update builder.quotes set deleted_at = now() where id = ${id}`;
        }
      };
      const id = '11111111-1111-4111-8111-111111111111';
      for (const change of [
        () => live.insertQuote({ id, product_id: id, internal_notes: 'MARK' }, owner),
        () => sql`update builder.quotes set internal_notes = 'MARK 2' where id = ${id}`,
        () => live.insert({ id: 7 }, owner),
        () => sql`delete from builder.notifications where id = 7`,
        () => sql`update builder.quotes set deleted_at = now() where id = ${id}`,
      ]) {
        await disturb();
        const before = wire.changes().length;
        await change();
        await disturb();
        await wire.received(before + 1);
      }
      await disturb();
      await wire.heartbeat();
      return wire.frames.map(frame =>
        frame
          .replaceAll(owner, 'OWNER')
          .replace(/\d{4}-\d\d-\d\dT[\d:.]+\+00:00/g, 'TIME')
          .replace(/"record":\{"id":\d+/, '"record":{"id":NEXT'),
      );
    };
    const quiet = await framesOf(false);
    expect(quiet.length).toBeGreaterThan(6);
    expect(quiet.slice(1).join()).not.toMatch(/MARK|internal_notes/);
    expect(await framesOf(true)).toEqual(quiet);
  });

  it('its own lines of the history of quotes, without the member of staff who acted', async () => {
    const [stranger, clerk] = [randomUUID(), randomUUID()];
    const history = { ...all, table: 'quote_events' };
    const wire = await live.listen({ bindings: [history, all] });
    await live.insertQuote();
    await live.insertQuote({}, stranger);
    const staff = callerOf(service, service.publishableKey, await staffToken(clerk));
    for (const owner of [stranger, live.account]) {
      const moved = await staff.send('PATCH', `/quotes?account_id=eq.${owner}`, { status: 'cancelled' });
      expect(moved).toMatchObject({ status: 204 });
    }
    const [sent = []] = await live.settle(wire);
    const events = sent.filter(({ data }) => data.table === 'quote_events').map(({ data }) => data.record);
    expect(events).toMatchObject([
      { account_id: live.account, event: 'quote.cancelled', created_as: 'staff', created_by: null },
    ]);
    const frames = wire.frames.join('\n');
    for (const hidden of [stranger, clerk, 'staff_id']) {
      expect(frames).not.toContain(hidden);
    }
    const filtered = [{ ...history, filter: `staff_id=eq.${clerk}` }];
    expect(await wire.join('y', filtered, live.token)).toMatchObject({ status: 'error' });
    expect(await wire.join('y', filtered, await staffToken())).toMatchObject({ status: 'ok' });
  });
});

it('staff, and the holder of the secret key, are sent all changes and all columns', async () => {
  const staff = await live.listen({ bindings: [allQuotes] }, await staffToken());
  const secret = await live.listen({ key: service.secretKey, bindings: [allQuotes] }, service.secretKey);
  const id = await live.insertQuote({ internal_notes: 'for us' }, randomUUID());
  for (const wire of [staff, secret]) {
    const [change] = await wire.received(1);
    expect(change?.data.record).toMatchObject({ id, internal_notes: 'for us' });
  }
});
