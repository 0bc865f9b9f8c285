/** The invalid fields of a body, as an error lists them. */

export interface Issue {
  /** The column, and the keys and indexes inside its JSON: `size_breakdown.M`; in an array of rows the row's index first. */
  path: string;
  expected: string;
  received: string;
  /** A sentence to show at the field. */
  message: string;
}

/** Returns the invalid fields of a supabase-js error; empty for an error that was thrown, since supabase-js drops them. */
export const issuesOf = (error: unknown): Issue[] =>
  typeof error === 'object' && error !== null && 'issues' in error ? (error.issues as Issue[]) : [];
