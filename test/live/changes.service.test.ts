/** What is told, and to whom: the rows, the columns and the events that each caller may know of. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sample } from '../setup/full-size.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { everyone } from '../sql/roles.ts';
import { all, allQuotes, type Change, Wire } from './wire.ts';

const service = useService();

let account: string;
const wires: Wire[] = [];
beforeEach(() => {
  account = randomUUID();
  for (const wire of wires.splice(0)) {
    wire.close();
  }
});

interface Listener {
  account?: string;
  teams?: string[];
  staff?: boolean;
}

/** A client of this caller that has joined a channel with these bindings. */
async function listen(
  bindings: object[],
  { teams = [], staff = false, ...holder }: Listener = {},
): Promise<Wire> {
  const wire = await Wire.open(service);
  wires.push(wire);
  const token = await service.token({ account: holder.account ?? account, also: teams, staff });
  expect(await wire.join('x', bindings, token)).toMatchObject({ status: 'ok' });
  return wire;
}

const insertNotification = async (owner: string, more: object = {}): Promise<string> => {
  const { sql } = service;
  const [row] = await sql`insert into builder.notifications ${sql(aNotification(owner, more))} returning id`;
  return row?.['id'];
};
const insertQuote = async (owner: string, more: object = {}): Promise<string> => {
  const { sql } = service;
  const [row] = await sql`insert into builder.quotes ${sql(aQuote(owner, more))} returning id`;
  return row?.['id'];
};

const kinds = (changes: Change[]): string[] => changes.map(({ data }) => data.type);

/** A change that everyone hears, after which nothing of before is to come. */
async function settle(...listeners: Wire[]): Promise<void> {
  const body = `done ${randomUUID()}`;
  await insertNotification(everyone, { body });
  for (const wire of listeners) {
    await wire.until(({ payload }) => payload?.data?.record?.body === body);
  }
}
const withoutSettling = (wire: Wire): Change[] =>
  wire.changes().filter(({ data }) => !String(data.record?.['body']).startsWith('done '));

