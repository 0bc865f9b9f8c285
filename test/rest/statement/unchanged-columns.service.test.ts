/** What changes nothing is no offence: columns that their caller may not write are accepted with the values that the row has or gets. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Collection } from '../../../schema/collection.ts';
import { graphics } from '../../../schema/graphics.ts';
import { notifications } from '../../../schema/notifications.ts';
import { quotes } from '../../../schema/quotes.ts';
import { may, newRow, type Row } from '../../setup/collection-rows.ts';
import { untilBlocked } from '../../setup/locks.ts';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { changes, inserts, merge, replacements } from '../../setup/ways.ts';
import { type Reply, representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);
const callers = { staff, customer };

const time = '2099-01-01T12:00:00.123456+00:00';
/** Values of the columns that a new quote may lack. */
const priced = { status: 'quoted', unit_price: 41.5, total_price: 622.5, expires_at: time };
const full = {
  ...{ design_id: randomUUID(), colors: { primary: '#fff' }, roster_count: 2, size_breakdown: { M: 2 } },
  ...{ preview_front_url: 'https://a.test/f', preview_back_url: 'https://a.test/b', customer_notes: 'x' },
  ...{ internal_notes: 'a good customer', contact_name: 'Ann', contact_email: 'ann@example.com' },
  ...{ contact_phone: '1', company: 'Lions', shipping_address: { zip: 1 }, billing_address: { zip: '2' } },
  ...{ event_date: '2027-01-01', delivery_method: 'express', tool_2d: 't', techpack_file: 'p' },
  ...{ avatar_preview: 'https://a.test/a', estimated_delivery_at: time, created_by: account },
};
const ordered = { ...full, ...priced, status: 'ordered', fulfillment_status: 'shipping' };
const cancelled = { ...full, status: 'cancelled', source: 'admin_created', created_by: null };

/** Each way writes a quote in each status, over the callers: closed for its customer, priced, and open. */
const rows: [of: Collection, audience: 'customer' | 'staff', more: Row][] = [
  [quotes, 'customer', { ...full, ...priced }],
  [quotes, 'customer', cancelled],
  [quotes, 'staff', ordered],
  [graphics, 'staff', { tags: ['a'], width: 1, description: 'x', created_by: account }],
  [notifications, 'staff', { link: '/quotes/1', channel: 'email' }],
  [notifications, 'customer', { link: '/quotes/1', channel: 'email' }],
];
const cases = rows.flatMap(([collection, audience, more]) => {
  const ways = may(collection, audience, 'insert') ? [...replacements, ...changes] : changes;
  return ways.map(([way, , send]) => ({
    title: `${way} of ${collection.name} by ${audience}: ${more['status'] ?? 'a row'}`,
    ...{ collection, audience, more, send },
  }));
});

describe('a row that was just read is accepted unchanged', () => {
  it.each(cases)('$title', async ({ collection, audience, more, send }) => {
    const path = `/${collection.name}`;
    const made = await staff.send(
      'POST',
      `${path}?select=id`,
      newRow(collection, account, more),
      representation,
    );
    const read = async () => (await callers[audience].get(`${path}?id=eq.${made.body[0].id}`)).body[0];
    const { id, ...row }: Row = await read();
    const { updated_at: _, ...values } = row;
    const reply = await send(callers[audience], { path, values, row: values, other: {}, id });
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    expect(await read()).toMatchObject(values);
  });
});

const pathsOf = ({ body }: Reply): string[] => body.issues.map(({ path }: { path: string }) => path);
const withheld = Object.entries(quotes.columns).flatMap(([name, { privileges }]) =>
  privileges.customer.some(privilege => privilege === 'insert') ? [] : [name],
);

/** A new quote, as its customer reads it. */
async function newQuote(more: Row = priced, owner = account): Promise<Row> {
  const quote = aQuote(owner, { internal_notes: 'a good customer', ...more });
  const { body } = await staff.send('POST', '/quotes?select=id', quote, representation);
  return (await customer.get(`/quotes?id=eq.${body[0].id}`)).body[0] ?? body[0];
}
const stored = async ({ id }: Row): Promise<Row> => (await staff.get(`/quotes?id=eq.${id}`)).body[0];

