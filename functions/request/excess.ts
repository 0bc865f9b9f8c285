/** Finds what exceeds a limit of functions/common/limits.ts in a request: in its query, or in the JSON of its body. */
import { limits } from '../common/limits.ts';
import type { Failure } from '../failure/failure.ts';
import type { ApiRequest, Condition } from './request.ts';

export const tooMany = (what: string, limit: number, hint?: string): Failure => ({
  is: 'too complex',
  what,
  limit,
  ...(hint !== undefined && { hint }),
});

export const isTooLong = (header: string | null): boolean =>
  header !== null && header.length > limits.request.header;

export const tooManyRows = tooMany('rows in its body', limits.body.rows);

export const tooManyColumns = tooMany(
  'columns in its body',
  limits.body.columns,
  'Send only columns of the collection.',
);

export const tooLongRows = tooMany(
  'characters in its rows, including the column names of each',
  limits.body.csvAsJson,
  'Send fewer rows at a time, or omit empty columns.',
);

/** The limits of a JSON text. */
export const jsonExcesses = {
  levels: tooMany(
    'levels of nesting in its body',
    limits.body.levels,
    'Nest its lists and objects less deeply, or send the innermost ones as text.',
  ),
  lists: tooMany(
    'lists and objects in its body',
    limits.body.lists,
    'Send fewer rows at a time, or smaller ones.',
  ),
  values: tooMany('values in its body', limits.body.values, 'Send fewer rows at a time, or smaller ones.'),
  numberLength: tooMany(
    'characters in a number of its body',
    limits.body.numberLength,
    'Round the number, or send it as text.',
  ),
  exponentDigits: tooMany(
    'digits in the exponent of a number of its body',
    limits.body.exponentDigits,
    'Round the number, or send it as text.',
  ),
} as const;

/** Returns the limit that a query string exceeds. */
export function findExcess({
  select,
  conditions,
  order,
  columns = [],
  onConflict = [],
}: Pick<ApiRequest, 'select' | 'conditions' | 'order' | 'columns' | 'onConflict'>): Failure | undefined {
  if (select.length > limits.query.outputs) {
    return tooMany('columns to select', limits.query.outputs);
  }
  if (countFilters(conditions) > limits.query.filters) {
    return tooMany('filters', limits.query.filters);
  }
  if (hasLongList(conditions)) {
    return tooMany('values in a list', limits.query.listValues);
  }
  if (Math.max(columns.length, onConflict.length) > limits.query.listedColumns) {
    return tooMany('columns in a list', limits.query.listedColumns, 'Name each column once.');
  }
  return order.length > limits.query.orderTerms
    ? tooMany('columns to order by', limits.query.orderTerms)
    : undefined;
}

const countFilters = (conditions: Condition[]): number =>
  conditions.reduce(
    (sum, condition) => sum + (condition.is === 'filter' ? 1 : countFilters(condition.conditions)),
    0,
  );

const hasLongList = (conditions: Condition[]): boolean =>
  conditions.some(condition =>
    condition.is === 'filter'
      ? condition.operation.operator === 'in' && condition.operation.values.length > limits.query.listValues
      : hasLongList(condition.conditions),
  );

const codeOf = (character: string): number => character.charCodeAt(0);
const [quote, backslash, dot, comma, zero, nine] = [
  codeOf('"'),
  codeOf('\\'),
  codeOf('.'),
  codeOf(','),
  codeOf('0'),
  codeOf('9'),
];
const [bracket, brace, endBracket, endBrace] = [codeOf('['), codeOf('{'), codeOf(']'), codeOf('}')];
const [smallE, capitalE, plus, minus] = [codeOf('e'), codeOf('E'), codeOf('+'), codeOf('-')];

/**
 * Returns the limit that a JSON text exceeds. It scans the characters once, before JSON.parse allocates anything, and
 * skips string contents. Malformed JSON is left to JSON.parse.
 */
export function findJsonExcess(json: string): Failure | undefined {
  let level = 0;
  let lists = 0;
  let commas = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = closingQuote(json, at);
    } else if (code === bracket || code === brace) {
      level++;
      lists++;
      if (level > limits.body.levels) return jsonExcesses.levels;
      if (lists > limits.body.lists) return jsonExcesses.lists;
    } else if (code === comma) {
      commas++;
      if (commas >= limits.body.values) return jsonExcesses.values;
    } else if (code === endBracket || code === endBrace) {
      level--;
    } else if (isDigit(code)) {
      const end = endOfDigits(json, at);
      const exponent = startOfExponent(json, end);
      if (end - at > limits.body.numberLength) return jsonExcesses.numberLength;
      at = endOfDigits(json, exponent);
      if (at - exponent > limits.body.exponentDigits) return jsonExcesses.exponentDigits;
      at--;
    }
  }
  return undefined;
}

/** Returns the position of the quote that closes the string at `start`, or the end of the text. */
export function closingQuote(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

const isDigit = (code: number): boolean => code >= zero && code <= nine;

/** Returns the position after the digits and dots that begin at `start`. */
function endOfDigits(json: string, start: number): number {
  let end = start;
  while (isDigit(json.charCodeAt(end)) || json.charCodeAt(end) === dot) end++;
  return end;
}

/** Returns where the digits of the exponent at `at` begin; `at` itself when there is no exponent. */
function startOfExponent(json: string, at: number): number {
  const letter = json.charCodeAt(at);
  if (letter !== smallE && letter !== capitalE) return at;
  const sign = json.charCodeAt(at + 1);
  return at + (sign === plus || sign === minus ? 2 : 1);
}
