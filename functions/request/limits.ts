/**
 * How much one request may ask for: far more than any page or form does, and little enough to be no burden. Levels of
 * logic trees are the scanner's, columns to select the plan's.
 */
import type { Failure } from '../failure.ts';
import type { ApiRequest, Condition } from './api-request.ts';

export const limits = {
  /** In one query string, those in logic trees too. */
  filters: 200,
  /** Between the parentheses of `in`: as many as a page has rows. */
  listValues: 1000,
  orderTerms: 50,
  /** Of one column in the query string. */
  jsonSteps: 32,
  /** Levels of lists and objects, one in the other. */
  bodyLevels: 500,
  bodyRows: 20_000,
  /** Characters of each header that is read here. */
  header: 8000,
} as const;

const tooMany = (what: string, limit: number): Failure => ({ is: 'too complex', what, limit });

/** What a query string has too much of. */
export function findExcess({
  conditions,
  order,
}: Pick<ApiRequest, 'conditions' | 'order'>): Failure | undefined {
  if (countFilters(conditions) > limits.filters) {
    return tooMany('filters', limits.filters);
  }
  if (hasLongList(conditions)) {
    return tooMany('values in a list', limits.listValues);
  }
  return order.length > limits.orderTerms ? tooMany('columns to order by', limits.orderTerms) : undefined;
}

export const isTooLong = (header: string | null): boolean => header !== null && header.length > limits.header;

export const tooManyRows = tooMany('rows in its body', limits.bodyRows);

/** What a body of so many rows has too much of; its text is JSON. */
export function findExcessOfBody(json: string, rows: number): Failure | undefined {
  if (rows > limits.bodyRows) {
    return tooManyRows;
  }
  return hasOpenings(json, limits.bodyLevels) && levelsOf(json) > limits.bodyLevels
    ? tooMany('levels of nesting in its body', limits.bodyLevels)
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
      ? condition.operation.operator === 'in' && condition.operation.values.length > limits.listValues
      : hasLongList(condition.conditions),
  );

/** Whether brackets and braces open more often than that: what doesn't need not be read letter by letter. */
function hasOpenings(json: string, limit: number): boolean {
  let count = 0;
  for (const opening of '[{') {
    for (let at = json.indexOf(opening); at >= 0 && count <= limit; at = json.indexOf(opening, at + 1)) {
      count++;
    }
  }
  return count > limit;
}

const [quote, backslash, bracket, brace, endBracket, endBrace] = Array.from('"\\[{]}', character =>
  character.charCodeAt(0),
);

/** The deepest; the brackets of texts don't count. By character codes, since a body may be long. */
function levelsOf(json: string): number {
  let level = 0;
  let deepest = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      inText = !inText;
    } else if (inText) {
      if (code === backslash) at++;
    } else if (code === bracket || code === brace) {
      level++;
      if (level > deepest) deepest = level;
    } else if (code === endBracket || code === endBrace) {
      level--;
    }
  }
  return deepest;
}