describe('a customer is told', () => {
  it('of an insert, an update and a delete, with the row as a read has it', async () => {
    const wire = await listen([all]);
    const id = await insertNotification(account, { body: 'Ready' });
    const [insert] = await wire.told(1);
    const { sql } = service;
    await sql`update builder.notifications set dismissed = true where id = ${id}`;
    const [, update] = await wire.told(2);
    await sql`delete from builder.notifications where id = ${id}`;
    const [, , remove] = await wire.told(3);
    expect(insert).toMatchObject({
      ids: [1],
      data: { schema: 'public', table: 'notifications', type: 'INSERT', errors: null },
    });
    expect(insert?.data.record).toMatchObject({
      id: Number(id),
      account_id: account,
      body: 'Ready',
      dismissed: false,
    });
    expect(insert?.data).not.toHaveProperty('old_record');
    expect(update?.data).toMatchObject({
      type: 'UPDATE',
      record: { dismissed: true },
      old_record: { id: Number(id) },
    });
    expect(remove?.data).toMatchObject({ type: 'DELETE', old_record: { id: Number(id) } });
    expect(remove?.data).not.toHaveProperty('record');
    expect(insert?.data.columns).toContainEqual({ name: 'id', type: 'int8' });
    expect(insert?.data.columns).toContainEqual({ name: 'expires_at', type: 'timestamptz' });
    expect(insert?.data.columns).toContainEqual({ name: 'type', type: 'notification_type' });
    expect(Object.keys(insert?.data.record ?? {})).toEqual(insert?.data.columns.map(({ name }) => name));
  });

  it('of what the service wrote and the sweep did', async () => {
    const wire = await listen([all, allQuotes]);
    const staff = service.headers(await service.token({ account: randomUUID(), staff: true }));
    await service.fetch('/rest/v1/notifications', {
      method: 'POST',
      headers: { ...staff, 'content-type': 'application/json' },
      body: JSON.stringify(aNotification(account)),
    });
    await wire.told(1);
    const due = new Date(Date.now() - 60_000);
    await insertNotification(account, { expires_at: due });
    await insertQuote(account, { expires_at: due });
    await wire.told(3);
    await service.sweep();
    const changes = await wire.told(6);
    // The notification says that the quote has expired.
    expect(kinds(changes.slice(3)).sort()).toEqual(['DELETE', 'INSERT', 'UPDATE']);
    expect(changes.find(({ data }) => data.type === 'UPDATE')?.data.record).toMatchObject({
      status: 'expired',
    });
  });

  it('of a quote that is marked as deleted as of one that is gone, and of nothing that is done to it then', async () => {
    const wire = await listen([allQuotes]);
    const { sql } = service;
    const id = await insertQuote(account);
    await wire.told(1);
    await sql`update builder.quotes set deleted_at = now() where id = ${id}`;
    await wire.told(2);
    await sql`update builder.quotes set company = 'Lions' where id = ${id}`;
    await sql`update builder.quotes set deleted_at = null where id = ${id}`;
    const changes = await wire.told(3);
    expect(kinds(changes)).toEqual(['INSERT', 'DELETE', 'INSERT']);
    expect(changes[1]?.data.old_record).toEqual({ id });
    expect(changes[2]?.data.record).toMatchObject({ id, company: 'Lions', deleted_at: null });
  });

  it('of a quote that moves to another account as of one that is gone, and there as of a new one', async () => {
    const other = randomUUID();
    const [left, right] = [await listen([allQuotes]), await listen([allQuotes], { account: other })];
    const { sql } = service;
    const id = await insertQuote(account);
    await left.told(1);
    await sql`update builder.quotes set account_id = ${other} where id = ${id}`;
    expect(kinds(await left.told(2))).toEqual(['INSERT', 'DELETE']);
    const [moved] = await right.told(1);
    expect(moved?.data).toMatchObject({ type: 'INSERT', record: { id, account_id: other } });
  });

  it('of what concerns its teams', async () => {
    const team = randomUUID();
    const wire = await listen([all], { teams: [team] });
    await insertNotification(team, { body: 'to the team' });
    const [change] = await wire.told(1);
    expect(change?.data.record).toMatchObject({ account_id: team });
  });

  it('what is left of several changes at once: the row as it is, or that it is gone', async () => {
    const wire = await listen([all]);
    const { sql } = service;
    await sql.begin(async transaction => {
      const [row] = await transaction`
        insert into builder.notifications ${sql(aNotification(account, { body: 'first' }))} returning id`;
      await transaction`update builder.notifications set body = 'last' where id = ${row?.['id']}`;
      await transaction`insert into builder.notifications ${sql(aNotification(account, { body: 'never' }))}`;
      await transaction`delete from builder.notifications where body = 'never'`;
    });
    await settle(wire);
    const changes = withoutSettling(wire);
    expect(kinds(changes)).toEqual(['INSERT', 'DELETE']);
    expect(changes[0]?.data.record).toMatchObject({ body: 'last' });
  });

  it('of no rows of other accounts, and of no internal notes', async () => {
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
    await settle(wire);
    expect(wire.frames.join('\n')).not.toMatch(/MARK|internal_notes/);
    expect(wire.frames.join('\n')).not.toContain(stranger);
    expect(wire.frames.join('\n')).not.toContain(quote);
    const ofQuotes = wire.changes().filter(({ data }) => data.table === 'quotes');
    expect(new Set(ofQuotes.map(({ data }) => data.record?.['id']))).toEqual(new Set([own]));
  });
});

