import type { Missing } from './plan.ts';

/** What a write does with its body. */
export interface BodyUse {
  privilege: 'insert' | 'update';
  /** The columns to write (`columns=`); other keys of the rows are passed over. */
  columns?: string[];
  missing: Missing;
  /** The column that only tells which row is meant, in a change by key. */
  key?: string;
}
