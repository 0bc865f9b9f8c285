/** What is sent, and to whom: the rows, the columns and the events that each caller may know of. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { everyone } from '../sql/roles.ts';
import { all, allQuotes, type Change, useWires } from './wire.ts';
import * as writes from './writes.ts';

const service = useService();
const wires = useWires(service);

let account: string;
beforeEach(() => {
  account = randomUUID();
});

interface Listener {
  account?: string;
  teams?: string[];
  staff?: boolean;
}

/** A client of this caller that has joined a channel with these bindings. */
const listen = async (bindings: object[], { teams = [], staff = false, ...holder }: Listener = {}) =>
  wires.listen(await service.token({ account: holder.account ?? account, also: teams, staff }), { bindings });

const insertNotification = (owner: string, more?: object) =>
  writes.insertNotification(service.sql, owner, more);
const insertQuote = (owner: string, more?: object) => writes.insertQuote(service.sql, owner, more);

const kinds = (changes: Change[]): string[] => changes.map(({ data }) => data.type);

describe('a customer is sent', () => {
  it('an insert, an update and a delete, with the row as a read has it', async () => {
    const wire = await listen([all]);
    const id = await insertNotification(account, { body: 'Ready' });
    const [insert] = await wire.received(1);
    const { sql } = service;
    await sql`update builder.notifications set dismissed = true where id = ${id}`;
    const [, update] = await wire.received(2);
    await sql`delete from builder.notifications where id = ${id}`;
    const [, , remove] = await wire.received(3);
    expect(insert).toMatchObject({
      ids: [1],
      data: { schema: 'public', table: 'notifications', type: 'INSERT', errors: null },
    });
    expect(insert?.data.record).toMatchObject({
      id,
      account_id: account,
      body: 'Ready',
      dismissed: false,
    });
    expect(insert?.data).not.toHaveProperty('old_record');
    expect(update?.data).toMatchObject({
      type: 'UPDATE',
      record: { dismissed: true },
      old_record: { id },
    });
    expect(remove?.data).toMatchObject({ type: 'DELETE', old_record: { id } });
    expect(remove?.data).not.toHaveProperty('record');
    expect(insert?.data.columns).toContainEqual({ name: 'id', type: 'int8' });
    expect(insert?.data.columns).toContainEqual({ name: 'expires_at', type: 'timestamptz' });
    expect(insert?.data.columns).toContainEqual({ name: 'type', type: 'notification_type' });
    expect(Object.keys(insert?.data.record ?? {})).toEqual(insert?.data.columns.map(({ name }) => name));
  });

  it('what the service wrote and the sweep changed', async () => {
    const wire = await listen([all, allQuotes]);
    await callerOf(service, service.secretKey).send('POST', '/notifications', aNotification(account));
    await wire.received(1);
    const due = new Date(Date.now() - 60_000);
    await insertNotification(account, { expires_at: due });
    await insertQuote(account, { expires_at: due });
    await wire.received(3);
    await service.sweep();
    const changes = await wire.received(6);
    // The notification says that the quote has expired.
    expect(kinds(changes.slice(3)).sort()).toEqual(['DELETE', 'INSERT', 'UPDATE']);
    expect(changes.find(({ data }) => data.type === 'UPDATE')?.data.record).toMatchObject({
      status: 'expired',
    });
  });

  it('a DELETE of a quote that is marked as deleted, and nothing of it until it is restored', async () => {
    const wire = await listen([allQuotes]);
    const { sql } = service;
    const id = await insertQuote(account);
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
    const other = randomUUID();
    const [left, right] = [await listen([allQuotes]), await listen([allQuotes], { account: other })];
    const { sql } = service;
    const id = await insertQuote(account);
    await left.received(1);
    await sql`update builder.quotes set account_id = ${other} where id = ${id}`;
    expect(kinds(await left.received(2))).toEqual(['INSERT', 'DELETE']);
    const [moved] = await right.received(1);
    expect(moved?.data).toMatchObject({ type: 'INSERT', record: { id, account_id: other } });
  });

  it('changes of the rows of its teams', async () => {
    const team = randomUUID();
    const wire = await listen([all], { teams: [team] });
    await insertNotification(team, { body: 'to the team' });
    const [change] = await wire.received(1);
    expect(change?.data.record).toMatchObject({ account_id: team });
  });

  it('the result of several changes at once: the row as it is, or that it was deleted', async () => {
    const wire = await listen([all]);
    const { sql } = service;
    await sql.begin(async transaction => {
      const [row] = await transaction`
        insert into builder.notifications ${sql(aNotification(account, { body: 'first' }))} returning id`;
      await transaction`update builder.notifications set body = 'last' where id = ${row?.['id']}`;
      await transaction`insert into builder.notifications ${sql(aNotification(account, { body: 'never' }))}`;
      await transaction`delete from builder.notifications where body = 'never'`;
    });
    const [changes = []] = await writes.settle(sql, wire);
    expect(kinds(changes)).toEqual(['INSERT', 'DELETE']);
    expect(changes[0]?.data.record).toMatchObject({ body: 'last' });
  });

  it('no rows of other accounts, and no internal notes', async () => {
    const stranger = randomUUID();
    const wire = await listen([all, allQuotes]);
    const { sql } = service;
    const notification = await insertNotification(stranger, { body: 'MARK' });
    const quote = await insertQuote(stranger, { company: 'MARK' });
    const own = await insertQuote(account, { internal_notes: 'MARK' });
    await sql`update builder.notifications set link = 'MARK' where id = ${notification}`;
    await sql`update builder.quotes set customer_notes = 'MARK', internal_notes = 'MARK' where id = ${quote}`;
    await sql`update builder.quotes set internal_notes = 'MARK 2' where id = ${own}`;
    await sql`delete from builder.quotes where id = ${quote}`;
    await writes.settle(sql, wire);
    expect(wire.frames.join('\n')).not.toMatch(/MARK|internal_notes/);
    expect(wire.frames.join('\n')).not.toContain(stranger);
    expect(wire.frames.join('\n')).not.toContain(quote);
    const ofQuotes = wire.changes().filter(({ data }) => data.table === 'quotes');
    expect(new Set(ofQuotes.map(({ data }) => data.record?.['id']))).toEqual(new Set([own]));
  });
});

