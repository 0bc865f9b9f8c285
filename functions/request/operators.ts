export interface OperatorRow {
  symbol: string;
  quantifiable?: true;
  wildcard?: true;
  /** The part of the operand that multiplies the work on each row; plan/work.ts limits it. */
  costs?: OperatorCosts;
}

export type OperatorCosts = 'pattern' | 'regex' | 'elements';

/**
 * The filter operators of PostgREST (https://docs.postgrest.org/en/stable/references/api/tables_views.html#operators),
 * each with its Postgres operator. The grammar uses the names, the statements the symbols: a new operator is one row
 * here.
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

/** The full-text operators, each with the Postgres function that turns the operand into a tsquery. */
export const textSearchOperators = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const;

export type OperatorName = keyof typeof operators;
export type TextSearchOperatorName = keyof typeof textSearchOperators;

const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];

/** All operators of filters: `in` and `is` have operands of their own. */
export const operatorNames = [
  ...namesOf(operators),
  'in' as const,
  'is' as const,
  ...namesOf(textSearchOperators),
];
