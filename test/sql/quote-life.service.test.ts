/** The life of a quote over HTTP: what the database's rules look like to a client. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, callerOf, type Reply, representation } from '../setup/wire.ts';

const account = randomUUID();
const seller = randomUUID();
const service = useService();
let customer: Caller;
let staff: Caller;
beforeAll(async () => {
  customer = callerOf(service, service.publishableKey, await service.token({ account }));
  staff = callerOf(service, service.publishableKey, await service.token({ account: seller, staff: true }));
});

async function aDraft(): Promise<string> {
  const { body, status } = await customer.send('POST', '/quotes?select=id', aQuote(account), representation);
  expect(status).toBe(201);
  return body[0].id;
}

const change = (caller: Caller, id: string, values: object): Promise<Reply> =>
  caller.send('PATCH', `/quotes?id=eq.${id}`, values, representation);

const inAMonth = () => new Date(Date.now() + 30 * 86_400_000).toISOString();

async function aQuoted(expires_at = inAMonth()): Promise<string> {
  const id = await aDraft();
  await change(customer, id, { status: 'submitted' });
  const quoted = await change(staff, id, {
    status: 'quoted',
    unit_price: 41.5,
    total_price: 622.5,
    expires_at,
  });
  expect(quoted.status).toBe(200);
  return id;
}

const isRecent = (time: string): boolean => Math.abs(Date.now() - Date.parse(time)) < 60_000;

describe('a quote', () => {
  it('goes from draft to ordered, and the database sets the time of every move', async () => {
    const id = await aDraft();
    const submitted = await change(customer, id, {
      status: 'submitted',
      submitted_at: '2001-01-01T00:00:00Z',
    });
    expect(isRecent(submitted.body[0].submitted_at)).toBe(true);
    const quoted = await change(staff, id, { status: 'quoted', unit_price: 41.5, total_price: 622.5 });
    expect(quoted.body[0]).toMatchObject({ quoted_by: seller, unit_price: 41.5 });
    expect(isRecent(quoted.body[0].quoted_at)).toBe(true);
    const approved = await change(customer, id, { status: 'approved' });
    expect(isRecent(approved.body[0].approved_at)).toBe(true);
    const ordered = await change(staff, id, { status: 'ordered', fulfillment_status: 'preparing' });
    expect(ordered.body[0]).toMatchObject({ status: 'ordered', fulfillment_status: 'preparing' });
  });

  it('refuses a move that its caller may not make: 409 with both statuses and the allowed moves', async () => {
    const id = await aDraft();
    const { status, body } = await change(customer, id, { status: 'ordered' });
    expect(status).toBe(409);
    expect(body).toEqual({
      code: 'PT409',
      message: 'A quote cannot move from draft to ordered',
      details: 'From draft this caller may move it to: cancelled, submitted.',
      hint: null,
    });
  });

  it('cannot be approved after it has expired, even before the sweep', async () => {
    const id = await aQuoted('2026-01-01T00:00:00Z');
    for (const caller of [customer, staff]) {
      const { status, body } = await change(caller, id, { status: 'approved' });
      expect([status, body.code]).toEqual([409, 'PT409']);
      expect(body.message).toContain('after it has expired');
    }
  });

  it('needs its prices to become quoted', async () => {
    const { status, body } = await change(staff, await aDraft(), { status: 'quoted', unit_price: 1 });
    expect([status, body.code]).toEqual([400, '23514']);
    expect(body.message).toContain('a_quoted_quote_has_its_prices');
  });

  it('has a fulfillment status only while it is ordered', async () => {
    const id = await aQuoted();
    expect((await change(staff, id, { fulfillment_status: 'shipping' })).body.code).toBe('23514');
    await change(staff, id, { status: 'ordered', fulfillment_status: 'shipping' });
    expect((await change(staff, id, { status: 'approved' })).body[0].fulfillment_status).toBeNull();
  });

  it('that is submitted accepts notes and contact from its customer, but no other design', async () => {
    const id = await aQuoted();
    const open = { customer_notes: 'soon', contact_email: 'ann@example.com', delivery_method: 'express' };
    expect((await change(customer, id, open)).body[0]).toMatchObject(open);
    const { status, body } = await change(customer, id, { customization: {} });
    expect(status).toBe(403);
    expect(body).toMatchObject({
      code: '42501',
      message: 'permission denied: customization of a quote that is quoted cannot be changed',
      hint: expect.stringContaining('customer_notes'),
    });
  });

  it('that is closed accepts no change', async () => {
    const id = await aQuoted();
    await change(customer, id, { status: 'rejected' });
    const { status, body } = await change(customer, id, { customer_notes: 'wait' });
    expect(status).toBe(403);
    expect(body).toMatchObject({ message: expect.stringContaining('that is rejected'), hint: null });
  });

  it('can be deleted by its customer as a draft or closed, but not in between', async () => {
    const id = await aQuoted();
    const early = await customer.send('DELETE', `/quotes?id=eq.${id}`);
    expect([early.status, early.body.code, early.body.message]).toEqual([
      409,
      'PT409',
      'A quote that is quoted cannot be deleted',
    ]);
    await change(customer, id, { status: 'cancelled' });
    expect((await customer.send('DELETE', `/quotes?id=eq.${id}`)).status).toBe(204);
  });

  it('is created as a draft, and not with the source of staff', async () => {
    const submitted = await customer.send('POST', '/quotes', aQuote(account, { status: 'submitted' }));
    expect([submitted.status, submitted.body.code]).toEqual([409, 'PT409']);
    const posing = await customer.send('POST', '/quotes', aQuote(account, { source: 'admin_created' }));
    expect([posing.status, posing.body.code]).toEqual([403, '42501']);
    const signed = await customer.send('POST', '/quotes', aQuote(account, { created_by: seller }));
    expect([signed.status, signed.body.code]).toEqual([403, '42501']);
  });

  it("cannot be moved to a stranger's account, and a stranger's cannot be overwritten", async () => {
    const id = await aDraft();
    expect((await change(customer, id, { account_id: randomUUID() })).status).toBe(403);
    const foreign = await staff.send('POST', '/quotes?select=id,sport', aQuote(randomUUID()), representation);
    const upsert = await customer.send(
      'POST',
      '/quotes',
      aQuote(account, { id: foreign.body[0].id, sport: 'golf' }),
      {
        prefer: 'resolution=merge-duplicates,return=representation',
      },
    );
    expect([upsert.status, upsert.body.code]).toEqual([409, '23505']);
    const insert = await customer.send('POST', '/quotes', aQuote(account, { id: foreign.body[0].id }));
    expect([insert.status, insert.body.code, insert.body.details]).toEqual([409, '23505', null]);
    expect((await staff.get(`/quotes?select=id,sport&id=eq.${foreign.body[0].id}`)).body).toEqual(
      foreign.body,
    );
  });
});