describe('what a customer is sent', () => {
  /** Its frames, without what differs in any two runs. */
  async function framesOf(isBusy: boolean): Promise<string[]> {
    const [owner, stranger] = [randomUUID(), randomUUID()];
    const { sql } = service;
    await sql`truncate builder.notifications, builder.quotes, builder.changes restart identity`;
    const wire = await listen([all, allQuotes, { ...allQuotes, filter: 'company=eq.MARK' }], {
      account: owner,
    });
    let nextId = 1000;
    const disturb = async (): Promise<void> => {
      if (isBusy) {
        await insertNotification(stranger, { id: nextId++, body: 'MARK' });
        const id = await insertQuote(stranger, { company: 'MARK' });
        await sql`update builder.quotes set account_id = ${randomUUID()}, internal_notes = 'MARK' where id = ${id}`;
        await sql`update builder.quotes set deleted_at = now() where id = ${id}`;
      }
    };
    const id = '11111111-1111-4111-8111-111111111111';
    for (const change of [
      () => insertQuote(owner, { id, product_id: id }),
      () => sql`update builder.quotes set internal_notes = 'MARK' where id = ${id}`,
      () => insertNotification(owner, { id: 7 }),
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
      frame.replaceAll(owner, 'OWNER').replace(/\d{4}-\d\d-\d\dT[\d:.]+\+00:00/g, 'TIME'),
    );
  }

  it('is the same to the byte, whatever happens to rows of others', async () => {
    const quiet = await framesOf(false);
    expect(quiet.length).toBeGreaterThan(6);
    expect(await framesOf(true)).toEqual(quiet);
  });
});

describe('everyone', () => {
  it('who is signed in is sent system notifications', async () => {
    const customer = await listen([all]);
    const other = await listen([all], { account: randomUUID() });
    const staff = await listen([all], { staff: true });
    const id = await insertNotification(everyone, { body: 'We are closed on Monday' });
    for (const wire of [customer, other, staff]) {
      const [change] = await wire.received(1);
      expect(change?.data).toMatchObject({
        type: 'INSERT',
        record: { id, account_id: everyone },
      });
    }
    await service.sql`delete from builder.notifications where id = ${id}`;
    for (const wire of [customer, other, staff]) {
      expect(kinds(await wire.received(2))).toEqual(['INSERT', 'DELETE']);
    }
  });

  it('of the staff, and the secret key, is sent all changes and all columns', async () => {
    const staff = await listen([allQuotes], { staff: true });
    const secret = await wires.listen(service.secretKey, { key: service.secretKey, bindings: [allQuotes] });
    const id = await insertQuote(randomUUID(), { internal_notes: 'for us' });
    for (const wire of [staff, secret]) {
      const [change] = await wire.received(1);
      expect(change?.data.record).toMatchObject({ id, internal_notes: 'for us' });
    }
  });
});

describe('a message to everyone that a customer dismisses', () => {
  it('is sent as dismissed only to its other devices, and so is its later change', async () => {
    const id = await insertNotification(everyone);
    const [device, other] = [await listen([all]), await listen([all], { account: randomUUID() })];
    const { send } = callerOf(service, service.publishableKey, await service.token({ account }));
    const dismiss = (dismissed: boolean) => send('PATCH', `/notifications?id=eq.${id}`, { dismissed });
    const settled = async () => {
      const sent = await writes.settle(service.sql, device, other);
      return sent.map(changes =>
        changes
          .filter(({ data }) => data.record?.['id'] === id)
          .map(({ data }) => [data.type, data.record?.['dismissed']]),
      );
    };
    expect(await dismiss(true)).toMatchObject({ status: 204 });
    expect(await settled()).toEqual([[['UPDATE', true]], []]);
    await service.sql`update builder.notifications set body = 'Closed on Tuesday' where id = ${id}`;
    const [ofDevice, ofOther] = await settled();
    expect(ofDevice?.at(-1)).toEqual(['UPDATE', true]);
    expect(ofOther).toEqual([['UPDATE', false]]);
    expect(await dismiss(false)).toMatchObject({ status: 204 });
    expect((await settled())[0]?.at(-1)).toEqual(['UPDATE', false]);
  });
});
