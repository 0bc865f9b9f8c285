/** Offers over HTTP: when one ends, how a customer asks again, and that what was approved is what is ordered. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, type Reply, representation, useCallers } from '../setup/wire.ts';
import { insert } from './roles.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const prices = { unit_price: 20, total_price: 100 };
const priced = { status: 'quoted', ...prices };

const change = (caller: Caller, id: string, values: object, headers = {}): Promise<Reply> =>
  caller.send('PATCH', `/quotes?id=eq.${id}`, values, { ...representation, ...headers });
const read = async (id: string) => (await staff.get(`/quotes?id=eq.${id}`)).body[0];
const etagOf = async (id: string) => ({
  'if-match': (await staff.get(`/quotes?id=eq.${id}`)).headers.get('etag') ?? '',
});
/** What a body names of the quote when its sender has read it. */
const namesOf = async (id: string) => {
  const { updated_at, submitted_at } = await read(id);
  return { updated_at, submitted_at };
};
const eventsOf = async (id: string): Promise<string[]> => {
  const { body } = await staff.get(`/quote_events?quote_id=eq.${id}&order=id`);
  return body.map(({ event }: { event: string }) => event);
};

/** Inserts a quote of the customer as the owner of the database does, who may insert any. */
async function aQuoteThatIs(status: string, more: object = {}): Promise<string> {
  return insert(service.sql, 'quotes', aQuote(account, { status, roster_count: 5, ...prices, ...more }));
}

const submitted = () => aQuoteThatIs('submitted', { unit_price: null, total_price: null });

const upsert = { prefer: 'return=minimal,resolution=merge-duplicates' };

/** The columns that a customer may write, as `select` takes them. */
const ownColumns = (): string =>
  Object.entries(quotes.columns)
    .filter(([, { privileges }]) => privileges.customer.includes('insert'))
    .map(([name]) => name)
    .join();

const expiresAtPath = expect.stringMatching(/^(0\.)?expires_at$/);
const issues = [{ path: expiresAtPath, message: expect.stringContaining('future') }];
const endsTooEarly = { status: 400, body: { code: '23514', issues } };
const refused = { status: 409, body: { code: 'PT409' } };

describe('an offer whose expires_at has passed', () => {
  it('is refused by each way of pricing', async () => {
    const expires_at = new Date().toISOString().slice(0, 10);
    const id = await submitted();
    const offer = { ...priced, expires_at };
    const whole = aQuote(account, { id, ...offer });
    const attempts = [
      () => change(staff, id, offer),
      () => staff.send('PATCH', '/quotes', [{ id, ...offer }]),
      () => staff.send('POST', '/quotes', whole, upsert),
      async () => staff.send('PUT', `/quotes?id=eq.${id}`, whole, await etagOf(id)),
      () => staff.send('POST', '/quotes', aQuote(account, offer)),
    ];
    for (const attempt of attempts) {
      expect(await attempt()).toMatchObject(endsTooEarly);
    }
    expect(await read(id)).toMatchObject({ status: 'submitted', expires_at: null });
    expect(await eventsOf(id)).toEqual(['quote.submitted']);
  });
});

it.each([
  ['approved', 'quoted'],
  ['ordered', 'submitted'],
  ['expired', 'submitted'],
  ['submitted', 'draft'],
])('an offer that replaces another price is approved only by naming it, although it is the first: made as %s, then %s', async (status, next) => {
  const made = await staff.send('POST', '/quotes', aQuote(account, { status, ...prices }), representation);
  const { id } = made.body[0];
  const way = [next, 'submitted', 'quoted'].slice(next === 'quoted' ? 2 : next === 'submitted' ? 1 : 0);
  for (const one of way) {
    const values = one === 'quoted' ? { ...priced, total_price: 5000 } : { status: one };
    expect(await change(staff, id, { ...values, ...(await namesOf(id)) })).toMatchObject({ status: 200 });
  }
  expect(await change(customer, id, { status: 'approved' })).toMatchObject(refused);
  const path = `/quotes?id=eq.${id}&total_price=eq.5000`;
  const named = await customer.send('PATCH', path, { status: 'approved' }, representation);
  expect(named.body[0]).toMatchObject({ status: 'approved', total_price: 5000 });
});

