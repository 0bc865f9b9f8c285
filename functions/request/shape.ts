/**
 * What the plan of a read depends on, apart from the operands of its comparisons: `id=eq.1` and `id=eq.2` have one shape. A
 * program sends few shapes, each of them again and again.
 */

import { limits } from '../common/limits.ts';
import { isRead } from './method.ts';
import type { HttpHead } from './parse-request.ts';
import { decode } from './query-string.ts';

export interface Shape {
  /** Equal for requests of one shape. */
  text: string;
  /** In the order of the query. */
  operands: Operand[];
}

export interface Operand {
  value: string;
  /** Which of the request's conditions it belongs to, from 0. */
  condition: number;
}

/** Characters: what is longer is not kept. */
const longest = limits.memoize.textLength;

/** A comparison of a column with one value, which is all that follows the operator. */
const comparison = /^([a-z_]+=(?:eq|neq|gte?|lte?)\.)(.*)$/s;

/** The parameters that are no conditions. */
const clauses = /^(?:select|order|columns|on_conflict|limit|offset)=/;

/** A parameter whose name only a parser understands. */
const isUnusual = (parameter: string): boolean => /^[^=]*[%+]/.test(parameter);

/** The headers that a read's plan depends on, but for those of a conditional request. */
const headers = ['accept', 'accept-profile', 'prefer', 'range'];
const conditionHeaders = ['if-match', 'if-none-match'];

/**
 * Returns the shape of a read. Not of a write, whose plan depends on its body, nor of what is long, of a conditional request,
 * which names versions that no other one names, or of what is hard to tell.
 */
export function shapeOf({ method, query, header }: HttpHead): Shape | undefined {
  const isRare = query.length > longest || conditionHeaders.some(name => header(name) !== null);
  if (!isRead(method) || isRare) {
    return undefined;
  }
  // A NUL, which separates the parts, is in no header and in no query.
  let text = method as string;
  for (const name of headers) {
    const value = header(name);
    text += value === null ? '\0' : `\0=${value}`;
  }
  const operands: Operand[] = [];
  let conditions = 0;
  for (const parameter of query.split(/[&;]/)) {
    if (isUnusual(parameter)) {
      return undefined;
    }
    const isCondition = parameter.includes('=') && !clauses.test(parameter);
    const [, start, value] = (isCondition && comparison.exec(parameter)) || [];
    if (start !== undefined && value !== undefined) {
      operands.push({ value: decode(value), condition: conditions });
    }
    text += `\0${start ?? parameter}${start === undefined ? '' : '\0'}`;
    conditions += isCondition ? 1 : 0;
  }
  return text.length > longest ? undefined : { text, operands };
}
