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
const rowOf = { quotes: () => aQuote(account), graphics: () => aGraphic() };
type Name = keyof typeof rowOf;
const change = { quotes: { sport: 'golf' }, graphics: { name: 'Bear' } };
const both = ['quotes', 'graphics'] as const;

async function make(name: Name, more: object = {}): Promise<Row> {
  const { body } = await staff.send('POST', `/${name}`, { ...rowOf[name](), ...more }, representation);
  return body[0];
}
const read = async (name: Name, { id }: Row): Promise<Row> =>
  (await staff.get(`/${name}?id=eq.${id}&or=(deleted_at.is.null,deleted_at.not.is.null)`)).body[0];
const deleted = (name: Name) => make(name, { deleted_at: past });

describe('a customer who sets deleted_at', () => {
  const ways = [...replacements, ...changes];
  it.each(ways)('deletes a draft now, whatever the time says: %s', async (_, __, send) => {
    const { id, quote_number } = await make('quotes');
    const values = { deleted_at: past };
    const row = aQuote(account, { quote_number, ...values });
    const reply = await send(customer, { path: '/quotes', values, row, other: {}, id });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    const { deleted_at, updated_at } = await read('quotes', { id });
    expect(deleted_at).toBe(updated_at);
    expect((await customer.get(`/quotes?id=eq.${id}`)).body).toEqual([]);
  });

  it.each(
    ways,
  )('is refused as a DELETE is, where the quote is neither a draft nor closed: %s', async (_, __, send) => {
    const { id, ...row } = await make('quotes', { status: 'submitted' });
    const values = { deleted_at: past };
    const own = { ...row, ...values };
    const { internal_notes: ___, ...sent } = own as Row;
    const reply = await send(customer, { path: '/quotes', values, row: sent, other: {}, id });
    const removal = await customer.send('DELETE', `/quotes?id=eq.${id}`);
    expect([reply.status, reply.body.message]).toEqual([409, removal.body.message]);
  });

  it('restores nothing', async () => {
    const { id } = await deleted('quotes');
    const reply = await customer.send('PATCH', `/quotes?id=eq.${id}`, { deleted_at: null }, representation);
    expect([reply.status, reply.body]).toEqual([200, []]);
    const reached = await customer.send('PATCH', `/quotes?id=eq.${id}&deleted_at=not.is.null`, {
      deleted_at: null,
    });
    expect(reached.status).toBe(403);
  });
});

describe.each(both)('staff who set deleted_at to null in %s', name => {
  const path = `/${name}`;
  it.each<[string, (row: Row) => [query: string, body: unknown, headers?: Record<string, string>]]>([
    ['a filter', ({ id }) => [`?id=eq.${id}`, { deleted_at: null }]],
    ['a list', ({ id }) => [`?id=in.(${id},${randomUUID()})`, { deleted_at: null }]],
    [
      'a filter, with id and updated_at in the body',
      ({ id, updated_at }) => [`?id=eq.${id}`, { id, updated_at, deleted_at: null }],
    ],
    [
      'a filter on id and updated_at',
      ({ id, updated_at }) => [
        `?id=eq.${id}&updated_at=eq.${encodeURIComponent(String(updated_at))}`,
        { deleted_at: null },
      ],
    ],
    ['the rows of an array', ({ id }) => ['', [{ id, deleted_at: null }]]],
    ['a cell of CSV', ({ id }) => ['', `id,deleted_at\n${id},`, csv]],
    ['columns=', ({ id }) => ['?columns=deleted_at', [{ id, name: 'x', deleted_at: null }]]],
  ])('restore the deleted row that %s names', async (_, request) => {
    const row = await deleted(name);
    const [query, body, headers] = request(row);
    const reply = await staff.send('PATCH', path + query, body, headers ?? representation);
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining(String(row['id']))]);
    expect((await staff.get(`${path}?id=eq.${row['id']}`)).body).toMatchObject([{ deleted_at: null }]);
  });

  it('reach no deleted row with another column beside it, or without its id', async () => {
    const row = await deleted(name);
    const { id } = row;
    for (const [query, body] of [
      [`id=eq.${id}`, { deleted_at: null, ...change[name] }],
      [`id=eq.${id}`, change[name]],
      [`id=eq.${id}`, { deleted_at: past }],
      [`created_at=eq.${encodeURIComponent(String(row['created_at']))}`, { deleted_at: null }],
      [
        `id=not.in.(${randomUUID()})&created_at=eq.${encodeURIComponent(String(row['created_at']))}`,
        { deleted_at: null },
      ],
    ] as const) {
      expect((await staff.send('PATCH', `${path}?${query}`, body)).status).toBe(204);
    }
    const keyed = await staff.send('PATCH', path, [{ id, deleted_at: null, ...change[name] }]);
    expect(keyed.status).toBe(404);
    for (const upsert of [
      await staff.send('POST', path, { ...rowOf[name](), id, deleted_at: null }, merge),
      await staff.send('PUT', `${path}?id=eq.${id}`, { ...rowOf[name](), id, deleted_at: null }),
    ]) {
      expect([upsert.status, upsert.body.code]).toEqual([409, '23505']);
    }
    expect(await read(name, row)).toEqual(row);
  });

  it('reach it with a filter on deleted_at, but no time dates its deletion anew', async () => {
    const { id } = await deleted(name);
    const filter = `id=eq.${id}&deleted_at=not.is.null`;
    for (const [method, body] of [
      ['PATCH', { deleted_at: '2020-01-01', ...change[name] }],
      ['DELETE', undefined],
    ] as const) {
      expect((await staff.send(method, `${path}?${filter}`, body, representation)).body).toHaveLength(1);
    }
    const keyed = [{ id, deleted_at: '2020-01-01' }];
    expect((await staff.send('PATCH', `${path}?deleted_at=not.is.null`, keyed)).status).toBe(204);
    expect(await read(name, { id })).toMatchObject({ deleted_at: past, ...change[name] });
  });
});
