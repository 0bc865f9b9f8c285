/** Which columns of a quote its customer may change in which status, and which the database sets itself. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import { prices, useQuotes } from './quotes.ts';
import { asCustomer, asStaff, asStaffWithVersion, update } from './roles.ts';

const q = useQuotes();
beforeEach(() => q.sql`truncate builder.quotes cascade`);

const past = '2001-02-03T04:05:06.789012+00:00';
const denied = { code: '42501' };
const moves = [
  ['submitted_at', 'draft', { status: 'submitted' }],
  ['approved_at', 'quoted', { status: 'approved' }],
] as const;

it.each(moves)('%s is the clock of the database, whatever a customer sends', async (stamp, from, move) => {
  for (const sent of [{}, { [stamp]: past }, { [stamp]: null }]) {
    const row = await q.changeAndRead(asCustomer, await q.make(from), { ...move, ...sent });
    expect([row[stamp], row['updated_at']]).toEqual([row['now'], row['now']]);
  }
});

it.each([
  ...moves,
  ['quoted_at', 'submitted', { status: 'quoted', ...prices }] as const,
])('%s may be supplied by staff', async (stamp, from, move) => {
  const supplied = await q.changeAndRead(asStaff, await q.make(from), { ...move, [stamp]: past });
  expect(supplied[stamp]).toBe(past);
  for (const before of [null, past]) {
    const row = await q.changeAndRead(asStaff, await q.make(from, { [stamp]: before }), move);
    expect(row[stamp]).toBe(row['now']);
  }
});

it('quoted_by is the caller who priced it, unless staff set it', async () => {
  const priced = { status: 'quoted', ...prices };
  const quote = async (more: object) =>
    q.changeAndRead(asStaff, await q.make('submitted'), { ...priced, ...more });
  expect(await quote({})).toMatchObject({ quoted_by: q.staff.sub });
  const quoted_by = randomUUID();
  expect(await quote({ quoted_by })).toMatchObject({ quoted_by });
  const byKey = await q.make('submitted');
  await asStaff(q.sql, {}, own => update(own, 'quotes', byKey, priced));
  expect(await q.read(byKey)).toMatchObject({ quoted_by: null });
});

it('a customer sets no time without its move, and none when it creates a quote', async () => {
  const times = { submitted_at: past, approved_at: past, created_at: past };
  const other = '1999-01-01';
  const sent = { submitted_at: other, approved_at: null, created_at: other, updated_at: other };
  const row = await q.changeAndRead(asCustomer, await q.make('draft', times), sent);
  expect(row).toMatchObject({ ...times, updated_at: row['now'] });
  const created = await q.read(await q.create({ ...times, updated_at: past }));
  expect(created).toMatchObject({ submitted_at: null, approved_at: null, updated_at: created['created_at'] });
  expect(created['created_at']).not.toBe(past);
});

it('each update has another updated_at, in one microsecond too', async () => {
  const id = await q.make('draft');
  const versions = await asCustomer(q.sql, q.customer, async own => {
    const seen: unknown[] = [];
    for (const company of ['a', 'b', 'c']) {
      await update(own, 'quotes', id, { company });
      seen.push(...(await own`select updated_at::text from builder.quotes where id = ${id}`));
    }
    return seen;
  });
  expect(new Set(versions.map(version => JSON.stringify(version))).size).toBe(3);
});

it('created_by is the caller when left out, and only staff set another user', async () => {
  const id = await q.create();
  expect(await q.read(id)).toMatchObject({ created_by: q.account });
  await expect(q.create({ created_by: randomUUID() })).rejects.toMatchObject(denied);
  for (const created_by of [randomUUID(), null]) {
    await expect(q.change(asCustomer, id, { created_by })).rejects.toMatchObject(denied);
  }
  const other = randomUUID();
  expect(await q.changeAndRead(asStaff, id, { created_by: other })).toMatchObject({ created_by: other });
});

it('only staff set the source admin_created', async () => {
  const source = 'admin_created';
  const refusal = { code: '42501', message: expect.stringContaining('source') };
  await expect(q.create({ source })).rejects.toMatchObject(refusal);
  const id = await q.make('draft');
  await expect(q.change(asCustomer, id, { source })).rejects.toMatchObject(refusal);
  expect(await q.change(asStaff, id, { source })).toBe(1);
  expect(await q.change(asCustomer, id, { sport: 'soccer', source })).toBe(1);
});

/** Open to the customer until the quote is ordered or closed. */
const afterDraft = {
  customer_notes: 'soon',
  contact_name: 'Robin',
  contact_email: 'r@example.com',
  contact_phone: '1',
  company: 'Lions',
  shipping_address: { zip: '1' },
  billing_address: { zip: '2' },
  delivery_method: 'express',
};
const onlyDraft = {
  product_id: randomUUID(),
  design_id: randomUUID(),
  sport: 'soccer',
  customization: { team: 'Tigers' },
  colors: { primary: '#000' },
  roster_count: 2,
  size_breakdown: { M: 2 },
  rush_order: true,
  event_date: '2027-01-01',
  preview_front_url: 'https://f.test',
  preview_back_url: 'http://b.test',
  tool_2d: 't',
  techpack_file: 'p',
  avatar_preview: 'https://a.test/avatar.png',
  account_id: q.team,
  quote_number: 'QT-2026-00002',
  currency: 'EUR',
  source: 'duplicate',
  created_by: q.account,
};
/** The terms of what was approved, which nobody changes. */
const terms = [
  ...[
    'currency',
    'product_id',
    'design_id',
    'sport',
    'customization',
    'colors',
    'roster_count',
    'size_breakdown',
  ],
  'rush_order',
];
/** Columns whose value the database replaces. */
const replaced = ['submitted_at', 'approved_at', 'created_at', 'updated_at'];

