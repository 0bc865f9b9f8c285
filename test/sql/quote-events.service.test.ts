/** The history of a quote and its offers: a line for each change of what both sides care for, a row for each set of terms. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, signIn, useCallers } from '../setup/wire.ts';
import { insert } from './roles.ts';

const service = useService();
const account = randomUUID();
const clerk = randomUUID();
const { customer, staff: program } = useCallers(service, account);
let sql: Sql;
let staff: Caller;
beforeAll(async () => {
  sql = service.sql;
  staff = await signIn(service, { account: clerk, staff: true });
});

const aDraft = (more: object = {}): Promise<string> => insert(sql, 'quotes', aQuote(account, more));
const change = async (caller: Caller, id: string, values: object) =>
  expect(await caller.send('PATCH', `/quotes?id=eq.${id}`, values)).toMatchObject({ status: 204 });
/** Changes a quote, naming all that names it as it is now. */
async function changeAsRead(caller: Caller, id: string, values: object) {
  const [{ updated_at, submitted_at, quoted_at }] = (await caller.get(`/quotes?id=eq.${id}`)).body;
  const names = { updated_at, submitted_at, quoted_at };
  await change(caller, id, { ...names, ...values });
}
const historyOf = async (caller: Caller, id: string) =>
  (await caller.get(`/quote_events?quote_id=eq.${id}&order=id`)).body;
const eventsOf = async (id: string): Promise<string[]> => {
  const rows = await sql`select event from builder.quote_events where quote_id = ${id} order by id`;
  return rows.map(({ event }) => event);
};

const quoted = { status: 'quoted', unit_price: 24.9, total_price: 124.5 };

it('the history says who moved a quote, from where, and what it cost then', async () => {
  const id = await aDraft();
  await change(customer, id, { status: 'submitted' });
  await change(staff, id, quoted);
  await change(program, id, { total_price: 120 });
  const common = { quote_id: id, account_id: account, currency: 'USD', fulfillment_status: null };
  expect(await historyOf(staff, id)).toMatchObject([
    { ...common, event: 'quote.submitted', previous_status: 'draft', status: 'submitted', total_price: null },
    { ...common, event: 'quote.quoted', previous_status: 'submitted', status: 'quoted', total_price: 124.5 },
    { ...common, event: 'quote.repriced', previous_status: 'quoted', status: 'quoted', total_price: 120 },
  ]);
  expect(await historyOf(staff, id)).toMatchObject([
    { created_as: 'customer', created_by: account, staff_id: null },
    { created_as: 'staff', created_by: null, staff_id: clerk },
    { created_as: 'service', created_by: null, staff_id: null },
  ]);
});

it('the history has what the sweep and psql do, and each deletion and restoration', async () => {
  const id = await aDraft({ status: 'submitted', expires_at: '2020-01-01T00:00:00Z' });
  await service.sweep();
  await sql`update builder.quotes set status = 'submitted', expires_at = null where id = ${id}`;
  await sql`update builder.quotes set deleted_at = now() where id = ${id}`;
  await sql`update builder.quotes set deleted_at = null where id = ${id}`;
  const rows = await sql`
    select event, created_as from builder.quote_events where quote_id = ${id} order by id`;
  expect(rows.map(({ event, created_as }) => [event, created_as])).toEqual([
    ['quote.submitted', 'service'],
    ['quote.expired', 'sweep'],
    ['quote.submitted', 'service'],
    ['quote.deleted', 'service'],
    ['quote.restored', 'service'],
  ]);
});

