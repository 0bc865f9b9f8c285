/**
 * The functions at `POST /rest/v1/rpc/<name>`, as data. Each is the function of this name in the schema `builder`, which has
 * arguments of the same names and does the work. It raises PT404 for a row that its caller can't see.
 */
import { type Audience, type Collection, type Column, required } from './collection.ts';
import { deliveries } from './deliveries.ts';
import { quotes } from './quotes.ts';
import { bigint, quoteNumber, text, uuid } from './types.ts';

type Columns = Readonly<Record<string, Column>>;

/** What a function returns: a value, an object of values, or a row, whose key the database's function returns. */
export type Returned = { value: Column } | { object: Columns } | { row: Collection };

export interface DatabaseFunction<
  Name extends string = string,
  Args extends Columns = Columns,
  Returns extends Returned = Returned,
> {
  name: Name;
  /** The collection that it is about. The same worker serves it. */
  about: Collection;
  summary: string;
  meaning: string;
  /** Who may call it, as its grant says. */
  audiences: readonly Audience[];
  /** Its arguments. Those that are nullable or have a default may be omitted. */
  args: Args;
  returns: Returns;
  /** A call that may have been executed is sent again when the connection is lost. */
  repeatable: boolean;
  /** It writes rows of collections that others wait for. */
  writes: boolean;
}

const define = <const Name extends string, Args extends Columns, Returns extends Returned>(
  definition: DatabaseFunction<Name, Args, Returns>,
): DatabaseFunction<Name, Args, Returns> => definition;

/** All functions, with names and types that the compiler knows. */
export const functionDefinitions = [
  define({
    name: 'next_quote_number',
    about: quotes,
    summary: 'Get the next free quote number',
    meaning: 'Each call returns a new number.',
    audiences: ['customer', 'staff'],
    args: {},
    returns: { value: required(quoteNumber, 'The number.') },
    // A repeated call may skip a number. Gaps are harmless.
    repeatable: true,
    writes: false,
  }),
  define({
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
  define({
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
