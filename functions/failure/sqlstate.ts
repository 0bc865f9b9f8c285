/** PostgREST's table: the first matching prefix gives the status. Any other code is 400. */
const statuses: [prefix: string, status: number][] = [
  ['08', 503],
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['21000', 400],
  ['25', 500],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  ['40001', 503],
  ['40P01', 503],
  ['40', 500],
  ['53400', 500],
  ['53', 503],
  ['54', 400],
  ['55P03', 503],
  ['55', 500],
  ['57014', 504],
  ['57P', 503],
  ['57', 500],
  ['58', 503],
  ['F0', 500],
  ['HV', 500],
  ['P0001', 400],
  ['P0', 500],
  ['XX', 500],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
];

/** Returns the HTTP status of an SQLSTATE. As in PostgREST, `PT` with a status is that status; our own rules raise these. */
export function statusOf(sqlstate: string): number {
  const chosen = /^PT([45]\d\d)$/.exec(sqlstate)?.[1];
  return chosen ? Number(chosen) : (statuses.find(([prefix]) => sqlstate.startsWith(prefix))?.[1] ?? 400);
}
