/** The life of a quote, as the database enforces it for everyone who writes. */
import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import { useDatabase } from '../setup/database.ts';
import { untilBlocked } from '../setup/locks.ts';
import { aQuote } from '../setup/rows.ts';
import { type As, asCustomer, asStaff, asStaffWithVersion, claimsOf, insert, update } from './roles.ts';

const database = useDatabase();
let sql: Sql;
beforeAll(async () => {
  sql = database.sql;
});

const account = randomUUID();
const team = randomUUID();
const customer = claimsOf(account, team);
const staff = claimsOf(randomUUID());

const statuses = ['draft', 'submitted', 'quoted', 'approved', 'rejected', 'expired', 'ordered', 'cancelled'];
const moves: Record<string, string[]> = {
  draft: ['cancelled', 'submitted'],
  submitted: ['cancelled', 'draft'],
  quoted: ['approved', 'cancelled', 'rejected', 'submitted'],
  approved: ['cancelled'],
  rejected: ['submitted'],
  expired: ['submitted'],
};
const closed = ['rejected', 'expired', 'cancelled'];
const open = ['submitted', 'quoted', 'approved'];
const pairs = statuses.flatMap(from => statuses.map(to => [from, to] as const));
const prices = { unit_price: 10, total_price: 100 };
const past = '2001-02-03T04:05:06.789012+00:00';

/** A quote of the customer's in a status, priced, as the owner of the database puts it there. */
const newQuote = (status: string, more: object = {}): Promise<string> =>
  insert(sql, 'quotes', aQuote(account, { status, ...prices, ...more }));

type Row = Record<string, string | null>;
async function read(id: string): Promise<Row> {
  const [row] = await sql<
    { row: Row }[]
  >`select to_jsonb(quotes) as row from builder.quotes where id = ${id}`;
  return row?.row ?? {};
}

const change = (as: As, id: string, values: object): Promise<number> =>
  as(sql, as === asCustomer ? customer : staff, transaction =>
    update(transaction, 'quotes', id, { ...values }),
  );

/** Changes a row and returns it, with `now` as the database's clock said in that transaction. */
async function changeAndRead(as: As, id: string, values: object): Promise<Row> {
  const now = await as(sql, as === asCustomer ? customer : staff, async transaction => {
    expect(await update(transaction, 'quotes', id, { ...values })).toBe(1);
    const [clock] = await transaction<{ now: string }[]>`select to_jsonb(now()) #>> '{}' as now`;
    return clock?.now ?? '';
  });
  return { ...(await read(id)), now };
}

const mentioned = (text: string): string[] => text.match(new RegExp(statuses.join('|'), 'g')) ?? [];

describe('a customer', () => {
  const isMove = (from: string, to: string) => from === to || moves[from]?.includes(to);

  it.each(
    pairs.filter(([from, to]) => isMove(from, to)),
  )('may move a quote from %s to %s', async (from, to) => {
    const id = await newQuote(from);
    expect(await change(asCustomer, id, { status: to })).toBe(1);
    expect((await read(id))['status']).toBe(to);
  });

  it.each(
    pairs.filter(([from, to]) => !isMove(from, to)),
  )('may not move a quote from %s to %s', async (from, to) => {
    const id = await newQuote(from);
    const error = await change(asCustomer, id, { status: to }).catch(error => error);
    expect(error).toMatchObject({ code: 'PT409' });
    expect(mentioned(error.message)).toEqual([from, to]);
    expect(mentioned(error.detail)).toEqual([from, ...(moves[from] ?? [])]);
    expect((await read(id))['status']).toBe(from);
  });

  it.each(statuses.slice(1))('may not create a quote that is %s', async status => {
    const creating = asCustomer(sql, customer, as => insert(as, 'quotes', aQuote(account, { status })));
    await expect(creating).rejects.toMatchObject({ code: 'PT409', message: expect.stringContaining(status) });
  });

  it('may not move a quote to a status that does not exist', async () => {
    const moving = change(asCustomer, await newQuote('draft'), { status: 'lost' });
    await expect(moving).rejects.toMatchObject({ code: expect.stringMatching(/^(PT409|23514)$/) });
  });
});

