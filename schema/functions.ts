/**
 * The functions at `POST /rest/v1/rpc/<name>`, as data. Each is the function of this name in the schema `builder`, which has
 * arguments of the same names and does the work. It raises PT404 for a row that its caller can't see.
 */
import { nullable, required } from './collection.ts';
import { deliveries } from './deliveries.ts';
import { type DatabaseFunction, defineFunction } from './function.ts';
import { quotes } from './quotes.ts';
import { bigint, boolean, oneOf, quoteNumber, text, timestamptz, uuid } from './types.ts';

export const functions: readonly DatabaseFunction[] = [
  defineFunction({
    name: 'next_quote_number',
    about: quotes,
    summary: 'Get the next free quote number',
    meaning:
      'Each call returns a number that no other call returned, and that no quote of staff or of an import has. Numbers that customers chose do not count.',
    audiences: ['customer', 'staff'],
    args: {},
    returns: { value: required(quoteNumber, 'The number.') },
    // A repeated call may skip a number. Gaps are harmless.
    repeatable: true,
    writes: false,
  }),
  defineFunction({
    name: 'duplicate_quote',
    about: quotes,
    summary: 'Copy a quote into a new draft',
    meaning:
      'The draft has a new number, the source `duplicate`, and the design, roster, contact and addresses of the quote. Prices, times and progress are not copied.',
    audiences: ['customer', 'staff'],
    args: { id: required(uuid, 'The quote.', { example: 'c0000000-0000-4000-8000-000000000001' }) },
    returns: { row: quotes },
    repeatable: false,
    writes: true,
  }),
  defineFunction({
    name: 'share_quote',
    about: quotes,
    summary: 'Share an offer by a link',
    meaning:
      'Whoever has the link reads the offer of the quote without a sign-in; with `may: approve`, which only a user of the account makes, they also approve it, decline it or ask for changes. The same arguments return the same live link. A quote has at most 20. 409 without an offer.',
    audiences: ['customer', 'staff'],
    args: {
      id: required(uuid, 'The quote.', { example: 'e0000000-0000-4000-8000-000000000003' }),
      may: required(oneOf('read', 'approve'), 'What its holder may do.', { example: 'read' }),
      label: nullable(text(200), 'For whom it is.', { example: 'Treasurer' }),
      roster: nullable(boolean, 'Whether it shows the names of players.', { default: 'false' }),
      ends_at: nullable(
        timestamptz,
        'When it ends, at most 90 days from now. By default 30 days after the offer, or any live link’s end.',
      ),
    },
    returns: {
      object: {
        id: required(uuid, 'The link, in quote_links.'),
        url: required(text(2200), 'The address of its page.'),
        token: required(text(100), 'The token in that address.'),
        ends_at: required(timestamptz, 'When it ends.'),
      },
    },
    repeatable: false,
    writes: false,
  }),
  defineFunction({
    name: 'redeliver',
    about: deliveries,
    summary: 'Send a delivery again',
    meaning:
      'The delivery waits for its first attempt, like a new one. A refused address is tried again. 409 while it is being sent, or when its webhook is disabled.',
    audiences: ['staff'],
    args: { id: required(bigint, 'The delivery.', { example: 4711 }) },
    returns: { object: { id: required(bigint, 'The delivery.'), state: required(text(20), 'Its state.') } },
    repeatable: false,
    writes: true,
  }),
];