describe('a quote that is created in another status than draft', () => {
  const toldOf = async (id: string) => {
    const [row] = await sql`
      select (select count(*)::integer from builder.notifications n where n.account_id = q.account_id) as notifications,
        (select count(*)::integer from builder.deliveries d join builder.quote_events e on e.id = d.event_id
          where e.quote_id = q.id and d.webhook_id is not null) as calls
      from builder.quotes q where id = ${id}`;
    return row;
  };
  beforeEach(
    () => sql`insert into builder.webhooks (url, secrets) values ('https://hooks.test', '{whsec_x}')`,
  );
  afterEach(() => sql`delete from builder.webhooks`);
  const ordered = { status: 'ordered', unit_price: 1, total_price: 5 };

  it('has the event of its status, and its account and the webhooks are notified', async () => {
    const row = aQuote(randomUUID(), ordered);
    const { body } = await staff.send('POST', '/quotes?select=id', row, { prefer: 'return=representation' });
    const line = { event: 'quote.ordered', previous_status: null, total_price: 5, created_as: 'staff' };
    expect(await historyOf(staff, body[0].id)).toMatchObject([{ ...line, staff_id: clerk }]);
    expect(await toldOf(body[0].id)).toEqual({ notifications: 1, calls: 1 });
  });

  it('has only its history when it is an import, by its source or by a quiet session', async () => {
    const imported = await insert(sql, 'quotes', aQuote(randomUUID(), { ...ordered, source: 'csv_import' }));
    const quiet = await sql.begin(async transaction => {
      await transaction`set local builder.quiet = 'on'`;
      return insert(transaction, 'quotes', aQuote(randomUUID(), ordered));
    });
    for (const id of [imported, quiet]) {
      expect(await eventsOf(id)).toEqual(['quote.ordered']);
      expect(await toldOf(id)).toEqual({ notifications: 0, calls: 0 });
    }
    await change(staff, imported, { fulfillment_status: 'shipping' });
    expect(await toldOf(imported)).toEqual({ notifications: 1, calls: 1 });
  });

  it('by its customer as submitted is no import, whatever its source', async () => {
    const row = aQuote(account, { status: 'submitted', source: 'csv_import' });
    const { body } = await customer.send('POST', '/quotes?select=id', row, {
      prefer: 'return=representation',
    });
    expect(await historyOf(staff, body[0].id)).toMatchObject([
      { event: 'quote.submitted', previous_status: null, created_as: 'customer' },
    ]);
    expect(await toldOf(body[0].id)).toMatchObject({ calls: 1 });
  });

  it('by an upsert has it when it is new, and the move when it is not', async () => {
    const upsert = { prefer: 'resolution=merge-duplicates' };
    const row = aQuote(account, { id: randomUUID(), status: 'submitted' });
    await staff.send('POST', '/quotes', row, upsert);
    await staff.send('POST', '/quotes', { ...row, status: 'cancelled' }, upsert);
    expect(await eventsOf(String(Reflect.get(row, 'id')))).toEqual(['quote.submitted', 'quote.cancelled']);
  });
});

it('its account and the staff read each offer with its terms, in order', async () => {
  const id = await aDraft();
  const prices = { unit_price: 20, total_price: 100 };
  const preview_front_url = 'https://cdn.test/front.png';
  await changeAsRead(customer, id, { status: 'submitted' });
  await changeAsRead(program, id, { status: 'quoted', ...prices, preview_front_url });
  await changeAsRead(program, id, { total_price: 90 });
  await changeAsRead(program, id, { size_breakdown: { M: 5 }, colors: { primary: 'red' } });
  await changeAsRead(customer, id, { status: 'approved' });
  await changeAsRead(program, id, { status: 'ordered' });
  await changeAsRead(program, id, { rush_order: true });
  for (const caller of [customer, program]) {
    expect((await caller.get(`/quote_offers?quote_id=eq.${id}&order=number`)).body).toMatchObject([
      { number: 1, ...prices, size_breakdown: null, preview_front_url, created_as: 'service' },
      { number: 2, unit_price: 20, total_price: 90, colors: null },
      { number: 3, total_price: 90, size_breakdown: { M: 5 }, colors: { primary: 'red' }, rush_order: false },
      { number: 4, total_price: 90, rush_order: true },
    ]);
  }
  const events = 'submitted quoted repriced changed approved ordered amended'.split(' ');
  const offers = [null, 1, 2, 3, 3, 3, 4];
  expect(await historyOf(program, id)).toMatchObject(
    events.map((event, n) => ({ event: `quote.${event}`, offer: offers[n] })),
  );
});

it('the history and the offers move with a quote to another account', async () => {
  const other = randomUUID();
  const id = await aDraft({ status: 'quoted', unit_price: 1, total_price: 5 });
  await changeAsRead(staff, id, { account_id: other });
  const owner = await signIn(service, { account: other });
  for (const table of ['quote_events', 'quote_offers']) {
    expect((await customer.get(`/${table}?quote_id=eq.${id}`)).body).toEqual([]);
    expect((await owner.get(`/${table}?quote_id=eq.${id}`)).body).toMatchObject([{ account_id: other }]);
  }
});
