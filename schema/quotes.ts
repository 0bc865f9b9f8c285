import { defineCollection, fixed, nullable, required } from './collection.ts';
import { contactAddress } from './email-address.ts';
import { everyone } from './everyone.ts';
import { counts, jsonObject, smallObject } from './json-types.ts';
import {
  boolean,
  count,
  currency,
  eventDate,
  oneOf,
  price,
  quoteNumber,
  stamped,
  text,
  timestamptz,
  uuid,
} from './types.ts';
import { noScript, url } from './web-address.ts';

/** Columns that a customer writes in a draft. sql/code/quote-columns.sql says which of them stay writable after that. */
const customers = { customer: ['select', 'insert', 'update'] } as const;
const chosenOnce = { ...fixed, customer: ['select', 'insert'] } as const;
/** Columns that only staff write and customers read. */
const staffs = { customer: ['select'] } as const;
const roster =
  'A roster is stored in customization, as in /demo: { players: [{ name, number, size }] }. roster_count is its length.';
/** A customer deletes by DELETE, or by setting the time, in place of which the database sets its own. */
const deletes = { customer: ['select', 'update'] } as const;
/** Columns that customers can't see. */
const internal = {};

export const quotes = defineCollection({
  name: 'quotes',
  meaning: 'Account-scoped quotes for uniform customization requests made from the builder.',
  primaryKey: 'id',
  owner: { column: 'account_id', listedBy: 'created_at', readable: ['caller_account_ids'] },
  softDelete: 'deleted_at',
  changedAt: 'updated_at',
  namedBy: ['updated_at', 'submitted_at', 'quoted_at', 'total_price'],
  lookups: ['quote_number', 'contact_email'],
  judged: ['status', 'unit_price', 'total_price', 'currency', 'quoted_at', 'submitted_at', 'updated_at'],
  copying: 'To copy a row, call rpc/duplicate_quote with its id.',
  elsewhere: { players: roster, roster, names: roster, numbers: roster },
  checks: {
    a_quote_belongs_to_one_account: {
      columns: ['account_id'],
      expected: 'the id of one account, as a quote is never for everyone',
      breaks: ({ account_id }) => account_id === everyone,
    },
    a_quoted_quote_has_both_prices: {
      columns: ['unit_price', 'total_price'],
      expected: 'set while the status is quoted',
      breaks: ({ status, unit_price, total_price }) =>
        status === 'quoted' && (unit_price == null || total_price == null),
      demandsValue: true,
    },
    an_offer_ends_in_the_future: {
      columns: ['expires_at'],
      expected: 'a time in the future, when the offer ends (a date means its first moment)',
      breaks: ({ expires_at }) => typeof expires_at === 'string' && Date.parse(expires_at) <= Date.now(),
    },
    only_an_ordered_quote_has_a_fulfillment_status: {
      columns: ['fulfillment_status'],
      expected: 'null until the status is ordered',
      breaks: ({ status, fulfillment_status }) => fulfillment_status != null && status !== 'ordered',
    },
    texts_are_not_too_long: {
      columns: [
        ...['sport', 'customer_notes', 'internal_notes', 'contact_name', 'contact_email', 'contact_phone'],
        ...['company', 'tool_2d', 'techpack_file'],
      ],
      expected: 'shorter',
    },
  },
  deletableBy: ['customer', 'staff'],
  restorableBy: ['staff'],
  live: true,
  columns: {
    id: required(uuid, 'Identifier.', { ...chosenOnce, default: 'gen_random_uuid()' }),
    account_id: required(
      uuid,
      'Reference to an account (personal or team) that owns the quote; not the nil uuid.',
      {
        ...customers,
        example: 'c0000000-0000-4000-8000-000000000001',
      },
    ),
    quote_number: required(quoteNumber, 'Human-readable reference number in the form QT-<year>-<5 digits>.', {
      ...customers,
      example: 'QT-2026-00042',
    }),
    status: required(
      oneOf('draft', 'submitted', 'quoted', 'approved', 'rejected', 'expired', 'ordered', 'cancelled'),
      'Workflow state. To approve, also send the total_price or quoted_at that was read: it is 409 if the offer has changed.',
      { ...customers, default: "'draft'" },
    ),
    product_id: required(uuid, 'Reference to the product being customized.', {
      ...customers,
      example: 'd0000000-0000-4000-8000-000000000001',
    }),
    design_id: nullable(
      uuid,
      'Reference to the selected design template; may be null in the draft state.',
      customers,
    ),
    sport: required(
      text(200),
      'Sport category taken from the builder route (for example baseball, basketball).',
      { ...customers, example: 'baseball' },
    ),
    customization: required(
      jsonObject,
      'Full builder data snapshot; the source of truth for colors, text, graphics, roster and number styling.',
      { ...customers, example: { jersey: { fabric: 'mesh', text: 'Tigers' } } },
    ),
    colors: nullable(
      smallObject,
      'Denormalized color selections with keys primary, secondary, accent, accent2, accent3.',
      customers,
    ),
    roster_count: nullable(
      count,
      'Denormalized total number of players/units, used for sorting and pricing.',
      customers,
    ),
    size_breakdown: nullable(
      counts,
      'Aggregated quantity per size; keys are size labels and values are counts.',
      customers,
    ),
    preview_front_url: nullable(url, 'Object-storage URL of the rendered 2D front preview image.', customers),
    preview_back_url: nullable(url, 'Object-storage URL of the rendered 2D back preview image.', customers),
    customer_notes: nullable(
      text(10_000),
      'Free-text notes from the customer (special requests, delivery instructions).',
      customers,
    ),
    internal_notes: nullable(text(10_000), 'Admin-only notes; never exposed to the customer.', internal),
    unit_price: nullable(price, 'Quoted price per unit; filled when status moves to quoted.', staffs),
    total_price: nullable(
      price,
      'Total quote price; filled when status moves to quoted. In an approval, the price that was read.',
      staffs,
    ),
    currency: required(currency, 'ISO 4217 currency code.', { ...customers, default: "'USD'" }),
    submitted_at: nullable(
      timestamptz,
      'When the customer submitted the quote for review. In a request that prices, what was read.',
      customers,
    ),
    quoted_at: nullable(
      timestamptz,
      'When an admin assigned pricing. In an approval, the offer that was read.',
      staffs,
    ),
    quoted_by: nullable(
      uuid,
      'Reference to the authentication user (admin/sales) who provided the pricing; hidden from customers.',
      internal,
    ),
    approved_at: nullable(timestamptz, 'When the customer approved the quoted price.', customers),
    expires_at: nullable(timestamptz, 'Quote expiration date; after it, the status becomes expired.', staffs),
    source: required(
      oneOf('builder', 'csv_import', 'duplicate', 'admin_created'),
      'How the quote originated.',
      {
        ...customers,
        default: "'builder'",
      },
    ),
    created_by: nullable(uuid, 'Creator reference.', customers),
    created_at: nullable(timestamptz, 'Creation time.', { ...customers, ...stamped }),
    updated_at: nullable(timestamptz, 'Last update time.', { ...customers, ...stamped }),
    deleted_at: nullable(timestamptz, 'Soft-delete timestamp.', deletes),
    fulfillment_status: nullable(
      oneOf('reviewing', 'preparing', 'shipping', 'delivered'),
      'Order fulfillment state; only set when the status is ordered.',
      staffs,
    ),
    estimated_delivery_at: nullable(timestamptz, 'Estimated delivery/arrival date of the order.', staffs),
    contact_name: nullable(text(500), 'Customer contact name.', customers),
    contact_email: nullable(
      contactAddress,
      'Customer contact e-mail: one address, from the submission on.',
      customers,
    ),
    contact_phone: nullable(text(100), 'Customer contact phone number.', customers),
    shipping_address: nullable(smallObject, 'Keys street, city, state, zip, country.', customers),
    company: nullable(text(500), 'Customer company name.', customers),
    event_date: nullable(eventDate, 'Event date; matters for sports season deadlines.', customers),
    rush_order: nullable(boolean, 'Whether this is a rush/priority order.', {
      ...customers,
      default: 'false',
    }),
    delivery_method: nullable(oneOf('standard', 'express', 'pickup'), 'Delivery preference.', customers),
    billing_address: nullable(smallObject, 'Keys street, city, state, zip, country.', customers),
    tool_2d: nullable(noScript(text(10_000)), 'Free text; the specification defines no meaning.', customers),
    techpack_file: nullable(
      noScript(text(2048)),
      'Free text; the specification defines no meaning.',
      customers,
    ),
    avatar_preview: nullable(
      url,
      'Object-storage URL of the AI-generated product fit (mannequin/avatar) image.',
      customers,
    ),
  },
});