describe('a new quote of a customer', () => {
  it.each(inserts)('may have null in the columns that only staff write: %s', async (_, __, send) => {
    expect(withheld).toEqual(expect.arrayContaining(['internal_notes', 'total_price', 'deleted_at']));
    // A form has no null but the empty text, which a text may be.
    const nulls = withheld.filter(name => name !== 'internal_notes' || send !== inserts[3]?.[2]);
    const row = aQuote(account, Object.fromEntries(nulls.map(name => [name, null])));
    const reply = await send(customer, { path: '/quotes', values: {}, row, other: row, id: null });
    expect(reply.status, reply.text).toBe(201);
  });

  it.each([
    ['unit_price', 1],
    ['total_price', 0],
    ['internal_notes', ''],
    ['deleted_at', time],
    ['quoted_by', account],
  ])('is refused with another value, at its field: %s', async (name, value) => {
    const rows = [aQuote(account, { [name]: null }), aQuote(account, { [name]: value })];
    const reply = await customer.send('POST', '/quotes', rows);
    expect([reply.status, reply.body.code, pathsOf(reply)]).toEqual([403, '42501', [`1.${name}`]]);
  });

  it('may be a copy of a row without a price; the hint for one with a price names the function that copies', async () => {
    const { id: _, created_at: __, updated_at: ___, ...row } = await newQuote({});
    const copy = { ...row, source: 'duplicate', quote_number: 'QT-2026-00002' };
    expect((await customer.send('POST', '/quotes', copy)).status).toBe(201);
    const reply = await customer.send('POST', '/quotes', { ...copy, unit_price: 1, total_price: 2 });
    expect([reply.status, reply.body.hint]).toEqual([403, expect.stringContaining('rpc/duplicate_quote')]);
  });
});

describe('an upsert by a customer', () => {
  it.each(
    replacements,
  )('is refused with other values than those of the row, and writes nothing: %s', async (_, prefix, send) => {
    const { id, ...row } = await newQuote({ ...priced, status: 'submitted' });
    for (const values of [{ unit_price: 1, total_price: null }, { quoted_by: randomUUID() }]) {
      const changed = { ...row, customer_notes: 'cheap', ...values };
      const reply = await send(customer, { path: '/quotes', values: {}, row: changed, other: {}, id });
      expect([reply.status, pathsOf(reply)]).toEqual([403, Object.keys(values).map(name => prefix + name)]);
    }
    expect((await stored({ id }))['customer_notes']).toBeNull();
  });

  it('that inserts is judged as a POST, also among rows that exist', async () => {
    const row = await newQuote({ ...priced, status: 'draft' });
    const id = randomUUID();
    const upsert = (body: unknown, resolution = 'merge') =>
      customer.send('POST', '/quotes', body, {
        prefer: `return=representation,resolution=${resolution}-duplicates`,
      });
    for (const resolution of ['merge', 'ignore']) {
      const refused = await upsert(
        [
          { ...row, customer_notes: 'x' },
          { ...row, id },
        ],
        resolution,
      );
      const { hint } = refused.body;
      expect([refused.status, hint]).toEqual([403, expect.stringContaining('rpc/duplicate_quote')]);
      expect(pathsOf(refused)).toContain('1.total_price');
    }
    expect((await customer.send('PUT', `/quotes?id=eq.${id}`, { ...row, id })).status).toBe(403);
    expect([await stored({ id }), (await stored(row))['customer_notes']]).toEqual([undefined, null]);
    const ignored = await upsert(row, 'ignore');
    expect([ignored.status, ignored.body]).toEqual([201, []]);
    const prices = {
      unit_price: null,
      total_price: null,
      quoted_at: null,
      quoted_by: null,
      expires_at: null,
    };
    const isNew = { ...aQuote(account), ...prices, deleted_at: null };
    const several = await upsert([
      { ...isNew, id },
      { ...isNew, id: randomUUID() },
    ]);
    expect([several.status, several.body.length]).toEqual([201, 2]);
  });

  it('that waits for a concurrent write is compared with what that commits', async () => {
    const row = await newQuote({ ...priced, status: 'submitted' });
    const { waiting } = await service.sql.begin(async first => {
      await first`update builder.quotes set unit_price = 50 where id = ${String(row['id'])}`;
      const waiting = customer.send('POST', '/quotes', { ...row, customer_notes: 'soon' }, merge);
      await untilBlocked(service);
      return { waiting };
    });
    expect(pathsOf(await waiting)).toContain('unit_price');
  });
});