it.each(
  pairs,
)('staff who name the version they have read may put a quote that is %s to %s', async (from, to) => {
  const id = await newQuote(from);
  expect(await change(asStaffWithVersion, id, { status: to, ...(to === 'quoted' && prices) })).toBe(1);
  expect((await read(id))['status']).toBe(to);
});

describe('two concurrent moves', () => {
  it('a customer who approves while staff withdraw the offer waits, and is refused', async () => {
    const id = await newQuote('quoted');
    let approving: Promise<unknown> = Promise.resolve();
    await asStaff(sql, staff, async transaction => {
      await update(transaction, 'quotes', id, { status: 'submitted' });
      approving = change(asCustomer, id, { status: 'approved' }).catch(error => error);
      await untilBlocked({ sql });
    });
    expect(await approving).toMatchObject({ code: 'PT409' });
    expect((await read(id))['status']).toBe('submitted');
  });
});

describe('a customer who approves while staff change the price', () => {
  it.each([
    'quoted',
    'approved',
  ])('waits, and is refused or has approved the old one (%s first)', async first => {
    const id = await newQuote('quoted');
    const approve = (sql: TransactionSql) => update(sql, 'quotes', id, { status: 'approved' });
    const price = (sql: TransactionSql) => update(sql, 'quotes', id, { total_price: 1000 });
    let second: Promise<unknown> = Promise.resolve();
    const [begin, follow] = first === 'quoted' ? [asStaff, asCustomer] : [asCustomer, asStaff];
    await begin(sql, begin === asStaff ? staff : customer, async transaction => {
      await (begin === asStaff ? price : approve)(transaction);
      second = follow(sql, follow === asStaff ? staff : customer, follow === asStaff ? price : approve).catch(
        error => error,
      );
      await untilBlocked({ sql });
    });
    expect(await second).toMatchObject({ code: 'PT409' });
    expect(await read(id)).toMatchObject({ status: first, total_price: first === 'quoted' ? 1000 : 100 });
  });
});

