/** Reads the feed of changes. */
import { ok, type Result } from '../common/result.ts';
import type { Row } from '../database/database.ts';
import { feedMessage } from '../statement/live.ts';
import type { Message } from '../statement/sql.ts';
import { type Change, parseChanges } from './changes.ts';

/** Sends a message to the database that only reads. */
export type Ask = (message: Message) => Promise<Result<Row[]>>;

/** What builder.changes_since returns. */
export interface FeedPage {
  /** The cursor behind these changes. */
  next: string;
  /** Whether the feed no longer has all that came since the cursor. */
  gap: boolean;
  changes: Change[];
}

/** Reads a page of what was committed since a cursor, up to another cursor at most. Without a cursor: now, and nothing. */
export async function readFeed(
  ask: Ask,
  cursor: string | null,
  upto: string | null,
): Promise<Result<FeedPage>> {
  const rows = await ask(feedMessage(cursor, upto));
  if (!rows.ok) {
    return rows;
  }
  const [row] = rows.value;
  return ok({
    next: row?.['next'] ?? '',
    gap: row?.['gap'] === 'true',
    changes: parseChanges(row?.['lines'] ?? '[]'),
  });
}

/** Whether a cursor is in the middle of what was committed at once: there is more to read behind it. */
export const isPartial = (cursor: string): boolean => cursor.split(' ').length > 4;
