/** `deleted_at` as clients use it: a time deletes, null restores. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../setup/collection-rows.ts';
import { aGraphic, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { changes, csv, merge, replacements } from '../../setup/ways.ts';
import { representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const past = '2001-02-03T04:05:06+00:00';
const path = '/quotes';
const change = { sport: 'golf' };

async function make(more: object = {}): Promise<Row> {
  const { body } = await staff.send('POST', path, aQuote(account, more), representation);
  return body[0];
}
const read = async ({ id }: Row): Promise<Row> =>
  (await staff.get(`${path}?id=eq.${id}&or=(deleted_at.is.null,deleted_at.not.is.null)`)).body[0];
const deleted = () => make({ deleted_at: past });

describe('a customer who sets deleted_at', () => {
  const ways = [...replacements.slice(0, 1), ...changes.slice(0, 2)];
  it.each(ways)('deletes a draft now, whatever the time says: %s', async (_, __, send) => {
    const { id, quote_number } = await make();
    const values = { deleted_at: past };
    const row = aQuote(account, { quote_number, ...values });
    const reply = await send(customer, { path: '/quotes', values, row, other: {}, id });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    const { deleted_at, updated_at } = await read({ id });
    expect(deleted_at).toBe(updated_at);
    expect((await customer.get(`/quotes?id=eq.${id}`)).body).toEqual([]);
  });

  it.each(
    ways,
  )('is refused as a DELETE is, where the quote is neither a draft nor closed: %s', async (_, __, send) => {
    const { id, ...row } = await make({ status: 'submitted' });
    const values = { deleted_at: past };
    const own = { ...row, ...values };
    const { internal_notes: ___, ...sent } = own as Row;
    const reply = await send(customer, { path: '/quotes', values, row: sent, other: {}, id });
    const removal = await customer.send('DELETE', `/quotes?id=eq.${id}`);
    expect([reply.status, reply.body.message]).toEqual([409, removal.body.message]);
  });

  it('restores nothing', async () => {
    const { id } = await deleted();
    const reply = await customer.send('PATCH', `/quotes?id=eq.${id}`, { deleted_at: null }, representation);
    expect([reply.status, reply.body]).toEqual([200, []]);
    const reached = await customer.send('PATCH', `/quotes?id=eq.${id}&deleted_at=not.is.null`, {
      deleted_at: null,
    });
    expect(reached.status).toBe(403);
  });
});

describe('staff who set deleted_at to null', () => {
  it.each<[string, (row: Row) => [query: string, body: unknown, headers?: Record<string, string>]]>([
    ['a filter', ({ id }) => [`?id=eq.${id}`, { deleted_at: null }]],
    ['a list', ({ id }) => [`?id=in.(${id},${randomUUID()})`, { deleted_at: null }]],
    ['the rows of an array', ({ id }) => ['', [{ id, deleted_at: null }]]],
    ['a cell of CSV', ({ id }) => ['', `id,deleted_at\n${id},`, csv]],
    ['columns=', ({ id }) => ['?columns=deleted_at', [{ id, name: 'x', deleted_at: null }]]],
  ])('restore the deleted row that %s names', async (_, request) => {
    const row = await deleted();
    const [query, body, headers] = request(row);
    const reply = await staff.send('PATCH', path + query, body, headers ?? representation);
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining(String(row['id']))]);
    expect((await staff.get(`${path}?id=eq.${row['id']}`)).body).toMatchObject([{ deleted_at: null }]);
  });

  it('reach no deleted row with another column beside it, or without its id', async () => {
    const row = await deleted();
    const { id } = row;
    for (const [query, body] of [
      [`id=eq.${id}`, { deleted_at: null, ...change }],
      [`id=eq.${id}`, change],
      [`id=eq.${id}`, { deleted_at: past }],
      [`created_at=eq.${encodeURIComponent(String(row['created_at']))}`, { deleted_at: null }],
    ] as const) {
      expect((await staff.send('PATCH', `${path}?${query}`, body)).status).toBe(204);
    }
    const keyed = await staff.send('PATCH', path, [{ id, deleted_at: null, ...change }]);
    expect(keyed.status).toBe(404);
    for (const upsert of [
      await staff.send('POST', path, { ...aQuote(account), id, deleted_at: null }, merge),
      await staff.send('PUT', `${path}?id=eq.${id}`, { ...aQuote(account), id, deleted_at: null }),
    ]) {
      expect([upsert.status, upsert.body.code]).toEqual([409, '23505']);
    }
    expect(await read(row)).toEqual(row);
  });

  it('reach it with a filter on deleted_at, but no time dates its deletion anew', async () => {
    const { id } = await deleted();
    const filter = `id=eq.${id}&deleted_at=not.is.null`;
    for (const [method, body] of [
      ['PATCH', { deleted_at: '2020-01-01', ...change }],
      ['DELETE', undefined],
    ] as const) {
      expect((await staff.send(method, `${path}?${filter}`, body, representation)).body).toHaveLength(1);
    }
    const keyed = [{ id, deleted_at: '2020-01-01' }];
    expect((await staff.send('PATCH', `${path}?deleted_at=not.is.null`, keyed)).status).toBe(204);
    expect(await read({ id })).toMatchObject({ deleted_at: past, ...change });
  });
});

it('a graphic that is deleted releases its code, and is restored only where no other has taken it', async () => {
  const { id, ...graphic } = (await staff.send('POST', '/graphics', aGraphic(), representation)).body[0];
  const again = aGraphic({ code: graphic.code });
  expect((await staff.send('POST', '/graphics', again)).status).toBe(409);
  await staff.send('DELETE', `/graphics?id=eq.${id}`);
  expect((await staff.get(`/graphics?id=eq.${id}`)).body).toEqual([]);
  expect((await staff.send('POST', '/graphics', again)).status).toBe(201);
  const restore = () => staff.send('PATCH', `/graphics?id=eq.${id}`, { deleted_at: null });
  expect((await restore()).status).toBe(409);
  await staff.send('DELETE', `/graphics?code=eq.${graphic.code}`);
  expect((await restore()).status).toBe(204);
});