describe('a customer who asks again', () => {
  it.each([
    ['expired', { status: 'submitted', customer_notes: 'ten more' }, 200],
    ['quoted', { status: 'submitted', roster_count: 500 }, 403],
    ['quoted', { status: 'quoted', customer_notes: 'soon' }, 200],
  ])('moves by PUT only what a PATCH moves: a quote that is %s gets %j', async (from, values, status) => {
    const id = await aQuoteThatIs(from);
    const row = (await customer.get(`/quotes?id=eq.${id}&select=${ownColumns()}`)).body[0];
    const put = await customer.send('PUT', `/quotes?id=eq.${id}`, { ...row, ...values }, representation);
    expect(put.status).toBe(status);
  });
});

const terms = [{ total_price: 90 }, { customization: { roster: ['Ann'] } }];

it.each(terms)('what was approved is what is ordered: nobody changes %o by any way', async values => {
  const id = await aQuoteThatIs('approved');
  const before = await read(id);
  const { created_by: _, ...insertable } = { ...before, ...values };
  for (const more of [{}, { status: 'ordered' }, { status: 'draft' }]) {
    const all = { ...values, ...more };
    const attempts = [
      async () => change(staff, id, { ...all, ...(await namesOf(id)) }),
      () => staff.send('PATCH', '/quotes', [{ id, ...all }]),
      () => staff.send('POST', '/quotes', { ...insertable, ...more }, upsert),
      async () => staff.send('PUT', `/quotes?id=eq.${id}`, { ...insertable, ...more }, await etagOf(id)),
    ];
    for (const attempt of attempts) {
      expect(await attempt()).toMatchObject(refused);
    }
  }
  expect(await read(id)).toEqual(before);
  const ordered = { status: 'ordered', fulfillment_status: 'reviewing' };
  expect(await change(staff, id, ordered)).toMatchObject({ status: 200 });
});

it.each(
  terms,
)('an order is corrected only by who names the version, and its customer is notified: %o', async values => {
  const id = await aQuoteThatIs('ordered', { fulfillment_status: 'preparing' });
  const unversioned = [
    () => change(staff, id, values),
    () => change(staff, id, { ...values, status: 'cancelled' }),
    () => staff.send('PATCH', '/quotes', [{ id, ...values }]),
    () => staff.send('PATCH', `/quotes?account_id=eq.${account}&id=in.(${id})`, values),
  ];
  for (const attempt of unversioned) {
    const reply = await attempt();
    expect(reply).toMatchObject(refused);
    expect(reply.body.hint).toMatch(
      /send exactly what you read of updated_at.*, updated_at(, submitted_at)? \}/,
    );
  }
  const leaving = await change(staff, id, { status: 'cancelled', ...values, ...(await namesOf(id)) });
  expect(leaving).toMatchObject(refused);
  expect(await change(staff, id, { ...values, ...(await namesOf(id)) })).toMatchObject({ status: 200 });
  expect(await eventsOf(id)).toEqual(['quote.ordered', 'quote.preparing', 'quote.amended']);
  const [message] = (await customer.get('/notifications?order=id.desc&limit=1')).body;
  expect(message.body).toContain('was corrected by us');
});

it('an offer of a previous account counts, even if an import left it there: approval must name the offer', async () => {
  const id = await aQuoteThatIs('quoted');
  const other = randomUUID();
  await change(staff, id, { total_price: 90, ...(await namesOf(id)) });
  await service.sql`update builder.quote_offers set account_id = ${other} where quote_id = ${id} and number = 1`;
  expect(await change(customer, id, { status: 'approved' })).toMatchObject(refused);
});
