/** The lines of the feed, and the changes of rows that they make when those of one row are folded. */
import * as v from 'valibot';
import type { EventName } from './bindings.ts';
import { isNewTo, type LineNumber } from './cursor.ts';

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

interface Line extends LineNumber {
  event: EventName;
}

/** What happened to a row of an account. */
export interface Change {
  /** The id of its last line. */
  id: string;
  collection: string;
  account: string;
  key: string;
  /** The beginning of the last transaction. */
  at: string;
  lines: Line[];
}

const events: Record<'I' | 'U' | 'D', EventName> = { I: 'INSERT', U: 'UPDATE', D: 'DELETE' };

/** Returns the changes of each row of an account, in the order of their last lines. Throws at other JSON. */
export function parseChanges(json: string): Change[] {
  const changes = new Map<string, Change>();
  for (const [xid, id, collection, operation, account, key, at] of v.parse(v.array(line), JSON.parse(json))) {
    const name = `${collection} ${account} ${key}`;
    const lines = changes.get(name)?.lines ?? [];
    lines.push({ xid: BigInt(xid), id: BigInt(id), event: events[operation] });
    changes.delete(name);
    changes.set(name, { id, collection, account, key, at, lines });
  }
  return [...changes.values()];
}

/** Returns the events of a change that are told, in order; with a cursor, to whoever has been told up to it. */
export function eventsOf({ lines }: Change, cursor?: string): EventName[] {
  return lines
    .filter(line => cursor === undefined || isNewTo(cursor, line))
    .reduce<EventName[]>((earlier, { event }) => fold(earlier, event), []);
}

/**
 * Adds an event to the earlier ones of its row. A row is read when it is told, so what it was in between is not told:
 * updated often it is updated once. Inserted and then updated it is both, since who listens to updates alone is not told of
 * the insert. One that was inserted and deleted is deleted: a client that comes back may have been told of the insert
 * before, and one that has just joined may have read the row.
 */
function fold(earlier: EventName[], event: EventName): EventName[] {
  switch (event) {
    case 'INSERT':
      return [...earlier, event];
    case 'UPDATE':
      return earlier.at(-1) === event ? earlier : [...earlier, event];
    case 'DELETE':
      return [event];
  }
}
