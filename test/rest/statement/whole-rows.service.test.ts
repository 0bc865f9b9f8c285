/** PATCH of a row as it was read, as clients send it that send whole rows (Legend-State): what is unchanged is no change. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Reply, representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const priced = {
  status: 'quoted',
  unit_price: 41.5,
  total_price: 622.5,
  expires_at: '2099-01-01T12:00:00.123456Z',
  internal_notes: 'a good customer',
};

/** A new quote as the customer reads it. */
async function newQuote(more: object = priced, owner = account) {
  const { body } = await staff.send('POST', '/quotes?select=id', aQuote(owner, more), representation);
  const path = `/quotes?id=eq.${body[0].id}`;
  const row = (await customer.get(path)).body[0] ?? { id: body[0].id };
  return { path, row };
}
const pathsOf = ({ body }: Reply): string[] => body.issues.map(({ path }: { path: string }) => path);
const notesOf = async (path: string) =>
  (await staff.get(`${path}&select=customer_notes`)).body[0].customer_notes;

describe('a whole row with a change', () => {
  it('is refused with the list of forbidden fields that differ, and writes nothing', async () => {
    const { path, row } = await newQuote();
    const body = { ...row, customer_notes: 'cheap', unit_price: 1, total_price: null };
    const reply = await customer.send('PATCH', path, body);
    expect([reply.status, reply.body.code]).toEqual([403, '42501']);
    expect(pathsOf(reply)).toEqual(['unit_price', 'total_price']);
    expect(await notesOf(path)).toBeNull();
  });
});

const both = { staff, customer };

it.each([
  { name: 'quotes', made: aQuote(account), change: { sport: 'golf' }, callers: both },
  { name: 'graphics', made: aGraphic(), change: { name: 'Bear' }, callers: { staff } },
  { name: 'notifications', made: aNotification(account), change: { dismissed: true }, callers: both },
])('the id of a row is accepted unchanged, and refused as a change, by whoever may write the row: $name', async given => {
  const { name, made, change, callers } = given;
  const [{ id }] = (await staff.send('POST', `/${name}?select=id`, made, representation)).body;
  const path = `/${name}?id=eq.${id}`;
  const other = typeof id === 'number' ? id + 1 : randomUUID();
  for (const caller of Object.values(callers)) {
    for (const values of [{ id: other }, { ...change, id: other }]) {
      expect(await caller.send('PATCH', path, values)).toMatchObject({
        status: 403,
        body: { code: '42501', issues: [{ path: 'id' }] },
      });
    }
    for (const values of [{ id }, { ...change, id }]) {
      expect((await caller.send('PATCH', path, values)).status).toBe(204);
    }
  }
  expect((await staff.get(`${path}&select=id`)).body).toEqual([{ id }]);
});

it('an array of whole rows with their keys is written completely, or refused completely if one row differs', async () => {
  const [one, other] = [await newQuote(), await newQuote()];
  const rows = [one.row, { ...other.row, customer_notes: 'x' }];
  expect((await customer.send('PATCH', '/quotes', rows)).status).toBe(204);
  const [id, otherId] = [one.row.id, other.row.id];
  const send = (...rows: object[]) => customer.send('PATCH', '/quotes', rows);
  const sparse = await send({ id, unit_price: 41.5 }, { id: otherId, customer_notes: 'y' });
  expect(sparse.status).toBe(204);
  const dear = { ...other.row, customer_notes: 'z', unit_price: 1 };
  const reply = await send({ ...one.row, customer_notes: 'z' }, dear);
  expect([reply.status, pathsOf(reply)]).toEqual([403, ['0.unit_price', '1.unit_price']]);
  expect([await notesOf(one.path), await notesOf(other.path)]).toEqual([null, 'y']);
});