describe('for every caller', () => {
  it('each update has another updated_at, in one microsecond too', async () => {
    const id = await newQuote('draft');
    const versions = await asCustomer(sql, customer, async transaction => {
      const seen: unknown[] = [];
      for (const company of ['a', 'b', 'c']) {
        await update(transaction, 'quotes', id, { company });
        const [row] =
          await transaction`select updated_at::text as version from builder.quotes where id = ${id}`;
        seen.push(row?.['version']);
      }
      return seen;
    });
    expect(new Set(versions).size).toBe(3);
  });

  it.each(['unit_price', 'total_price'])('a quote cannot be quoted without its %s', async name => {
    const id = await newQuote('submitted', { [name]: null });
    const unpriced = { ...prices, [name]: null };
    await expect(change(asStaff, id, { status: 'quoted', ...unpriced })).rejects.toMatchObject({
      code: '23514',
    });
    await expect(newQuote('quoted', { [name]: null })).rejects.toMatchObject({ code: '23514' });
    const quoted = await newQuote('quoted');
    await expect(change(asStaff, quoted, { [name]: null })).rejects.toMatchObject({ code: '23514' });
    expect(await change(asStaff, id, { status: 'quoted', ...prices, [name]: 0 })).toBe(1);
  });

  it.each(['NaN', 'Infinity', '-1'])('a price cannot be %s', async price => {
    await expect(newQuote('draft', { unit_price: price })).rejects.toMatchObject({ code: '23514' });
    await expect(newQuote('draft', { total_price: price })).rejects.toMatchObject({ code: '23514' });
  });

  it.each(
    statuses.filter(status => status !== 'ordered'),
  )('a quote that is %s has no fulfillment_status', async status => {
    const id = await newQuote(status);
    await expect(change(asStaff, id, { fulfillment_status: 'reviewing' })).rejects.toMatchObject({
      code: '23514',
    });
    const ordered = await newQuote('ordered', { fulfillment_status: 'shipping' });
    const leaving = { status, fulfillment_status: 'delivered', ...(status === 'quoted' && prices) };
    const left = await changeAndRead(asStaffWithVersion, ordered, leaving);
    expect(left).toMatchObject({ status, fulfillment_status: null });
  });

  it.each([
    ['a customer', asCustomer],
    ['staff', asStaff],
  ])('%s cannot approve a quote after its expires_at, even before the sweep', async (_, as) => {
    for (const expires_at of ['now', '-infinity']) {
      const id = await newQuote('quoted', { expires_at });
      const error = await change(as, id, { status: 'approved' }).catch(error => error);
      expect(error).toMatchObject({ code: 'PT409', message: 'A quote that has expired cannot be approved' });
      expect((await read(id))['status']).toBe('quoted');
    }
    expect(
      await change(as, await newQuote('quoted', { expires_at: 'tomorrow' }), { status: 'approved' }),
    ).toBe(1);
  });

  it('staff may approve a quote that the same change extends, but not create an expired quote as approved', async () => {
    const id = await newQuote('quoted', { expires_at: past });
    expect(await change(asStaff, id, { status: 'approved', expires_at: '2999-01-01' })).toBe(1);
    await expect(newQuote('approved', { expires_at: past })).rejects.toMatchObject({ code: 'PT409' });
  });
});

