/** The moves of a quote, as the database allows them to everyone who writes. The diagram in the README has them. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { untilBlocked } from '../setup/locks.ts';
import { blocksOf } from '../setup/readmes.ts';
import { prices, statuses, useQuotes } from './quotes.ts';
import { asCustomer, asStaff, asStaffWithVersion, update } from './roles.ts';

const q = useQuotes();
beforeEach(() => q.sql`truncate builder.quotes cascade`);

const [diagram] = blocksOf('mermaid', 'README.md');
const arrows = [...(diagram?.text ?? '').matchAll(/^ +(\S+) --> (\w+)(?:: (\w+))?$/gm)].map(
  ([, from = '', to = '', by = 'customer']) => ({ from, to, by }),
);
const movesOf = (mover: string): string[] => {
  const moves = arrows.filter(({ by, from }) => by === mover && from !== '[*]');
  return moves.map(({ from, to }) => `${from} ${to}`).sort();
};
const past = '2001-02-03T04:05:06.789012+00:00';
const mentioned = (text: string): string[] => text.match(new RegExp(statuses.join('|'), 'g')) ?? [];

it('every line of the diagram is understood, and staff have the moves of pricing and ordering', () => {
  expect(diagram?.text.trim().split('\n')).toHaveLength(arrows.length + 1);
  expect(movesOf('staff')).toEqual(['approved ordered', 'submitted quoted']);
  expect(new Set(arrows.map(({ by }) => by))).toEqual(new Set(['customer', 'staff', 'sweep']));
});

it('the sweep expires quotes in the statuses that the diagram says', async () => {
  const due = await Promise.all(statuses.map(async status => [status, await q.make(status)] as const));
  await q.sql`update builder.quotes set expires_at = now()`;
  await q.sql`select builder.expire_quotes(100)`;
  const expired = await q.sql<{ id: string }[]>`select id from builder.quotes where status = 'expired'`;
  const swept = due.filter(([status, id]) => status !== 'expired' && expired.some(row => row.id === id));
  expect(swept.map(([status]) => `${status} expired`).sort()).toEqual(movesOf('sweep'));
});

it.each(statuses)('a customer moves a quote that is %s only as the diagram says', async from => {
  const own = movesOf('customer').filter(move => move.startsWith(`${from} `));
  const id = await q.make(from);
  for (const to of statuses.filter(status => status !== from)) {
    if (own.includes(`${from} ${to}`)) {
      const moved = await q.changeAndRead(asCustomer, await q.make(from), { status: to });
      expect(moved).toMatchObject({ status: to });
    } else {
      const error = await q.change(asCustomer, id, { status: to }).catch(error => error);
      expect(error).toMatchObject({ code: 'PT409' });
      expect(mentioned(error.message)).toEqual([from, to]);
      expect(mentioned(error.detail)).toEqual([from, ...own.map(move => move.split(' ')[1])]);
    }
  }
  expect(await q.read(id)).toMatchObject({ status: from });
});

it('a customer creates quotes only as drafts, or as submitted with the clock of the database', async () => {
  const created = await q.read(await q.create({ status: 'submitted', submitted_at: past }));
  expect(created['submitted_at']).toBe(created['created_at']);
  for (const status of statuses.slice(2)) {
    const message = expect.stringContaining(status);
    await expect(q.create({ status })).rejects.toMatchObject({ code: 'PT409', message });
  }
});

it('a role that has the privileges of customers, and is neither staff nor the owner, obeys the rules of customers', async () => {
  const name = `support_${q.account.replaceAll('-', '')}`;
  await q.sql.unsafe(`create role ${name} in role builder_customer`);
  onTestFinished(async () => void (await q.sql.unsafe(`drop role ${name}`)));
  const change = (id: string, values: object) =>
    asCustomer(q.sql, q.customer, async own => {
      await own`select set_config('role', ${name}, true)`;
      return await update(own, 'quotes', id, { ...values });
    });
  const id = await q.make('submitted');
  await expect(change(id, { status: 'ordered' })).rejects.toMatchObject({ code: 'PT409' });
  await expect(change(id, { sport: 'golf' })).rejects.toMatchObject({ code: '42501' });
  expect(await change(id, { status: 'cancelled', submitted_at: past })).toBe(1);
  expect((await q.read(id))['submitted_at']).not.toBe(past);
  const events = q.sql`select created_as from builder.quote_events where quote_id = ${id} order by id desc limit 1`;
  expect(await events).toEqual([{ created_as: 'customer' }]);
});

it.each(
  statuses,
)('staff who name the version they have read may put a quote that is %s in any status', async from => {
  for (const to of statuses) {
    const move = { status: to, ...(to === 'quoted' && prices) };
    const moved = await q.changeAndRead(asStaffWithVersion, await q.make(from), move);
    expect(moved).toMatchObject({ status: to });
  }
});

it.each([
  ['staff withdraw the offer', { status: 'submitted' }, { status: 'submitted' }],
  ['staff change the price', { total_price: 1000 }, { status: 'quoted', total_price: 1000 }],
])('a customer who approves while %s waits, and is refused', async (_, values, after) => {
  const id = await q.make('quoted');
  const { approving } = await asStaff(q.sql, q.staff, async own => {
    await update(own, 'quotes', id, values);
    const approving = q.change(asCustomer, id, { status: 'approved' }).catch(error => error);
    await untilBlocked(q);
    return { approving };
  });
  expect(await approving).toMatchObject({ code: 'PT409' });
  expect(await q.read(id)).toMatchObject(after);
});

describe('for every caller', () => {
  it('a half-typed contact_email is refused when a quote leaves the draft, or changes after that', async () => {
    const wrong = { code: '23514', constraint_name: 'contact_email_is_one_address' };
    const contact_email = 'rob';
    await expect(q.create({ status: 'submitted', contact_email })).rejects.toMatchObject(wrong);
    const id = await q.create({ contact_email });
    await expect(q.change(asCustomer, id, { status: 'submitted' })).rejects.toMatchObject(wrong);
    expect(await q.change(asCustomer, id, { status: 'cancelled' })).toBe(1);
    const submitted = await q.make('submitted');
    await expect(q.change(asCustomer, submitted, { contact_email })).rejects.toMatchObject(wrong);
    expect(await q.change(asCustomer, submitted, { status: 'draft', contact_email })).toBe(1);
  });

  it('a price is a number that is not negative', async () => {
    for (const price of ['NaN', 'Infinity', '-1']) {
      await expect(q.make('draft', { unit_price: price })).rejects.toMatchObject({ code: '23514' });
      await expect(q.make('draft', { total_price: price })).rejects.toMatchObject({ code: '23514' });
    }
  });

  it('only an ordered quote has a fulfillment_status, and leaving that status clears it', async () => {
    const preparing = { fulfillment_status: 'preparing' };
    for (const status of statuses.filter(status => status !== 'ordered')) {
      await expect(q.make(status, preparing)).rejects.toMatchObject({ code: '23514' });
      const ordered = await q.make('ordered', { fulfillment_status: 'shipping' });
      const leaving = { status, ...preparing, ...(status === 'quoted' && prices) };
      const left = await q.changeAndRead(asStaffWithVersion, ordered, leaving);
      expect(left).toMatchObject({ status, fulfillment_status: null });
    }
  });
});
