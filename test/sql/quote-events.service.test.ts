/** The history of a quote: a line for each change of what both sides care for, whoever makes it and however. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, callerOf } from '../setup/wire.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from './roles.ts';

const service = useService();
const account = randomUUID();
const clerk = randomUUID();
let sql: Sql;
let customer: Caller;
let staff: Caller;
let program: Caller;
beforeAll(async () => {
  sql = service.sql;
  customer = callerOf(service, service.publishableKey, await service.token({ account }));
  staff = callerOf(service, service.publishableKey, await service.token({ account: clerk, staff: true }));
  program = callerOf(service, service.secretKey);
});

const aDraft = (more: object = {}): Promise<string> => insert(sql, 'quotes', aQuote(account, more));
const change = async (caller: Caller, id: string, values: object) =>
  expect(await caller.send('PATCH', `/quotes?id=eq.${id}`, values)).toMatchObject({ status: 204 });
/** Changes a quote in the version that it has now. */
async function changeAsRead(caller: Caller, id: string, values: object) {
  const etag = (await caller.get(`/quotes?id=eq.${id}`)).headers.get('etag') ?? '';
  expect(await caller.send('PATCH', `/quotes?id=eq.${id}`, values, { 'if-match': etag })).toMatchObject({
    status: 204,
  });
}
const historyOf = async (caller: Caller, id: string) =>
  (await caller.get(`/quote_events?quote_id=eq.${id}&order=id`)).body;
const eventsOf = async (id: string) =>
  (await sql`select event from builder.quote_events where quote_id = ${id} order by id`).map(
    row => row['event'],
  );

const quoted = { status: 'quoted', unit_price: 24.9, total_price: 124.5 };

it('says who moved a quote, from where, and what it cost then', async () => {
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
  expect(
    (await historyOf(staff, id)).map(({ created_as, created_by, staff_id }: Record<string, unknown>) => [
      created_as,
      created_by,
      staff_id,
    ]),
  ).toEqual([
    ['customer', account, null],
    ['staff', null, clerk],
    ['service', null, null],
  ]);
});

it('has a line for each step of the fulfillment, and one for each thing that one request changes', async () => {
  const id = await aDraft({ status: 'ordered', unit_price: 1, total_price: 5 });
  await change(program, id, { fulfillment_status: 'reviewing' });
  await changeAsRead(program, id, { fulfillment_status: 'shipping', currency: 'EUR' });
  await change(program, id, { status: 'cancelled' });
  expect(await eventsOf(id)).toEqual([
    'quote.ordered',
    'quote.reviewing',
    'quote.amended',
    'quote.shipping',
    'quote.cancelled',
  ]);
});

it('has a line for a deletion, and for its undoing', async () => {
  const id = await aDraft();
  expect(await customer.send('DELETE', `/quotes?id=eq.${id}`)).toMatchObject({ status: 204 });
  await sql`update builder.quotes set deleted_at = null where id = ${id}`;
  expect(await eventsOf(id)).toEqual(['quote.deleted', 'quote.restored']);
});

it('is made by the job that expires quotes too, and by psql', async () => {
  const id = await aDraft({ status: 'submitted', expires_at: '2020-01-01T00:00:00Z' });
  await service.sweep();
  await sql`update builder.quotes set status = 'submitted', expires_at = null where id = ${id}`;
  const rows =
    await sql`select event, created_as from builder.quote_events where quote_id = ${id} order by id`;
  expect(rows.map(({ event, created_as }) => [event, created_as])).toEqual([
    ['quote.submitted', 'service'],
    ['quote.expired', 'sweep'],
    ['quote.submitted', 'service'],
  ]);
});

describe('a quote that is created in another status than draft', () => {
  const tellings = async (id: string) =>
    (
      await sql`
        select (select count(*)::integer from builder.notifications n where n.account_id = q.account_id) as notifications,
          (select count(*)::integer from builder.deliveries d join builder.quote_events e on e.id = d.event_id
            where e.quote_id = q.id and d.webhook_id is not null) as calls
        from builder.quotes q where id = ${id}`
    )[0];
  beforeEach(async () => {
    await sql`insert into builder.webhooks (url, secrets) values ('https://hooks.test', '{whsec_x}')`;
  });
  afterEach(async () => {
    await sql`delete from builder.webhooks`;
  });

  it.each([
    'submitted',
    'quoted',
    'approved',
    'ordered',
  ])('has the event of its status, and tells: %s', async status => {
    const owner = randomUUID();
    const row = aQuote(owner, { status, unit_price: 1, total_price: 5 });
    const { body } = await staff.send('POST', '/quotes?select=id', row, { prefer: 'return=representation' });
    const [line, ...others] = await historyOf(staff, body[0].id);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      event: `quote.${status}`,
      status,
      previous_status: null,
      total_price: 5,
      created_as: 'staff',
      staff_id: clerk,
    });
    const isTold = status !== 'approved';
    expect(await tellings(body[0].id)).toEqual({ notifications: isTold ? 1 : 0, calls: 1 });
  });

  it('writes its history and tells nobody when it is an import, by its source or by a quiet session', async () => {
    const imported = await insert(
      sql,
      'quotes',
      aQuote(randomUUID(), { status: 'ordered', total_price: 5, source: 'csv_import' }),
    );
    const quiet = await sql.begin(async transaction => {
      await transaction`set local builder.quiet = 'on'`;
      return insert(transaction, 'quotes', aQuote(randomUUID(), { status: 'ordered', total_price: 5 }));
    });
    for (const id of [imported, quiet]) {
      expect(await eventsOf(id)).toEqual(['quote.ordered']);
      expect(await tellings(id)).toEqual({ notifications: 0, calls: 0 });
    }
    await change(staff, imported, { fulfillment_status: 'shipping' });
    expect(await tellings(imported)).toEqual({ notifications: 1, calls: 1 });
  });

  it('of an upsert has it when it is new, and the move when it is not', async () => {
    const upsert = { prefer: 'resolution=merge-duplicates' };
    const id = randomUUID();
    const row = aQuote(account, { id, status: 'submitted' });
    expect(await staff.send('POST', '/quotes', row, upsert)).toMatchObject({ status: 201 });
    expect(await staff.send('POST', '/quotes', { ...row, status: 'cancelled' }, upsert)).toMatchObject({
      status: 200,
    });
    expect(await eventsOf(id)).toEqual(['quote.submitted', 'quote.cancelled']);
  });
});