describe('the times and users that the database sets', () => {
  const stamps = [
    ['draft', 'submitted', 'submitted_at'],
    ['quoted', 'approved', 'approved_at'],
  ] as const;

  it.each(
    stamps,
  )("from %s to %s: %s is the database's clock, whatever a customer sends", async (from, to, stamp) => {
    for (const sent of [{}, { [stamp]: past }, { [stamp]: null }]) {
      const row = await changeAndRead(asCustomer, await newQuote(from), { status: to, ...sent });
      expect([row[stamp], row['updated_at']]).toEqual([row['now'], row['now']]);
    }
  });

  it.each([
    ...stamps,
    ['submitted', 'quoted', 'quoted_at'] as const,
  ])('from %s to %s: staff may supply %s', async (from, to, stamp) => {
    const move = { status: to, ...(to === 'quoted' && prices) };
    const supplied = await changeAndRead(asStaff, await newQuote(from), { ...move, [stamp]: past });
    expect(supplied[stamp]).toBe(past);
    const stamped = await changeAndRead(asStaff, await newQuote(from), move);
    expect(stamped[stamp]).toBe(stamped['now']);
    const again = await changeAndRead(asStaff, await newQuote(from, { [stamp]: past }), move);
    expect(again[stamp]).toBe(again['now']);
  });

  it('quoted_by is the caller who priced it, unless staff set it', async () => {
    const id = await newQuote('submitted');
    const priced = { status: 'quoted', ...prices };
    expect(await changeAndRead(asStaff, id, priced)).toMatchObject({ quoted_by: staff.sub });
    const quoted_by = randomUUID();
    const told = await changeAndRead(asStaff, await newQuote('submitted'), { ...priced, quoted_by });
    expect(told).toMatchObject({ quoted_by });
    const byKey = await newQuote('submitted');
    await asStaff(sql, {}, transaction => update(transaction, 'quotes', byKey, priced));
    expect(await read(byKey)).toMatchObject({ quoted_by: null });
  });

  it('a customer cannot set a timestamp without its move, nor created_at or updated_at', async () => {
    const id = await newQuote('draft', { submitted_at: past, approved_at: past, created_at: past });
    const sent = {
      submitted_at: '1999-01-01',
      approved_at: null,
      created_at: '1999-01-01',
      updated_at: '1999-01-01',
    };
    const row = await changeAndRead(asCustomer, id, sent);
    expect(row).toMatchObject({
      submitted_at: past,
      approved_at: past,
      created_at: past,
      updated_at: row['now'],
    });
  });

  it.each([
    ['submitted_at', 'null'],
    ['approved_at', 'null'],
    ['created_at', 'now'],
    ['updated_at', 'now'],
  ])('a customer cannot choose %s when it creates a quote: it is %s', async (name, is) => {
    const [row] = await asCustomer(sql, customer, async transaction => {
      const id = await insert(transaction, 'quotes', aQuote(account, { [name]: past }));
      return await transaction`
        select coalesce(nullif(${transaction(name)}, now())::text, case when ${transaction(name)} = now() then 'now' else 'null' end) as is
        from builder.quotes where id = ${id}`;
    });
    expect(row).toEqual({ is });
  });

  it('created_by is the caller when left out, and a customer cannot set another user', async () => {
    const create = (more: object) =>
      asCustomer(sql, customer, as => insert(as, 'quotes', aQuote(account, { ...more })));
    expect(await read(await create({}))).toMatchObject({ created_by: account });
    expect(await read(await create({ created_by: account }))).toMatchObject({ created_by: account });
    await expect(create({ created_by: randomUUID() })).rejects.toMatchObject({ code: '42501' });
    const id = await create({});
    for (const created_by of [randomUUID(), null]) {
      await expect(change(asCustomer, id, { created_by })).rejects.toMatchObject({ code: '42501' });
    }
    const other = randomUUID();
    expect(await changeAndRead(asStaff, id, { created_by: other })).toMatchObject({ created_by: other });
  });

  it('only staff can set the source admin_created', async () => {
    const creating = asCustomer(sql, customer, as =>
      insert(as, 'quotes', aQuote(account, { source: 'admin_created' })),
    );
    const refusal = { code: '42501', message: expect.stringContaining('source') };
    await expect(creating).rejects.toMatchObject(refusal);
    const id = await newQuote('draft');
    await expect(change(asCustomer, id, { source: 'admin_created' })).rejects.toMatchObject(refusal);
    expect(await change(asStaff, id, { source: 'admin_created' })).toBe(1);
    expect(await change(asCustomer, id, { sport: 'soccer', source: 'admin_created' })).toBe(1);
  });
});

