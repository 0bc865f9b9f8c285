import { defineCollection, nullable, required } from './collection.ts';
import { boolean, oneOf, text, timestamptz, uuid } from './types.ts';

const readable = { customer: ['select'], staff: ['select'] } as const;

export const quote_links = defineCollection({
  name: 'quote_links',
  meaning:
    'The links by which an offer is opened without a sign-in, without their tokens. `share_quote` makes one; a DELETE revokes it, and its row stays.',
  primaryKey: 'id',
  owner: { column: 'account_id', listedBy: 'created_at', readable: ['caller_account_ids'] },
  softDelete: 'revoked_at',
  showsDeleted: true,
  lookups: ['quote_id'],
  checks: {},
  references: [
    { constraint: 'quote_links_quote_id_fkey', column: 'quote_id', to: 'quotes', nullableBy: 'label' },
  ],
  deletableBy: ['customer', 'staff'],
  readOnly: "Make a link with rpc('share_quote'), and revoke one with DELETE.",
  columns: {
    id: required(uuid, 'Identifier.', { ...readable, default: 'gen_random_uuid()' }),
    quote_id: required(uuid, 'The quote whose offer it opens.', {
      ...readable,
      example: 'e0000000-0000-4000-8000-000000000001',
    }),
    account_id: required(uuid, 'The account that owned the quote when it was shared.', {
      ...readable,
      example: 'c0000000-0000-4000-8000-000000000001',
    }),
    may: required(
      oneOf('read', 'approve'),
      'Whether its holder only reads the offer, or may also approve it, decline it or ask for changes.',
      { ...readable, example: 'read' },
    ),
    label: nullable(text(200), 'For whom it is.', readable),
    roster: required(boolean, 'Whether it shows the names of players.', { ...readable, default: 'false' }),
    address: nullable(text(254), 'The recipient of the mail that contains it.', { staff: [] as const }),
    created_at: required(timestamptz, 'When it was made.', { ...readable, default: 'clock_timestamp()' }),
    created_by: nullable(uuid, 'The user who made it, if a customer.', readable),
    created_as: required(
      oneOf('customer', 'staff', 'service', 'sweep'),
      'Who made it: a customer, staff, a service (the secret key, or an operator), or the sweep, for a mail.',
      { ...readable, example: 'staff' },
    ),
    ends_at: required(timestamptz, 'When it ends.', { ...readable, example: '2030-01-01T00:00:00Z' }),
    revoked_at: nullable(timestamptz, 'When it was revoked.', readable),
    opened_at: nullable(timestamptz, 'When its page was last requested, to the hour.', readable),
  },
});
