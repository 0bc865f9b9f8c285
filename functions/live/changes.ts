/** The lines of the feed, and what is left of them when those of one row are folded. */
import * as v from 'valibot';
import type { EventName } from './bindings.ts';

/** A line, as builder.changes_since writes it. */
const line = v.tuple([
  v.string(),
  v.string(),
  v.string(),
  v.picklist(['I', 'U', 'D']),
  v.string(),
  v.string(),
  v.string(),
]);

export interface Change {
  /** The last line of the row. */
  line: [xid: string, id: string];
  collection: string;
  account: string;
  key: string;
  /** The beginning of the transaction. */
  at: string;
  /** What is told of it, in order. */
  events: EventName[];
}

const events: Record<'I' | 'U' | 'D', EventName> = { I: 'INSERT', U: 'UPDATE', D: 'DELETE' };

/** JSON of lines → the changes of each row of an account, in the order of their last lines. Throws at other JSON. */
export function readChanges(json: string): Change[] {
  const changes = new Map<string, Change>();
  for (const [xid, id, collection, operation, account, key, at] of v.parse(v.array(line), JSON.parse(json))) {
    const name = `${collection} ${account} ${key}`;
    const earlier = changes.get(name)?.events ?? [];
    changes.delete(name);
    changes.set(name, {
      ...{ line: [xid, id], collection, account, key, at },
      events: fold(earlier, events[operation]),
    });
  }
  return [...changes.values()];
}

/**
 * A row is read when it is told, so what it was in between is not told: inserted and then updated it is inserted, updated
 * often it is updated once. One that was inserted and deleted is deleted: a client that comes back may have been told of
 * the insert before, and one that has just joined may have read the row.
 */
function fold(earlier: EventName[], event: EventName): EventName[] {
  switch (event) {
    case 'INSERT':
      return [...earlier, event];
    case 'UPDATE':
      return earlier.length === 0 ? [event] : earlier;
    case 'DELETE':
      return [event];
  }
}