it('a value is equal to the millisecond and as a double, as clients in JavaScript read it', async () => {
  const exact = { unit_price: '0.30000000000000004441', total_price: '12345678901234567890.10' };
  const { id } = await newQuote({ ...priced, ...exact });
  const read = {
    unit_price: 0.1 + 0.2,
    total_price: Number('12345678901234567890'),
    expires_at: new Date(time).toISOString(),
  };
  for (const [, , send] of changes) {
    const reply = await send(customer, {
      path: '/quotes',
      values: { ...read, customer_notes: 'x' },
      row: {},
      other: {},
      id,
    });
    expect(reply.status, reply.text).toBe(200);
  }
  const others = {
    unit_price: 0.3,
    total_price: Number('12345678901234569000'),
    expires_at: '2099-01-01T12:00:00.124Z',
  };
  for (const [name, value] of Object.entries(others)) {
    const reply = await customer.send('PATCH', `/quotes?id=eq.${id}`, { [name]: value });
    expect([reply.status, pathsOf(reply)]).toEqual([403, [name]]);
  }
  const { updated_at: _, ...row } = await stored({ id });
  expect(row).toMatchObject({ expires_at: time });
});

it('a change of an id alone, and of nothing else, finds its row', async () => {
  const { id } = await newQuote();
  const reply = await customer.send('PATCH', `/quotes?id=eq.${id}&select=id`, { id }, representation);
  expect([reply.status, reply.body]).toEqual([200, [{ id }]]);
  const keyed = await customer.send('PATCH', '/quotes?select=id', [{ id }], representation);
  expect([keyed.status, keyed.body]).toEqual([200, [{ id }]]);
  const lost = await customer.send('PATCH', '/quotes', [{ id: randomUUID() }]);
  expect(lost.status).toBe(404);
});

it('the id of a row is accepted unchanged, and refused as a change', async () => {
  const { id } = await newQuote();
  const path = `/quotes?id=eq.${id}`;
  for (const values of [{ id: randomUUID() }, { customer_notes: 'x', id: randomUUID() }]) {
    const reply = await customer.send('PATCH', path, values);
    expect([reply.status, reply.body.code, pathsOf(reply)]).toEqual([403, '42501', ['id']]);
  }
  expect((await customer.send('PATCH', path, { customer_notes: 'x', id })).status).toBe(204);
});

it('an array of rows with their keys is written whole, or refused whole if one row differs', async () => {
  const [one, other] = [await newQuote(), await newQuote()];
  const send = (...rows: object[]) => customer.send('PATCH', '/quotes', rows);
  const sparse = await send({ id: one['id'], quoted_by: null }, { id: other['id'], customer_notes: 'y' });
  expect(sparse.status).toBe(204);
  const rows = [one, other].map(({ id }) => ({ id, customer_notes: 'z', unit_price: 1 }));
  const reply = await send({ ...rows[0], unit_price: 41.5 }, rows[1] ?? {});
  expect([reply.status, pathsOf(reply)]).toEqual([403, ['0.unit_price', '1.unit_price']]);
  expect((await stored(other))['customer_notes']).toBe('y');
});

describe('what the caller may not read', () => {
  it.each([
    ...inserts,
    ...replacements,
    ...changes,
  ])('is accepted as null, which changes nothing, and refused with any other value alike: %s', async (_, prefix, send) => {
    const { id, quote_number } = await newQuote({});
    const write = (internal_notes: unknown) => {
      const row = aQuote(account, { internal_notes, quote_number });
      return send(customer, { path: '/quotes', values: { internal_notes }, row, other: row, id });
    };
    const [right, wrong] = [await write('a good customer'), await write('x')];
    expect([right.status, right.text]).toEqual([403, wrong.text]);
    expect(pathsOf(right).at(-1)).toBe(`${prefix}internal_notes`);
    if (send !== inserts[3]?.[2]) {
      const { status, text } = await write(null);
      expect(status, text).toBeLessThan(300);
    }
    expect((await stored({ id }))['internal_notes']).toBe('a good customer');
  });

  it('of another account is not revealed by comparing a guess: its responses are the same', async () => {
    for (const more of [{}, { deleted_at: time }]) {
      const { id } = await newQuote({ ...priced, ...more }, randomUUID());
      const ways = [...replacements, ...changes].map(([, , send]) => (values: Row) => {
        const row = aQuote(account, { ...values, quote_number: 'QT-2026-00001' });
        return send(customer, {
          path: '/quotes',
          values: { customer_notes: 'x', ...values },
          row,
          other: {},
          id,
        });
      });
      const ignore = (values: Row) =>
        customer.send(
          'POST',
          '/quotes',
          { ...aQuote(account), ...values, id },
          { prefer: 'resolution=ignore-duplicates' },
        );
      for (const send of [...ways, ignore]) {
        const right = await send({ unit_price: priced.unit_price, total_price: priced.total_price });
        const wrong = await send({ unit_price: 1, total_price: 2 });
        expect([right.status, right.text]).toEqual([wrong.status, wrong.text]);
      }
    }
  });
});
