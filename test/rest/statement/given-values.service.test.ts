/** Values that forms send half filled in: they are stored, and never cost their user the rest of the row. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { changes, inserts, replacements } from '../../setup/ways.ts';
import { representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);
const ways = [...inserts, ...replacements, ...changes];

/** Nullable columns of every kind in which an empty text means null: with a format, a list of values, or another type than text. */
const full = {
  ...{
    preview_front_url: 'https://cdn.test/a.png',
    contact_email: 'ann@example.com',
    delivery_method: 'express',
  },
  ...{
    design_id: randomUUID(),
    roster_count: 12,
    event_date: '2027-05-06',
    estimated_delivery_at: '2027-05-06',
  },
  ...{ unit_price: 4, total_price: 48 },
};
const empty = Object.fromEntries(Object.keys(full).map(name => [name, '']));
const none = Object.fromEntries(Object.keys(full).map(name => [name, null]));

it.each(
  ways,
)('an empty text is null in a column whose values have a format or another type: %s', async (_, __, send) => {
  const made = await staff.send('POST', '/quotes?select=id', aQuote(account, full), representation);
  const { id } = made.body[0];
  const row = aQuote(account, empty);
  const reply = await send(staff, { path: '/quotes', values: empty, row, other: row, id });
  expect(reply.status, reply.text).toBeLessThan(300);
  expect([reply.body].flat().at(-1)).toMatchObject(none);
});

describe('a draft', () => {
  const draft = async () => (await customer.send('POST', '/quotes', aQuote(account), representation)).body[0];

  it.each(
    ways,
  )('keeps a contact_email that is half typed, without the spaces around it: %s', async (_, __, send) => {
    const { id, quote_number } = await draft();
    const values = { customization: { saved: randomUUID() }, contact_email: ' ann@exam\t' };
    const row = aQuote(account, { ...values, quote_number });
    const reply = await send(customer, { path: '/quotes', values, row, other: row, id });
    expect(reply.status, reply.text).toBeLessThan(300);
    expect([reply.body].flat().at(-1)).toMatchObject({ ...values, contact_email: 'ann@exam' });
  });

  it('keeps the keys and values that an application has in colors and addresses', async () => {
    const values = {
      colors: { primary: { hex: '#fff', name: 'White' }, trim: ['#000'] },
      shipping_address: { street2: 'b', zip: 62701 },
      billing_address: { geo: { lat: 1.5 } },
    };
    const { id } = await draft();
    const { status, body } = await customer.send('PATCH', `/quotes?id=eq.${id}`, values, representation);
    expect([status, body[0]]).toMatchObject([200, values]);
  });
});
