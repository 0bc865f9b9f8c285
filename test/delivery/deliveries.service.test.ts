/** Deliveries over HTTP: staff read them, and `POST /rest/v1/rpc/redeliver` sends one again. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf } from '../clients/supabase.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { representation, useCallers } from '../setup/wire.ts';

const service = useService();
const { staff, customer, anon } = useCallers(service);
const path = '/rpc/redeliver';
const account = randomUUID();
let id: number;
beforeAll(async () => {
  const priced = { status: 'quoted', unit_price: 1, total_price: 5, contact_email: 'coach@lions.example' };
  await staff.send('POST', '/quotes', aQuote(account, priced), representation);
  await staff.send('POST', '/notifications', aNotification(account, { channel: 'email' }));
  const [row] = await service.sql`
    update builder.deliveries set state = 'dead', due_at = null, attempts = 3, reason = '550 5.1.1 no such user',
      address = 'coach@lions.example', recipient = 'c…@lions.example'
    where account_id = ${account} and notification_id is not null returning id`;
  id = Number(row?.['id']);
});

it('deliveries are read by staff, with the state, the reason and a masked address', async () => {
  const { status, body, text } = await staff.get(`/deliveries?account_id=eq.${account}&id=eq.${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject([
    {
      id,
      account_id: account,
      kind: 'email',
      state: 'dead',
      attempts: 3,
      reason: '550 5.1.1 no such user',
      recipient: 'c…@lions.example',
      webhook_id: null,
    },
  ]);
  expect(text).not.toContain('coach@');
  expect(Object.keys(body[0])).not.toContain('address');
});

describe('redeliver', () => {
  it('sends nothing if the call is rolled back, or has an Idempotency-Key, which it does not take', async () => {
    const trial = await clientOf(service, service.secretKey).rpc('redeliver', { id }).rollback();
    expect(trial.data).toEqual({ id, state: 'waiting' });
    const keyed = await staff.send('POST', path, { id }, { 'idempotency-key': randomUUID() });
    expect(keyed).toMatchObject({
      status: 400,
      body: { code: 'PT400', details: 'The function redeliver does not take it.' },
    });
    expect(await staff.get(`/deliveries?id=eq.${id}`)).toMatchObject({ body: [{ state: 'dead' }] });
  });

  it('makes a delivery wait for its first attempt again, as supabase-js calls it', async () => {
    const { data, error } = await clientOf(service, service.secretKey).rpc('redeliver', { id });
    expect([data, error]).toEqual([{ id, state: 'waiting' }, null]);
    expect(await staff.get(`/deliveries?id=eq.${id}`)).toMatchObject({
      body: [{ state: 'waiting', attempts: 0, reason: null }],
    });
  });

  it('refuses what is being sent: 409, with what to do', async () => {
    await service.sql`update builder.deliveries set state = 'sending', due_at = now() + interval '1 hour' where id = ${id}`;
    expect(await staff.send('POST', path, { id })).toMatchObject({
      status: 409,
      body: { code: 'PT409', hint: 'Read its state again in a few minutes.' },
    });
  });

  it.each<[unknown, number]>([
    [{ id: 4711 }, 404],
    [{ id: 'many' }, 400],
  ])('with the body %j has the status %i', async (body, status) => {
    expect(await staff.send('POST', path, body)).toMatchObject({ status });
  });

  it('is refused to customers and anonymous callers', async () => {
    expect(await customer.send('POST', path, { id })).toMatchObject({ status: 403, body: { code: '42501' } });
    expect(await anon.send('POST', path, { id })).toMatchObject({ status: 401 });
  });
});
