import { defineCollection, nullable, required } from './collection.ts';
import { counts, jsonObject, smallObject } from './json-types.ts';
import { bigint, boolean, count, currency, integer, oneOf, price, text, timestamptz, uuid } from './types.ts';
import { url } from './web-address.ts';

const readable = { customer: ['select'], staff: ['select'] } as const;

export const quote_offers = defineCollection({
  name: 'quote_offers',
  meaning: 'The offers made for a quote: a row for each set of terms, numbered from 1. Read-only.',
  primaryKey: 'id',
  owner: { column: 'account_id', listedBy: 'created_at', readable: ['caller_account_ids'] },
  lookups: ['quote_id'],
  checks: {},
  references: [
    { constraint: 'quote_offers_quote_id_fkey', column: 'quote_id', to: 'quotes', nullableBy: 'unit_price' },
  ],
  deletableBy: [],
  columns: {
    id: required(bigint, 'Identifier.', { ...readable, default: "nextval('builder.quote_offers_id_seq')" }),
    quote_id: required(uuid, 'The quote that was offered.', {
      ...readable,
      example: 'e0000000-0000-4000-8000-000000000001',
    }),
    account_id: required(uuid, 'The account that owns the quote.', {
      ...readable,
      example: 'c0000000-0000-4000-8000-000000000001',
    }),
    number: required(integer, 'The number of the offer among those of its quote, from 1.', {
      ...readable,
      example: 1,
    }),
    unit_price: nullable(price, 'The price per unit.', readable),
    total_price: nullable(price, 'The total price.', readable),
    currency: required(currency, 'The ISO 4217 currency code.', { ...readable, example: 'USD' }),
    product_id: required(uuid, 'The product.', {
      ...readable,
      example: 'd0000000-0000-4000-8000-000000000001',
    }),
    design_id: nullable(uuid, 'The design template.', readable),
    sport: required(text(200), 'The sport.', { ...readable, example: 'baseball' }),
    customization: required(jsonObject, 'The design, with its roster.', {
      ...readable,
      example: { jersey: { fabric: 'mesh', text: 'Tigers' } },
    }),
    colors: nullable(smallObject, 'The colors.', readable),
    roster_count: nullable(count, 'The number of players or units.', readable),
    size_breakdown: nullable(counts, 'The quantity of each size.', readable),
    rush_order: nullable(boolean, 'Whether it was a rush order.', readable),
    preview_front_url: nullable(url, 'The front preview image then. It is not one of the terms.', readable),
    preview_back_url: nullable(url, 'The back preview image then. It is not one of the terms.', readable),
    created_at: required(timestamptz, 'When it was offered.', { ...readable, default: 'clock_timestamp()' }),
    created_as: required(
      oneOf('customer', 'staff', 'service', 'sweep'),
      'Who set the terms: a customer, staff, a service (the secret key, or an operator), or the sweep.',
      { ...readable, example: 'staff' },
    ),
  },
});
