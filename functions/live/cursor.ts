/**
 * Places in the feed. A cursor is text that builder.changes_since writes and reads: timeline, seconds, a snapshot and the
 * greatest id in it; of what was read in part also the snapshot up to which it is read, and the last id. Here it is
 * only told whether a line lies behind a cursor, as Postgres tells it, so that one reading serves many cursors.
 */

/** A line's transaction, and its number in the feed. */
export interface LineNumber {
  xid: bigint;
  id: bigint;
}

/** Whether the line is new to whoever has read up to the cursor. */
export function isNewTo(cursor: string, { xid, id }: LineNumber): boolean {
  const [, , since = '', sinceId = '0', until, readId = '0'] = cursor.split(' ');
  if (id <= BigInt(sinceId) && isVisible(xid, since)) {
    return false;
  }
  return until === undefined || id > BigInt(readId) || !isVisible(xid, until);
}

/** As pg_visible_in_snapshot: a snapshot is `xmin:xmax:` and the transactions between them that had not ended. */
function isVisible(xid: bigint, snapshot: string): boolean {
  const [xmin = '0', xmax = '0', running = ''] = snapshot.split(':');
  return xid < BigInt(xmin) || (xid < BigInt(xmax) && !running.split(',').includes(String(xid)));
}
