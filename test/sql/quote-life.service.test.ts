/** The life of a quote over HTTP: what the database's rules look like to a client. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, type Reply, representation, signIn, useCallers } from '../setup/wire.ts';

const account = randomUUID();
const seller = randomUUID();
const service = useService();
let staff: Caller;
const { customer } = useCallers(service, account);
beforeAll(async () => {
  staff = await signIn(service, { account: seller, staff: true });
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
    expect(body).toMatchObject({
      message: expect.stringContaining('that is rejected'),
      hint: 'Ask again first: move it to submitted.',
    });
  });
});
