import { defineCollection, nullable, required } from './collection.ts';
import { bigint, boolean, currency, integer, oneOf, price, text, timestamptz, uuid } from './types.ts';

const readOnly = { staff: ['select'] } as const;
const readable = { customer: ['select'], ...readOnly } as const;

const statuses = oneOf(
  'draft',
  'submitted',
  'quoted',
  'approved',
  'rejected',
  'expired',
  'ordered',
  'cancelled',
);

/** What an event may be besides a status or a fulfillment status, after `quote.`. */
export const otherEvents = [
  ...(['repriced', 'changed', 'amended', 'end_changed', 'delivery_changed'] as const),
  ...(['expiring', 'deleted', 'restored', 'corrected'] as const),
] as const;

export const quote_events = defineCollection({
  name: 'quote_events',
  meaning: 'The history of quotes: who moved, priced or changed one, and when. Read-only.',
  primaryKey: 'id',
  owner: { column: 'account_id', listedBy: 'created_at', readable: ['caller_account_ids'] },
  lookups: ['quote_id'],
  checks: {},
  references: [
    { constraint: 'quote_events_quote_id_fkey', column: 'quote_id', to: 'quotes', nullableBy: 'offer' },
  ],
  deletableBy: [],
  live: true,
  columns: {
    id: required(bigint, 'Identifier.', { ...readable, default: "nextval('builder.quote_events_id_seq')" }),
    quote_id: required(uuid, 'The quote that was changed.', {
      ...readable,
      example: 'e0000000-0000-4000-8000-000000000001',
    }),
    account_id: required(uuid, 'The account that owned the quote then.', {
      ...readable,
      example: 'c0000000-0000-4000-8000-000000000001',
    }),
    event: required(
      text(100),
      `\`quote.\` and the status or fulfillment status that was reached, or ${otherEvents.join(', ')}.`,
      { ...readable, example: 'quote.quoted' },
    ),
    status: required(statuses, 'The status of the quote then.', { ...readable, example: 'quoted' }),
    previous_status: nullable(
      statuses,
      'The status before; null when the quote was created with this status.',
      {
        ...readable,
        example: 'submitted',
      },
    ),
    fulfillment_status: nullable(
      oneOf('reviewing', 'preparing', 'shipping', 'delivered'),
      'The fulfillment state then.',
      readable,
    ),
    unit_price: nullable(price, 'The price per unit then.', readable),
    total_price: nullable(price, 'The total price then.', readable),
    currency: required(currency, 'The ISO 4217 currency code then.', { ...readable, example: 'USD' }),
    expires_at: nullable(timestamptz, 'The end of the offer then.', readable),
    offer: nullable(
      integer,
      'The number of the offer then, in quote_offers; null without a price.',
      readable,
    ),
    design_digest: nullable(text(64), 'SHA-256 of the design; rule 5 compares it.', { staff: [] as const }),
    notified: required(boolean, 'Whether a message about it was written to the account.', {
      ...readOnly,
      default: 'false',
    }),
    created_at: required(timestamptz, 'When it was changed.', { ...readable, default: 'clock_timestamp()' }),
    created_by: nullable(uuid, 'The user who made the change, if a customer.', readable),
    created_as: required(
      oneOf('customer', 'staff', 'service', 'sweep'),
      'Who made the change: a customer, staff, a service (the secret key, or an operator), or the sweep.',
      { ...readable, example: 'staff' },
    ),
    staff_id: nullable(uuid, 'The user who made the change, if staff; hidden from customers.', readOnly),
    link_id: nullable(uuid, 'The link by which it was made, in quote_links.', readable),
    signer: nullable(text(200), 'The name that was given with the link.', readable),
    said: nullable(text(4000), 'What was said with it.', readable),
  },
});