describe('an order', () => {
  it('has a line for each correction of what was approved, and its account is told', async () => {
    const owner = randomUUID();
    const id = await insert(
      sql,
      'quotes',
      aQuote(owner, { status: 'ordered', unit_price: 1, total_price: 5 }),
    );
    await changeAsRead(staff, id, { customization: { roster: ['Anne'] }, internal_notes: 'misspelt' });
    await changeAsRead(staff, id, { internal_notes: 'called' });
    await changeAsRead(staff, id, { customization: { roster: ['Anne'] } });
    expect(await eventsOf(id)).toEqual(['quote.ordered', 'quote.amended']);
    const told = await sql`select body from builder.notifications where account_id = ${owner} order by id`;
    expect(told).toHaveLength(2);
  });
});

describe('nothing is written', () => {
  it('when a draft is saved', async () => {
    const id = await aDraft();
    const sizeOf = async () =>
      (
        await sql`select pg_relation_size('builder.quote_events') as size, count(*) from builder.quote_events`
      )[0];
    const before = await sizeOf();
    for (let n = 0; n < 20; n++) {
      await change(customer, id, { customization: { team: 'Lions', n }, roster_count: n, company: `${n}` });
    }
    expect(await sizeOf()).toEqual(before);
  });

  it('when a draft is made', async () => {
    expect(await eventsOf(await aDraft())).toEqual([]);
  });

  it('when a request names what is there already', async () => {
    const id = await aDraft({ status: 'quoted', unit_price: 1, total_price: 5 });
    await change(program, id, { status: 'quoted', unit_price: 1.0, total_price: 5, currency: 'USD' });
    expect(await eventsOf(id)).toEqual(['quote.quoted']);
  });

  it('when a request is repeated with its Idempotency-Key, or fails', async () => {
    const id = await aDraft();
    expect(await customer.send('PATCH', `/quotes?id=eq.${id}`, { status: 'approved' })).toMatchObject({
      status: 409,
    });
    expect(await eventsOf(id)).toEqual([]);
  });
});

describe('nobody', () => {
  it('who is a customer reads another account’s lines, or who of the staff it was', async () => {
    const id = await aDraft();
    await change(staff, id, { status: 'cancelled' });
    const stranger = callerOf(
      service,
      service.publishableKey,
      await service.token({ account: randomUUID() }),
    );
    expect(await historyOf(stranger, id)).toEqual([]);
    const [line] = await historyOf(customer, id);
    expect(line).toMatchObject({ event: 'quote.cancelled', created_as: 'staff', created_by: null });
    expect(JSON.stringify(line)).not.toContain(clerk);
    expect(await customer.get('/quote_events?select=staff_id')).toMatchObject({ status: 403 });
    expect(await customer.get(`/quote_events?staff_id=eq.${clerk}`)).toMatchObject({ status: 403 });
    expect(await callerOf(service, service.publishableKey).get('/quote_events')).toMatchObject({
      status: 401,
    });
  });

  it.each([
    ['POST', '', { quote_id: randomUUID(), event: 'quote.quoted' }],
    ['PATCH', '?id=eq.1', { total_price: 1 }],
    ['DELETE', '?id=eq.1', undefined],
  ])('writes it: %s is 403', async (method, query, body) => {
    for (const caller of [customer, staff, program]) {
      expect(await caller.send(method, `/quote_events${query}`, body)).toMatchObject({
        status: 403,
        body: { code: '42501' },
      });
    }
  });

  it('writes it as a role of the database', async () => {
    const id = await aDraft();
    for (const as of [asCustomer, asStaff]) {
      const denied = { code: '42501' };
      await expect(
        as(sql, claimsOf(account), own => own`delete from builder.quote_events`),
      ).rejects.toMatchObject(denied);
      await expect(
        as(sql, claimsOf(account), own => own`update builder.quote_events set total_price = 1`),
      ).rejects.toMatchObject(denied);
      await expect(
        as(sql, claimsOf(account), own => own`insert into builder.quote_events (quote_id) values (${id})`),
      ).rejects.toMatchObject(denied);
    }
    expect(await update(sql, 'quotes', id, { status: 'submitted' })).toBe(1);
    expect(await eventsOf(id)).toEqual(['quote.submitted']);
  });
});
