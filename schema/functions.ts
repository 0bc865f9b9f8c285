/**
 * The functions at `POST /rest/v1/rpc/<name>`, as data. Each is the function of this name in the schema `builder`, which has
 * arguments of the same names and does the work. It raises PT404 for a row that its caller can't see.
 */
import { required } from './collection.ts';
import { deliveries } from './deliveries.ts';
import { type DatabaseFunction, defineFunction } from './function.ts';
import { quotes } from './quotes.ts';
import { bigint, quoteNumber, text, uuid } from './types.ts';

/** All functions, with names and types that the compiler knows. */
export const functionDefinitions = [
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
] as const;

/** The same functions, for code that serves any of them. */
export const functions: readonly DatabaseFunction[] = functionDefinitions;
