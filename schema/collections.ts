import type { Collection, Reference } from './collection.ts';
import { deliveries } from './deliveries.ts';
import { graphics } from './graphics.ts';
import { notifications } from './notifications.ts';
import { quote_events } from './quote_events.ts';
import { quote_offers } from './quote_offers.ts';
import { quotes } from './quotes.ts';

/** All collections, with names and types that the compiler knows. */
export const definitions = [quotes, graphics, notifications, quote_events, quote_offers, deliveries] as const;

/** The same collections, for code that serves any of them. */
export const collections: readonly Collection[] = definitions;

/** What a row of a collection is related to: one row of another collection, or many. */
export interface Relation {
  to: Collection;
  is: 'one' | 'many';
  /** The foreign key, which either of them has. */
  reference: Reference;
  /** The column of the row, and the column of the other collection that equals it. */
  column: string;
  otherColumn: string;
}

/** Returns the relations of a collection: by its own foreign keys, and by those that refer to it. */
export const relationsOf = (collection: Collection): Relation[] =>
  collections.flatMap(other => [
    ...(collection.references ?? [])
      .filter(({ to }) => to === other.name)
      .map(reference => ({
        to: other,
        is: 'one' as const,
        reference,
        column: reference.column,
        otherColumn: other.primaryKey,
      })),
    ...(other.references ?? [])
      .filter(({ to }) => to === collection.name)
      .map(reference => ({
        to: other,
        is: 'many' as const,
        reference,
        column: collection.primaryKey,
        otherColumn: reference.column,
      })),
  ]);
