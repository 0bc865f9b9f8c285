/** Which columns of a quote its customer may change in which status, and which the database sets itself. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import { prices, useQuotes } from './quotes.ts';
import { type As, asCustomer, asStaff, asStaffWithVersion, update } from './roles.ts';

const q = useQuotes();
beforeEach(() => q.sql`truncate builder.quotes cascade`);

const past = '2001-02-03T04:05:06.789012+00:00';
const denied = { code: '42501' };
const moves = [
  ['submitted_at', 'draft', { status: 'submitted' }],
  ['approved_at', 'quoted', { status: 'approved' }],
] as const;

/** Of two times in Postgres's spelling. */
const isAfter = (time: unknown, other: unknown): boolean =>
  new Date(String(time)).getTime() >= new Date(String(other)).getTime();

it.each(moves)('%s is the clock of the database, whatever a customer sends', async (stamp, from, move) => {
  for (const sent of [{}, { [stamp]: past }, { [stamp]: null }]) {
    const row = await q.changeAndRead(asCustomer, await q.make(from), { ...move, ...sent });
    expect(row[stamp]).toBe(row['updated_at']);
    expect(isAfter(row[stamp], row['now'])).toBe(true);
  }
});

it.each([
  ...moves,
  ['quoted_at', 'submitted', { status: 'quoted', ...prices }] as const,
])('%s may be supplied by staff', async (stamp, from, move) => {
  const since = { updated_at: '2000-01-01T00:00:00+00:00', quoted_at: '2000-01-01T00:00:00+00:00' };
  const supplied = await q.changeAndRead(asStaff, await q.make(from, since), { ...move, [stamp]: past });
  expect(supplied[stamp]).toBe(past);
  for (const before of [null, past]) {
    const row = await q.changeAndRead(asStaff, await q.make(from, { [stamp]: before }), move);
    expect(row[stamp]).toBe(row['updated_at']);
  }
});

it('a stamp goes with what it says: back to a draft or submitted, with the prices, or to another offer', async () => {
  const stamped = {
    ...{ submitted_at: past, quoted_at: past, approved_at: past, quoted_by: randomUUID() },
    expires_at: '2999-01-01T00:00:00+00:00',
  };
  const gone = { unit_price: null, total_price: null, quoted_at: null, quoted_by: null };
  const move = async (as: As, from: string, values: object) =>
    q.changeAndRead(as, await q.make(from, stamped), values);
  for (const [from, to] of [
    ['expired', 'draft'],
    ['quoted', 'submitted'],
  ] as const) {
    const moved = await move(asCustomer, from, { status: to });
    expect(moved).toMatchObject({ ...gone, approved_at: null, expires_at: null });
  }
  const submitted = await move(asCustomer, 'draft', { status: 'submitted' });
  expect(submitted).toMatchObject({ ...gone, expires_at: stamped.expires_at });
  expect(await move(asStaff, 'submitted', { unit_price: null, total_price: null })).toMatchObject(gone);
  const lowered = await move(asStaff, 'submitted', { unit_price: null });
  expect(lowered).toMatchObject({ quoted_at: lowered['updated_at'] });
  const requoted = await move(asStaffWithVersion, 'approved', { status: 'quoted', ...prices });
  expect(requoted).toMatchObject({ approved_at: null, quoted_at: requoted['updated_at'] });
  const currency = await q.changeAndRead(
    asStaff,
    await q.make('submitted', { unit_price: null, total_price: null }),
    { currency: 'CAD' },
  );
  expect(currency).toMatchObject({ quoted_at: null, quoted_by: null });
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
  expect(row).toMatchObject(times);
  expect(isAfter(row['updated_at'], row['now'])).toBe(true);
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
  preview_front_url: 'https://f.test',
  preview_back_url: 'http://b.test',
  avatar_preview: 'https://a.test/avatar.png',
  customer_notes: 'soon',
  contact_name: 'Robin',
  contact_email: 'r@example.com',
  contact_phone: '1',
  company: 'Lions',
  shipping_address: { zip: '1' },
  billing_address: { zip: '2' },
  delivery_method: 'express',
};
/** Open to the customer until the quote is quoted. */
const untilQuoted = { tool_2d: 't', techpack_file: 'p' };
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
  account_id: q.team,
  quote_number: 'QT-2026-00002',
  currency: 'EUR',
  source: 'duplicate',
  created_by: q.account,
};
/** The terms of what was approved, which nobody changes. */
const readTerms = async (): Promise<string[]> => {
  const columns = await q.sql`
    select attname from pg_attribute where attrelid = 'builder.terms'::regclass and attnum > 0 and not attisdropped`;
  return columns.map(({ attname }) => attname);
};
/** Columns whose value the database replaces. */
const replaced = ['submitted_at', 'approved_at', 'created_at', 'updated_at', 'deleted_at'];

it('every column is in one list of sql/code/quote-columns.sql, which decides its grants, and who changes it when', async () => {
  const columns = await q.sql`select name from builder.quote_columns()`;
  expect(columns.map(({ name }) => name).sort()).toEqual(Object.keys(quotes.columns).sort());
});

it('every column that customers may update is among those tested here', () => {
  const updatable = Object.entries(quotes.columns).filter(([, { privileges }]) =>
    privileges.customer.includes('update'),
  );
  const tested = ['status', ...replaced, ...Object.keys({ ...afterDraft, ...untilQuoted, ...onlyDraft })];
  expect(updatable.map(([name]) => name).sort()).toEqual(tested.sort());
});

it.each([
  ['draft', { ...afterDraft, ...untilQuoted, ...onlyDraft }, {}] as const,
  ['submitted', { ...afterDraft, ...untilQuoted }, onlyDraft] as const,
  ...['quoted', 'approved'].map(status => [status, afterDraft, { ...untilQuoted, ...onlyDraft }] as const),
  ...['ordered', 'rejected', 'expired', 'cancelled'].map(
    status => [status, {}, { ...onlyDraft, ...untilQuoted, ...afterDraft }] as const,
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
    expect(error.hint.match(/\w+/g) ?? []).toEqual(expect.arrayContaining(Object.keys(open)));
    if (['submitted', 'rejected', 'expired'].includes(status)) {
      expect(error.hint).toContain(`.update({ status: 'draft', ${name} })`);
      expect(await q.change(asCustomer, await q.make(status), { status: 'draft', [name]: value })).toBe(1);
    }
  }
  expect(await q.read(id)).toEqual(before);
  const terms = status === 'approved' ? await readTerms() : [];
  for (const [name, value] of Object.entries(shut)) {
    if (!terms.includes(name)) {
      expect([name, await q.change(asStaffWithVersion, id, { [name]: value })]).toEqual([name, 1]);
    }
  }
});
