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
    const folded = fold(earlier, events[operation]);
    if (folded.length > 0) {
      changes.set(name, { line: [xid, id], collection, account, key, at, events: folded });
    }
  }
  return [...changes.values()];
}

/**
 * A row is read when it is told, so what it was in between is not told: inserted and then updated it is inserted, updated
 * often it is updated once, inserted and deleted it never was.
 */
function fold(earlier: EventName[], event: EventName): EventName[] {
  const last = earlier.at(-1);
  if (event === 'UPDATE') {
    return last === undefined ? [event] : earlier;
  }
  if (event === 'DELETE' && last === 'INSERT') {
    return earlier.slice(0, -1);
  }
  return event === 'DELETE' ? [event] : [...earlier, event];
}