describe('what a customer is told', () => {
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
      await wire.told(before + 1);
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
  it('who is signed in is told of system notifications', async () => {
    const customer = await listen([all]);
    const other = await listen([all], { account: randomUUID() });
    const staff = await listen([all], { staff: true });
    const id = await insertNotification(everyone, { body: 'We are closed on Monday' });
    for (const wire of [customer, other, staff]) {
      const [change] = await wire.told(1);
      expect(change?.data).toMatchObject({
        type: 'INSERT',
        record: { id: Number(id), account_id: everyone },
      });
    }
    await service.sql`delete from builder.notifications where id = ${id}`;
    for (const wire of [customer, other, staff]) {
      expect(kinds(await wire.told(2))).toEqual(['INSERT', 'DELETE']);
    }
  });

  it('of the staff, and the service, is told of all changes and all columns', async () => {
    const staff = await listen([allQuotes], { staff: true });
    const secret = await Wire.open(service, { key: service.secretKey });
    wires.push(secret);
    expect(await secret.join('x', [allQuotes], service.secretKey)).toMatchObject({ status: 'ok' });
    const id = await insertQuote(randomUUID(), { internal_notes: 'for us' });
    for (const wire of [staff, secret]) {
      const [change] = await wire.told(1);
      expect(change?.data.record).toMatchObject({ id, internal_notes: 'for us' });
    }
  });
});

describe('a binding', () => {
  it('is told of its events alone, and a change once for all bindings it meets', async () => {
    const wire = await listen([
      { ...all, event: 'INSERT' },
      all,
      { ...all, event: 'DELETE' },
      { ...all, filter: 'dismissed=is.true' },
    ]);
    const id = await insertNotification(account);
    await wire.told(1);
    await service.sql`update builder.notifications set dismissed = true where id = ${id}`;
    await wire.told(2);
    await service.sql`delete from builder.notifications where id = ${id}`;
    const changes = await wire.told(3);
    expect(changes.map(({ ids }) => ids)).toEqual([
      [1, 2],
      [2, 4],
      [2, 3, 4],
    ]);
  });

  it.each(
    sample<[filter: string, quotes: string[]]>(4, [
      ['status=eq.draft', ['plain', 'rush', 'comma']],
      ['status=neq.draft', []],
      ['rush_order=eq.true', ['rush']],
      ['rush_order=is.true', ['rush']],
      ['company=in.(rush,comma)', ['rush']],
      ['company=eq."comma,eq"', ['comma']],
      ['company=not.eq.plain', ['rush', 'comma']],
      ['company=gte.q', ['rush']],
      ['rush_order=eq.false,company=eq.plain', ['plain']],
      ['roster_count=gt.5,roster_count=lt.20', ['rush']],
    ]),
  )('with the filter %s is told of the rows that meet it', async (filter, expected) => {
    const wire = await listen([{ ...allQuotes, filter }, all]);
    await insertQuote(account, { company: 'plain', roster_count: 5 });
    await insertQuote(account, { company: 'rush', rush_order: true, roster_count: 10 });
    await insertQuote(account, { company: 'comma,eq', roster_count: 20 });
    await settle(wire);
    const told = wire.changes().filter(({ data }) => data.table === 'quotes');
    expect(told.map(({ data }) => String(data.record?.['company']).split(',')[0]).sort()).toEqual(
      expected.sort(),
    );
  });

  it('with a filter on the account or the key is told of deletes too, by these alone', async () => {
    const id = await insertQuote(account);
    const other = await insertQuote(account);
    const wire = await listen([
      { ...allQuotes, filter: `id=eq.${id}` },
      { ...allQuotes, filter: `account_id=eq.${account.toUpperCase()}` },
      { ...allQuotes, filter: `account_id=neq.${account}` },
      { ...allQuotes, filter: `id=in.(${other},${randomUUID()})` },
      all,
    ]);
    await service.sql`delete from builder.quotes where id = ${id}`;
    await service.sql`delete from builder.quotes where id = ${other}`;
    await settle(wire);
    expect(
      wire
        .changes()
        .filter(({ data }) => data.table === 'quotes')
        .map(({ ids }) => ids),
    ).toEqual([
      [1, 2],
      [2, 4],
    ]);
  });

  it('by account is not told of what is for everyone, unless it asks for that account too', async () => {
    const wire = await listen([
      { ...all, filter: `account_id=eq.${account}` },
      { ...all, filter: `account_id=in.(${account},${everyone})` },
    ]);
    await insertNotification(everyone);
    await insertNotification(account);
    const changes = await wire.told(2);
    expect(changes.map(({ ids }) => ids)).toEqual([[2], [1, 2]]);
  });

  it('that selects columns is told of these alone', async () => {
    const wire = await listen([{ ...allQuotes, select: ['id', 'status'] }, allQuotes]);
    const id = await insertQuote(account);
    const changes = await wire.told(2);
    const [some, whole] = changes;
    expect(some?.ids).toEqual([1]);
    expect(some?.data.record).toEqual({ id, status: 'draft' });
    expect(some?.data.columns).toEqual([
      { name: 'id', type: 'uuid' },
      { name: 'status', type: 'text' },
    ]);
    expect(Object.keys(whole?.data.record ?? {}).length).toBeGreaterThan(20);
  });

  it('without a table is told of all', async () => {
    const wire = await listen([{ event: '*', schema: 'public' }]);
    await insertQuote(account);
    await insertNotification(account);
    const changes = await wire.told(2);
    expect(changes.map(({ data }) => data.table).sort()).toEqual(['notifications', 'quotes']);
  });
});

