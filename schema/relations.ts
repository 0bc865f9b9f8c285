/** How the rows of collections belong together, by their foreign keys. */
import type { Collection, Reference } from './collection.ts';

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

/** Returns the relations of a collection to others: by its own foreign keys, and by those that refer to it. */
export const relationsOf = (collection: Collection, others: readonly Collection[]): Relation[] =>
  others.flatMap(other => [
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
