/** Values that forms send half filled in: they are stored, and never cost their user the rest of the row. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { collections } from '../../../schema/collections.ts';
import { notifications } from '../../../schema/notifications.ts';
import { postgresType } from '../../../schema/postgres-types.ts';
import { quotes } from '../../../schema/quotes.ts';
import { isWritten, newRow } from '../../setup/collection-rows.ts';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { changes, inserts, replacements } from '../../setup/ways.ts';
import { representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);
const ways = [...inserts, ...replacements, ...changes];

/** The nullable columns with a format or a list of values, and one of their values. */
const formatted = collections.filter(isWritten).flatMap(collection =>
  Object.entries(collection.columns).flatMap(([name, { nullable, type }]) => {
    const sample = type.values?.[0] ?? (type.trimmed ? 'ann@example.com' : 'https://cdn.test/a.png');
    return nullable && type.emptyIsNull && ['text', 'enum'].includes(postgresType(type.postgres).kind)
      ? [{ collection, name, title: `${collection.name}.${name}`, sample }]
      : [];
  }),
);

it('these columns have a format or a list of values', () => {
  const quotes = [
    'preview_front_url',
    'preview_back_url',
    'fulfillment_status',
    'contact_email',
    'delivery_method',
    'avatar_preview',
  ];
  expect(formatted.map(({ title }) => title)).toEqual([
    ...quotes.map(name => `quotes.${name}`),
    'notifications.link',
  ]);
});

/** Nullable columns of other types than text, whose field of a form may be empty. */
const typed = [
  { collection: quotes, name: 'design_id', sample: randomUUID() },
  { collection: quotes, name: 'roster_count', sample: 12 },
  { collection: quotes, name: 'event_date', sample: '2027-05-06' },
  { collection: quotes, name: 'estimated_delivery_at', sample: '2027-05-06' },
  { collection: quotes, name: 'total_price', sample: 48 },
  { collection: notifications, name: 'expires_at', sample: '2999-05-06' },
].map(column => ({ ...column, title: `${column.collection.name}.${column.name}` }));

describe.each([...formatted, ...typed])('an empty text in $title', ({ collection, name, sample }) => {
  it.each(ways)('is null in a %s', async (_, __, send) => {
    const path = `/${collection.name}`;
    const more = name === 'fulfillment_status' ? { status: 'ordered', unit_price: 1, total_price: 2 } : {};
    const made = await staff.send(
      'POST',
      path,
      newRow(collection, account, { ...more, [name]: sample }),
      representation,
    );
    const [{ id }] = made.body;
    const values = { [name]: '' };
    const reply = await send(staff, {
      path,
      values,
      row: newRow(collection, account, { ...more, ...values }),
      other: newRow(collection, account, { ...more, ...values }),
      id,
    });
    expect(reply.status, reply.text).toBeLessThan(300);
    expect([reply.body].flat().at(-1)).toMatchObject({ [name]: null });
  });
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