it('every column that customers may update is among those tested here', () => {
  const updatable = Object.entries(quotes.columns).filter(([, { privileges }]) =>
    privileges.customer.includes('update'),
  );
  const tested = ['status', ...replaced, ...Object.keys({ ...afterDraft, ...onlyDraft })];
  expect(updatable.map(([name]) => name).sort()).toEqual(tested.sort());
});

it.each([
  ['draft', { ...afterDraft, ...onlyDraft }, {}] as const,
  ...['submitted', 'quoted', 'approved'].map(status => [status, afterDraft, onlyDraft] as const),
  ...['ordered', 'rejected', 'expired', 'cancelled'].map(
    status => [status, {}, { ...onlyDraft, ...afterDraft }] as const,
  ),
])('a customer changes only what is open of a quote that is %s; staff change all', async (status, open, shut) => {
  for (const [name, value] of Object.entries(open)) {
    expect([name, await q.change(asCustomer, await q.make(status), { [name]: value })]).toEqual([name, 1]);
  }
  const id = await q.make(status);
  const before = await q.read(id);
  for (const [name, value] of Object.entries(shut)) {
    const error = await q.change(asCustomer, id, { [name]: value }).catch(error => error);
    expect([name, error]).toMatchObject([name, denied]);
    expect(error.message.match(/\w+/g)).toEqual(expect.arrayContaining([name, status]));
    expect(error.hint ?? '').toMatch(
      ['rejected', 'expired'].includes(status) ? /^Move it to submitted first/ : /^/,
    );
    const named = error.hint?.startsWith('Still') ? error.hint.match(/\w+/g) : Object.keys(open);
    expect(named).toEqual(expect.arrayContaining(Object.keys(open)));
  }
  expect(await q.read(id)).toEqual(before);
  for (const [name, value] of Object.entries(shut)) {
    if (status !== 'approved' || !terms.includes(name)) {
      expect([name, await q.change(asStaffWithVersion, id, { [name]: value })]).toEqual([name, 1]);
    }
  }
});

it('a change together with a move is of columns that are open before it', async () => {
  const id = await q.make('draft');
  expect(await q.change(asCustomer, id, { status: 'submitted', sport: 'soccer' })).toBe(1);
  await expect(q.change(asCustomer, id, { status: 'draft', sport: 'rugby' })).rejects.toMatchObject(denied);
  expect(await q.change(asCustomer, id, { status: 'cancelled', customer_notes: 'too late' })).toBe(1);
});
