/** The offers of a quote: a row for each set of terms, which stays as it was. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, representation, useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const prices = { unit_price: 20, total_price: 100 };

async function aSubmitted(): Promise<string> {
  const { body } = await customer.send('POST', '/quotes?select=id', aQuote(account), representation);
  await change(customer, body[0].id, { status: 'submitted' });
  return body[0].id;
}

/** Changes a quote in the version that it has now. */
async function change(caller: Caller, id: string, values: object): Promise<void> {
  const etag = (await caller.get(`/quotes?id=eq.${id}`)).headers.get('etag') ?? '';
  const changed = await caller.send('PATCH', `/quotes?id=eq.${id}`, values, { 'if-match': etag });
  expect(changed.status, changed.text).toBe(204);
}

const offersOf = async (caller: Caller, id: string) =>
  (await caller.get(`/quote_offers?quote_id=eq.${id}&order=number`)).body;
const eventsOf = async (id: string) =>
  (await staff.get(`/quote_events?quote_id=eq.${id}&order=id&select=event,offer`)).body;

it('its account and the staff read each offer with its terms, in order', async () => {
  const id = await aSubmitted();
  const preview_front_url = 'https://cdn.test/front.png';
  await change(staff, id, { status: 'quoted', ...prices, preview_front_url });
  await change(staff, id, { total_price: 90 });
  await change(staff, id, { size_breakdown: { M: 5 }, colors: { primary: 'red' } });
  await change(customer, id, { status: 'approved' });
  await change(staff, id, { status: 'ordered' });
  await change(staff, id, { rush_order: true });
  const offers = [
    { number: 1, ...prices, size_breakdown: null, preview_front_url, created_as: 'service' },
    { number: 2, unit_price: 20, total_price: 90, colors: null },
    { number: 3, total_price: 90, size_breakdown: { M: 5 }, colors: { primary: 'red' }, rush_order: false },
    { number: 4, total_price: 90, rush_order: true },
  ];
  expect(await offersOf(customer, id)).toMatchObject(offers);
  expect(await offersOf(staff, id)).toMatchObject(offers);
  expect(await eventsOf(id)).toEqual([
    { event: 'quote.submitted', offer: null },
    { event: 'quote.quoted', offer: 1 },
    { event: 'quote.repriced', offer: 2 },
    { event: 'quote.changed', offer: 3 },
    { event: 'quote.approved', offer: 3 },
    { event: 'quote.ordered', offer: 3 },
    { event: 'quote.amended', offer: 4 },
  ]);
});

it('a draft, and what changes no term, make no offer', async () => {
  const id = await aSubmitted();
  await change(staff, id, { status: 'quoted', ...prices });
  await change(staff, id, { internal_notes: 'margin', estimated_delivery_at: '2027-01-01T12:00:00Z' });
  await change(customer, id, { customer_notes: 'by noon' });
  await change(customer, id, { contact_name: 'Ann' });
  expect(await offersOf(staff, id)).toHaveLength(1);
  expect((await eventsOf(id)).slice(2)).toEqual([{ event: 'quote.changed', offer: 1 }]);
  const { body } = await staff.send('POST', '/quotes?select=id', aQuote(account, prices), representation);
  expect(await offersOf(staff, body[0].id)).toEqual([]);
});

it('nobody writes an offer, and another account reads none', async () => {
  const id = await aSubmitted();
  await change(staff, id, { status: 'quoted', ...prices });
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    const { status } = await staff.send(method, `/quote_offers?quote_id=eq.${id}`, { number: 7 });
    expect(status).toBe(403);
  }
  const stranger = await service.token({ account: randomUUID() });
  const { body } = await customer.get(`/quote_offers?quote_id=eq.${id}`, {
    authorization: `Bearer ${stranger}`,
  });
  expect(body).toEqual([]);
});
