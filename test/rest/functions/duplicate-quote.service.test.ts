/** `POST /rest/v1/rpc/duplicate_quote`. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Caller, representation, signIn, useCallers } from '../../setup/wire.ts';

const path = '/rpc/duplicate_quote';
const account = randomUUID();
const team = randomUUID();
const service = useService();
const { staff } = useCallers(service);
let customer: Caller;
beforeAll(async () => {
  customer = await signIn(service, { account, also: [team] });
});

/** A value of every column that has one in an ordered quote. */
const day = '2020-01-01';
const full = {
  ...aQuote(team, { quote_number: 'QT-2020-00001', status: 'ordered', source: 'csv_import' }),
  ...{ created_by: account, design_id: randomUUID(), colors: { primary: 'red' }, roster_count: 12 },
  ...{
    size_breakdown: { M: 12 },
    preview_front_url: 'https://a.test/f',
    preview_back_url: 'https://a.test/b',
  },
  ...{ avatar_preview: 'https://a.test/avatar.png', customer_notes: 'soon', internal_notes: 'secret' },
  ...{ unit_price: 1, total_price: 12, currency: 'EUR', submitted_at: day, quoted_at: day, approved_at: day },
  ...{ quoted_by: randomUUID(), expires_at: day, created_at: day, updated_at: day, event_date: day },
  ...{ fulfillment_status: 'shipping', estimated_delivery_at: day, contact_name: 'Ann', contact_phone: '1' },
  ...{ contact_email: 'ann@example.com', company: 'Lions', shipping_address: { zip: '1' } },
  ...{ billing_address: { zip: '2' }, rush_order: true, delivery_method: 'express' },
  ...{ tool_2d: 't', techpack_file: 'p' },
};

async function anOrdered(more: object = {}): Promise<Record<string, unknown>> {
  const { status, body } = await staff.send('POST', '/quotes', { ...full, ...more }, representation);
  expect(status).toBe(201);
  return body[0];
}

describe('a duplicate', () => {
  it('is a new draft with the design, roster, contact and addresses, and nothing of the rest', async () => {
    const original = await anOrdered();
    expect(Object.keys(original).filter(name => original[name] === null)).toEqual(['deleted_at']);
    const { status, body, headers } = await customer.send('POST', path, { id: original['id'] });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('etag')).not.toBeNull();
    const kept = Object.keys(body).filter(
      name => JSON.stringify(body[name]) === JSON.stringify(original[name]) && body[name] !== null,
    );
    const made = { status: 'draft', source: 'duplicate', rush_order: false, created_by: account };
    expect(body).toMatchObject(made);
    expect(body.quote_number).toMatch(/^QT-\d{4}-\d{5}$/);
    const empty = [
      ...['unit_price', 'total_price', 'submitted_at', 'quoted_at', 'approved_at', 'expires_at'],
      ...['fulfillment_status', 'estimated_delivery_at', 'deleted_at', 'customer_notes', 'event_date'],
    ];
    expect(empty.filter(name => body[name] !== null)).toEqual([]);
    const own = ['id', 'quote_number', 'status', 'source', 'created_at', 'updated_at', 'rush_order'];
    const others = Object.keys(body).filter(name => !empty.includes(name) && !own.includes(name));
    expect(kept.sort()).toEqual(others.sort());
    expect(body).not.toHaveProperty('internal_notes');
    const { body: stored } = await staff.get(`/quotes?id=eq.${body.id}&select=*`);
    expect(stored).toMatchObject([{ ...body, internal_notes: null, quoted_by: null }]);
  });

  it('is made by staff for the account of the quote', async () => {
    const { id } = await anOrdered();
    const { body } = await staff.send('POST', `${path}?select=account_id,status`, { id });
    expect(body).toEqual({ account_id: team, status: 'draft' });
  });

  it('is made once by requests with one Idempotency-Key', async () => {
    const { id } = await anOrdered();
    const headers = { 'idempotency-key': randomUUID() };
    const send = async () => (await customer.send('POST', path, { id }, headers)).body;
    const replies = [await send(), await send()];
    expect(replies[1]).toEqual(replies[0]);
    const { body } = await customer.get(`/quotes?source=eq.duplicate&id=eq.${replies[0].id}&select=id`);
    expect(body).toHaveLength(1);
  });

  it('costs one message to the database, of which a refused one keeps nothing', async () => {
    const before = (await customer.send('POST', '/rpc/next_quote_number')).body;
    expect((await customer.send('POST', path, { id: randomUUID() })).status).toBe(404);
    const after = (await customer.send('POST', '/rpc/next_quote_number')).body;
    expect(Number(after.slice(-5))).toBe(Number(before.slice(-5)) + 1);
  });
});

describe('duplicate_quote makes no copy', () => {
  it('of a quote that the caller cannot see: a stranger’s, a deleted one, one that never was', async () => {
    const foreign = await anOrdered({ account_id: randomUUID() });
    const deleted = await anOrdered({ deleted_at: '2020-01-01' });
    for (const id of [foreign['id'], deleted['id'], randomUUID()]) {
      for (const headers of [{}, { 'idempotency-key': randomUUID() }] as Record<string, string>[]) {
        const { status, body } = await customer.send('POST', path, { id }, headers);
        expect([status, body.code]).toEqual([404, 'PT404']);
      }
    }
  });

  it('without the one argument, a uuid', async () => {
    for (const argument of [{}, { id: randomUUID(), total_price: 1 }, [{ id: randomUUID() }]]) {
      const { status, body } = await customer.send('POST', path, argument);
      expect([status, body.code]).toEqual([404, 'PGRST202']);
      expect(body.hint).toBe('duplicate_quote takes one argument: { id }.');
    }
    const { status, body } = await customer.send('POST', path, { id: 'QT-2026-00001' });
    expect([status, body.code, body.issues[0].path]).toEqual([400, '22P02', 'id']);
  });

  it('for who is not signed in, or as CSV', async () => {
    const { anon } = useCallers(service);
    const anonymous = await anon.send('POST', path, { id: randomUUID() });
    expect([anonymous.status, anonymous.body.code]).toEqual([401, '42501']);
    const csv = await customer.send('POST', path, { id: randomUUID() }, { accept: 'text/csv' });
    expect([csv.status, csv.body.code]).toEqual([406, 'PGRST107']);
  });
});