describe('a row over 64 KiB', () => {
  it('is told with its short values alone, and says so', async () => {
    const wire = await listen([allQuotes]);
    const id = await insertQuote(account, { customization: { text: 'x'.repeat(70 * 1024) } });
    const [change] = await wire.told(1);
    expect(change?.data.errors).toEqual(['Error 413: Payload Too Large']);
    expect(change?.data.record).toMatchObject({ id, status: 'draft' });
    expect(change?.data.record).not.toHaveProperty('customization');
  });
});

describe('many changes', () => {
  it('of one statement are all told, in order, though their records are more than one answer holds', async () => {
    const wire = await listen([allQuotes]);
    const text = 'x'.repeat(60 * 1024);
    const { sql } = service;
    await sql`
      insert into builder.quotes (account_id, quote_number, product_id, sport, customization, roster_count)
      select ${account}, 'QT-2026-00001', gen_random_uuid(), 'golf', jsonb_build_object('text', ${text}::text), n
      from generate_series(1, 120) n`;
    const changes = await wire.told(120);
    expect(changes.map(({ data }) => data.record?.['roster_count'])).toEqual(
      Array.from({ length: 120 }, (_, index) => index + 1),
    );
  });

  it('are read in pages', async () => {
    const wire = await listen([{ ...all, select: ['id'] }]);
    const { sql } = service;
    await sql`
      insert into builder.notifications (account_id, body, dismissed)
      select ${account}, 'n', false from generate_series(1, 12000)`;
    const changes = await wire.told(12_000);
    expect(new Set(changes.map(({ data }) => data.record?.['id'])).size).toBe(12_000);
    expect(changes).toHaveLength(12_000);
  });
});

describe('a message to everyone that a customer dismisses', () => {
  it('is sent as dismissed to its other devices alone, and so is its later change', async () => {
    const stranger = randomUUID();
    const id = await insertNotification(everyone);
    const all_ = { event: '*', schema: 'public', table: 'notifications' };
    const [device, other] = [await listen([all_]), await listen([all_], { account: stranger })];
    const token = await service.token({ account });
    const dismiss = (dismissed: boolean) =>
      service.fetch(`/rest/v1/notifications?id=eq.${id}`, {
        method: 'PATCH',
        headers: { ...service.headers(token), 'content-type': 'application/json' },
        body: JSON.stringify({ dismissed }),
      });
    const seen = (wire: Wire) =>
      withoutSettling(wire).map(({ data }) => [data.type, data.record?.['id'], data.record?.['dismissed']]);
    expect((await dismiss(true)).status).toBe(204);
    await settle(device, other);
    expect(seen(device)).toEqual([['UPDATE', Number(id), true]]);
    expect(seen(other)).toEqual([]);
    await service.sql`update builder.notifications set body = 'Closed on Tuesday' where id = ${id}`;
    await settle(device, other);
    expect(seen(device).at(-1)).toEqual(['UPDATE', Number(id), true]);
    expect(seen(other)).toEqual([['UPDATE', Number(id), false]]);
    expect((await dismiss(false)).status).toBe(204);
    await settle(device, other);
    expect(seen(device).at(-1)).toEqual(['UPDATE', Number(id), false]);
  });
});
