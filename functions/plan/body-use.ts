import type { Missing } from './plan.ts';

/** How a write uses its body. */
export interface BodyUse {
  privilege: 'insert' | 'update';
  /** The columns to write (`columns=`); other keys of the rows are ignored. */
  columns?: string[];
  missing: Missing;
  /** The write that inserts a row or changes the one that is there. */
  upsert?: 'POST' | 'PUT';
  /** In a change of one row by a filter: its key. A body that has nothing but this key changes nothing. */
  rowKey?: string;
  /** In a change by key: the column that identifies the row and is not written. */
  key?: string;
}
