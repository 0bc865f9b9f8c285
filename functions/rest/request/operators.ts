import { limits } from '../../common/limits.ts';

export interface OperatorRow {
  symbol: string;
  /** Whether a column of any type is compared with a value, a part of one is searched for, or ranges are compared. */
  kind: 'comparison' | 'search' | 'range';
  /** Which part of the operand multiplies the work on each row; plan/work.ts limits it. */
  costs: 'constant' | 'pattern' | 'regex' | 'elements';
  quantifiable?: true;
  wildcard?: true;
}

/**
 * The filter operators of PostgREST (https://docs.postgrest.org/en/stable/references/api/tables_views.html#operators),
 * each with its Postgres operator. The grammar uses the names, the statements the symbols: a new operator is one row
 * here.
 */
export const operators = {
  eq: { symbol: '=', kind: 'comparison', costs: 'constant', quantifiable: true },
  gte: { symbol: '>=', kind: 'comparison', costs: 'constant', quantifiable: true },
  gt: { symbol: '>', kind: 'comparison', costs: 'constant', quantifiable: true },
  lte: { symbol: '<=', kind: 'comparison', costs: 'constant', quantifiable: true },
  lt: { symbol: '<', kind: 'comparison', costs: 'constant', quantifiable: true },
  like: { symbol: 'like', kind: 'search', costs: 'pattern', quantifiable: true, wildcard: true },
  ilike: { symbol: 'ilike', kind: 'search', costs: 'pattern', quantifiable: true, wildcard: true },
  match: { symbol: '~', kind: 'search', costs: 'regex', quantifiable: true },
  imatch: { symbol: '~*', kind: 'search', costs: 'regex', quantifiable: true },
  neq: { symbol: '<>', kind: 'comparison', costs: 'constant' },
  isdistinct: { symbol: 'is distinct from', kind: 'comparison', costs: 'constant' },
  cs: { symbol: '@>', kind: 'search', costs: 'elements' },
  cd: { symbol: '<@', kind: 'search', costs: 'elements' },
  ov: { symbol: '&&', kind: 'search', costs: 'elements' },
  sl: { symbol: '<<', kind: 'range', costs: 'constant' },
  sr: { symbol: '>>', kind: 'range', costs: 'constant' },
  nxr: { symbol: '&<', kind: 'range', costs: 'constant' },
  nxl: { symbol: '&>', kind: 'range', costs: 'constant' },
  adj: { symbol: '-|-', kind: 'range', costs: 'constant' },
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

/** Returns the row of an operator; `in`, `is` and the full-text operators have none. */
export const rowOf = (operator: string): OperatorRow | undefined =>
  Object.hasOwn(operators, operator) ? operators[operator as OperatorName] : undefined;

/** Whether an operator compares with a value or a list of values, and nothing else. */
export const isComparison = (operator: string): boolean =>
  operator === 'in' || rowOf(operator)?.kind === 'comparison';

/** All operators of filters: `in` and `is` have operands of their own. */
export const operatorNames = [
  ...namesOf(operators),
  'in' as const,
  'is' as const,
  ...namesOf(textSearchOperators),
];

/** Writes `-created_at`, `created_at:desc` and `created_at desc` as an order. */
const orderOf = (value: string): string => {
  const [, minus = '', column = '', direction] = /^([-+]?)(\w+)(?:[^\w]+(asc|desc)\w*)?/i.exec(value) ?? [];
  return `order=${column || '<column>'}.${minus === '-' ? 'desc' : (direction?.toLowerCase() ?? 'asc')}`;
};

/** Rows of a page, in an example. */
const pageSize = 20;
const pageOf = (value: string): string =>
  `limit=${pageSize}&offset=${/^[1-9]\d{0,8}$/.test(value) ? (Number(value) - 1) * pageSize : 0}`;
const limitOf = (value: string): string => `limit=${/^\d{1,9}$/.test(value) ? value : pageSize}`;
const offsetOf = (value: string): string => `offset=${/^\d{1,9}$/.test(value) ? value : 0}`;
const selectOf = (value: string): string =>
  `select=${/^[\w,]{1,200}$/.test(value) ? value : '<column>,<column>'}`;

/** What other services' parameters are called here, in small letters and without underscores. */
const otherNames: Record<string, (value: string) => string> = {
  ...{ sort: orderOf, sortby: orderOf, orderby: orderOf, ordering: orderOf },
  ...{ page: pageOf, pagenumber: pageOf, pageindex: pageOf, p: pageOf },
  ...{ perpage: limitOf, pagesize: limitOf, take: limitOf, top: limitOf, first: limitOf, max: limitOf },
  ...{ size: limitOf, limit: limitOf, offset: offsetOf, order: orderOf, select: selectOf },
  ...{ skip: offsetOf, start: offsetOf },
  ...{
    fields: selectOf,
    include: () => 'select=*,<relation>(*)',
    expand: () => 'select=*,<relation>(*)',
  },
  ...{ q: () => '<column>=ilike.*<text>*', search: () => '<column>=ilike.*<text>*' },
};

/**
 * Returns the hint for a filter without an operator: `status=draft` for `status=eq.draft`. `name` is the text before the
 * `=`, `value` the text after it.
 */
export function suggestOperator(name: string, value: string): string {
  const other = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (Object.hasOwn(otherNames, other)) {
    return `Perhaps you meant "${otherNames[other]?.(value)}".`;
  }
  if (value === '' && name.length <= limits.query.scalar) {
    return `Write a value, "${name}=eq.<value>", or "${name}=is.null" for rows without one. Leave the parameter out to read all rows.`;
  }
  // A value that begins like an operator was probably meant as one: `equals.draft`, `like(some).{a,b}`. So was a list, `(1,2)`.
  if (/^[a-z_]*[.(]/i.test(value)) {
    return `The operators are ${operatorNames.join(', ')}. The prefix not. negates one.`;
  }
  const filter = `${name}=eq.${value}`;
  const example = filter.length > limits.query.scalar ? '<column>=eq.<value>' : filter;
  return `Perhaps you meant "${example}". All parameters except select, order, limit, offset, columns, on_conflict, and, or are filters.`;
}
