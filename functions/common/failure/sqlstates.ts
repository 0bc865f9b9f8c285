/**
 * What an SQLSTATE of the database means (https://www.postgresql.org/docs/current/errcodes-appendix.html), and the status of a
 * response, as in PostgREST. The first row that matches counts.
 */

/**
 * - `lost`: Postgres, or Hyperdrive (58000), ended the connection with a message in flight
 * - `unavailable`: the server starts, stops, or lacks connections or memory
 * - `busy`: deadlocks and locks; a second try may succeed
 * - `slow`: the statement was cancelled
 * - `large`: the statement or a value is too much for Postgres
 * - `rights`: a grant or policy is missing, or access is paused
 * - `values`: values, constraints and our own rules
 * - `names`: what the statement names, or how
 * - `internal`: a bug
 */
type Cause = 'lost' | 'unavailable' | 'busy' | 'slow' | 'large' | 'rights' | 'values' | 'names' | 'internal';

const rows: [prefixes: RegExp, cause: Cause, status: number][] = [
  [/^(?:08|57P0[12]|58000)/, 'lost', 503],
  [/^(?:28|53|57P|58)/, 'unavailable', 503],
  [/^(?:40|55P03)/, 'busy', 503],
  [/^57014/, 'slow', 504],
  [/^54/, 'large', 400],
  [/^42501/, 'rights', 403],
  [/^(?:23503|23505)/, 'values', 409],
  [/^(?:2[123]|P0001|PG403|PT)/, 'values', 400],
  [/^(?:42883|42P01)/, 'names', 404],
  [/^42P17/, 'names', 500],
  [/^(?:0A|42|44)/, 'names', 400],
  [/^0[LP]/, 'internal', 403],
  [/^(?:09|2[5D]|3[89B]|5[57]|F0|HV|P0|XX)/, 'internal', 500],
  [/^/, 'internal', 400],
];

const rowOf = (sqlstate: string) => rows.find(([prefixes]) => prefixes.test(sqlstate));

export const causeOf = (sqlstate: string): Cause => rowOf(sqlstate)?.[1] ?? 'internal';

/** Returns the HTTP status of an SQLSTATE. As in PostgREST, `PT` is followed by the status itself; our own rules raise these. */
export function statusOf(sqlstate: string): number {
  const chosen = /^PT([45]\d\d)$/.exec(sqlstate)?.[1];
  return chosen ? Number(chosen) : (rowOf(sqlstate)?.[2] ?? 400);
}
