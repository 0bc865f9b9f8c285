export interface OperatorRow {
  symbol: string;
  quantifiable?: true;
  wildcard?: true;
  /** What of its value multiplies the work on a row, and is bounded by the plan (plan/work.ts). */
  costs?: OperatorCosts;
}

export type OperatorCosts = 'pattern' | 'regex' | 'elements';

/**
 * The filter operators of PostgREST (https://docs.postgrest.org/en/stable/references/api/tables_views.html#operators),
 * each with the Postgres operator it stands for. The grammar reads the names, the statements the symbols: a new
 * operator is a new row here.
 */
export const operators = {
  eq: { symbol: '=', quantifiable: true },
  gte: { symbol: '>=', quantifiable: true },
  gt: { symbol: '>', quantifiable: true },
  lte: { symbol: '<=', quantifiable: true },
  lt: { symbol: '<', quantifiable: true },
  like: { symbol: 'like', quantifiable: true, wildcard: true, costs: 'pattern' },
  ilike: { symbol: 'ilike', quantifiable: true, wildcard: true, costs: 'pattern' },
  match: { symbol: '~', quantifiable: true, costs: 'regex' },
  imatch: { symbol: '~*', quantifiable: true, costs: 'regex' },
  neq: { symbol: '<>' },
  isdistinct: { symbol: 'is distinct from' },
  cs: { symbol: '@>', costs: 'elements' },
  cd: { symbol: '<@', costs: 'elements' },
  ov: { symbol: '&&', costs: 'elements' },
  sl: { symbol: '<<' },
  sr: { symbol: '>>' },
  nxr: { symbol: '&<' },
  nxl: { symbol: '&>' },
  adj: { symbol: '-|-' },
} as const satisfies Record<string, OperatorRow>;

/** The full-text operators, each with the Postgres function that makes the query of the value. */
export const textSearchOperators = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const;

export type OperatorName = keyof typeof operators;
export type TextSearchOperatorName = keyof typeof textSearchOperators;