describe('what a customer may still edit', () => {
  beforeEach(() => sql`delete from builder.quotes`);
  const notes = {
    customer_notes: 'soon',
    contact_name: 'Robin',
    contact_email: 'r@example.com',
    contact_phone: '1',
    company: 'Lions',
  };
  const afterDraft = {
    ...notes,
    shipping_address: { zip: '1' },
    billing_address: { zip: '2' },
    delivery_method: 'express',
  };
  const order = {
    product_id: randomUUID(),
    design_id: randomUUID(),
    sport: 'soccer',
    customization: { team: 'Tigers' },
  };
  const design = {
    colors: { primary: '#000' },
    roster_count: 2,
    size_breakdown: { M: 2 },
    rush_order: true,
    event_date: '2027-01-01',
  };
  const files = {
    preview_front_url: 'https://f.test',
    preview_back_url: 'http://b.test',
    tool_2d: 't',
    techpack_file: 'p',
    avatar_preview: 'a',
  };
  const identity = {
    account_id: team,
    quote_number: 'QT-2026-00002',
    currency: 'EUR',
    source: 'duplicate',
  };
  /** What a quote was approved at, so that nobody changes it. */
  const terms = ['currency', 'roster_count', 'size_breakdown', 'customization'];
  const onlyDraft = { ...order, ...design, ...files, ...identity, created_by: account };
  const replaced = ['submitted_at', 'approved_at', 'created_at', 'updated_at'];

  it('is tested here for every column that the schema lets a customer update', () => {
    const updatable = Object.entries(quotes.columns).filter(([, { privileges }]) =>
      privileges.customer.includes('update'),
    );
    const told = ['status', ...replaced, ...Object.keys({ ...afterDraft, ...onlyDraft })];
    expect(updatable.map(([name]) => name).sort()).toEqual(told.sort());
  });

  it.each(Object.entries({ ...afterDraft, ...onlyDraft }))('in a draft: %s', async (name, value) => {
    expect(await change(asCustomer, await newQuote('draft'), { [name]: value })).toBe(1);
  });

  it.each(open)('of a quote that is %s: contact, company, addresses, delivery and notes', async status => {
    expect(await change(asCustomer, await newQuote(status), afterDraft)).toBe(1);
    for (const [name, value] of Object.entries(afterDraft)) {
      expect(await change(asCustomer, await newQuote(status), { [name]: value })).toBe(1);
    }
  });

  it.each([
    ...open.map(status => [status, onlyDraft] as const),
    ...['ordered', ...closed].map(status => [status, { ...onlyDraft, ...afterDraft }] as const),
  ])('of a quote that is %s, nothing else: the error names the column and the status', async (status, edits) => {
    for (const [name, value] of Object.entries(edits)) {
      const id = await newQuote(status);
      const before = await read(id);
      const error = await change(asCustomer, id, { [name]: value }).catch(error => error);
      expect([name, error]).toMatchObject([name, { code: '42501' }]);
      expect(error.message.match(/\w+/g)).toEqual(expect.arrayContaining([name, status]));
      expect(await read(id)).toEqual(before);
      const isApproved = status === 'approved' && terms.includes(name);
      expect(isApproved || (await change(asStaffWithVersion, id, { [name]: value })) === 1).toBe(true);
    }
  });

  it('together with a move: only columns that are editable before it', async () => {
    const submitting = await newQuote('draft');
    expect(await change(asCustomer, submitting, { status: 'submitted', sport: 'soccer' })).toBe(1);
    const withdrawing = change(asCustomer, submitting, { status: 'draft', sport: 'rugby' });
    await expect(withdrawing).rejects.toMatchObject({ code: '42501' });
    expect(await change(asCustomer, submitting, { status: 'cancelled', customer_notes: 'too late' })).toBe(1);
  });
});

describe('deleting', () => {
  const deletable = ['draft', ...closed];

  it.each(deletable)("a customer may delete a quote that is %s, at the database's time", async status => {
    const row = await changeAndRead(asCustomer, await newQuote(status), { deleted_at: past });
    expect(row['deleted_at']).toBe(row['now']);
  });

  it.each(
    statuses.filter(status => !deletable.includes(status)),
  )('a customer may not delete a quote that is %s; staff may', async status => {
    const id = await newQuote(status);
    const refusal = { code: 'PT409', message: expect.stringContaining(status) };
    await expect(change(asCustomer, id, { deleted_at: 'now' })).rejects.toMatchObject(refusal);
    await expect(change(asCustomer, id, { deleted_at: 'now', status: 'cancelled' })).rejects.toMatchObject({
      code: 'PT409',
    });
    expect(await change(asStaff, id, { deleted_at: 'now' })).toBe(1);
  });

  it('a customer may not restore, change or delete a deleted quote; staff may', async () => {
    const id = await newQuote('draft', { deleted_at: past });
    for (const values of [
      { deleted_at: null },
      { deleted_at: 'now' },
      { company: 'Lions' },
      { status: 'submitted' },
    ]) {
      await expect(change(asCustomer, id, values)).rejects.toMatchObject({ code: '42501' });
    }
    expect(await changeAndRead(asStaff, id, { deleted_at: null })).toMatchObject({ deleted_at: null });
    expect(await change(asCustomer, id, { company: 'Lions' })).toBe(1);
  });
});
