/** A price goes with what it is a price of: staff who price what a customer may have changed name what they have read. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Caller, callerOf, type Reply, representation } from '../setup/wire.ts';

const account = randomUUID();
let service: Service;
let customer: Caller;
let staff: Caller;
beforeAll(async () => {
  service = await startService();
  customer = callerOf(service, service.publishableKey, await service.token({ account }));
  staff = callerOf(service, service.secretKey);
});
afterAll(() => service.stop());

const priced = { status: 'quoted', unit_price: 1, total_price: 2 };

async function aDraft(): Promise<string> {
  const { body } = await customer.send('POST', '/quotes?select=id', aQuote(account), representation);
  return body[0].id;
}

const change = (id: string, values: object): Promise<Reply> =>
  customer.send('PATCH', `/quotes?id=eq.${id}`, values);
const price = (id: string, headers = {}, filter = ''): Promise<Reply> =>
  staff.send('PATCH', `/quotes?id=eq.${id}${filter}&select=status`, priced, {
    ...representation,
    ...headers,
  });
const read = (id: string): Promise<Reply> => staff.get(`/quotes?id=eq.${id}&select=updated_at`);

describe('a draft that its customer changed after staff had read it', () => {
  it('cannot be priced without its version: the error says what to do', async () => {
    const id = await aDraft();
    await read(id);
    await change(id, { roster_count: 99 });
    const { status, body } = await price(id);
    expect(status).toBe(409);
    expect(body).toEqual({
      code: 'PT409',
      message:
        'A quote cannot move from draft to quoted unless the request names the version that was priced',
      details: 'It is a draft, which its customer may change at any moment.',
      hint: expect.stringContaining('If-Match'),
    });
  });

  it('cannot be priced with the old ETag, and can with the new one', async () => {
    const id = await aDraft();
    const etag = (await read(id)).headers.get('etag') ?? '';
    await change(id, { roster_count: 99 });
    expect((await price(id, { 'if-match': etag })).status).toBe(412);
    const now = (await read(id)).headers.get('etag') ?? '';
    expect(await price(id, { 'if-match': now })).toMatchObject({ status: 200, body: [{ status: 'quoted' }] });
  });

  it('is not found by the old updated_at, and is by the new one, for clients that send no headers', async () => {
    const id = await aDraft();
    const filter = async () => `&updated_at=eq.${encodeURIComponent((await read(id)).body[0].updated_at)}`;
    const old = await filter();
    await change(id, { roster_count: 99 });
    expect(await price(id, {}, old)).toMatchObject({ status: 200, body: [] });
    expect(await price(id, {}, await filter())).toMatchObject({ status: 200, body: [{ status: 'quoted' }] });
  });
});

describe('a submitted quote', () => {
  it('can be priced without its version if it is unchanged since its only submission', async () => {
    const id = await aDraft();
    await change(id, { status: 'submitted' });
    expect(await price(id)).toMatchObject({ status: 200, body: [{ status: 'quoted' }] });
  });

  it('needs its version if its customer changed it, or withdrew and resubmitted it', async () => {
    const edited = await aDraft();
    const again = await aDraft();
    await change(edited, { status: 'submitted' });
    await change(edited, { customer_notes: 'twice as many' });
    for (const status of ['submitted', 'draft', 'submitted']) {
      await change(again, { status });
    }
    for (const id of [edited, again]) {
      expect(await price(id)).toMatchObject({ status: 409, body: { code: 'PT409' } });
      const etag = (await read(id)).headers.get('etag') ?? '';
      expect((await price(id, { 'if-match': etag })).status).toBe(200);
    }
  });
});
