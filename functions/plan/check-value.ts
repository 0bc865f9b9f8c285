/**
 * The values of filters on columns that are no texts. Postgres would refuse most wrong ones itself, in the same words;
 * what it must not see is a time with a zone that somebody invented, which it keeps (time-zone.ts), and a number of a
 * million digits.
 */
import type { Column } from '../../schema/collection.ts';
import type { Failure } from '../failure.ts';
import { limits } from '../limits.ts';
import type { Operation } from '../request/api-request.ts';
import { isZoneName } from '../time-zone.ts';
import type { PlannedField } from './plan.ts';

/** What is wrong with an operation's value, if anything. */
export function checkValue({ type, path }: PlannedField, operation: Operation): Failure | undefined {
  const check = path.length > 0 ? undefined : checkOf(type);
  if (check === undefined || operation.operator === 'is') {
    return undefined;
  }
  const wrong = valuesOf(operation).find(value => !check(value));
  return wrong === undefined ? undefined : invalid(type, wrong);
}

function checkOf({ postgres, values }: Column['type']): ((value: string) => boolean) | undefined {
  switch (postgres) {
    case 'date':
    case 'timestamp with time zone':
      return isTime;
    case 'uuid':
    case 'integer':
    case 'bigint':
    case 'numeric':
    case 'boolean':
      return isShort;
    default:
      return values ? isShort : undefined;
  }
}

const isShort = (value: string): boolean => value.length <= limits.scalar;

function invalid({ postgres }: Column['type'], value: string): Failure {
  const shown = value.length > limits.scalar ? `${value.slice(0, limits.scalar)}…` : value;
  const isTimeType = checkOf({ postgres } as Column['type']) === isTime;
  return {
    is: 'invalid value',
    sqlstate: isTimeType ? '22007' : '22P02',
    message: `invalid input syntax for type ${postgres}: "${shown}"`,
    ...(isTimeType && {
      hint: 'A time is written as 2026-05-20T10:00:00Z, with Z, an offset (its + as %2B) or a space and the name of a time zone, or is now, today, tomorrow, yesterday, infinity or -infinity.',
    }),
  };
}

/** The value, or the elements of a list: `in.(…)`, and the array of `eq(any).{…}`. */
function valuesOf(operation: Exclude<Operation, { operator: 'is' }>): string[] {
  if ('values' in operation) {
    return operation.values;
  }
  return 'quantifier' in operation && operation.quantifier !== undefined
    ? elementsOf(operation.value)
    : [operation.value];
}

/** Of an array as Postgres writes it. With a backslash or another brace inside it counts as one value, which fits no type. */
function elementsOf(array: string): string[] {
  const inside = /^\s*\{([^{}\\]*)\}\s*$/.exec(array)?.[1];
  return inside === undefined
    ? [array]
    : inside
        .split(',')
        .map(element => element.trim().replace(/^"([^"]*)"$/, '$1'))
        .filter(element => element !== '' && element.toLowerCase() !== 'null');
}

const special = /^(?:now(?:\(\))?|today|tomorrow|yesterday|epoch|[+-]?infinity)$/i;
/** ISO 8601, with spaces for `T` and before the zone, and what Postgres writes itself: a year of six digits, BC. */
const time =
  /^(?:\d{4,6}-\d{1,2}-\d{1,2}|\d{8})(?:[t ]\d{1,2}:?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?(?: ?z| ?[+-]\d{1,2}(?::?\d\d(?::?\d\d)?)?| (?<zone>[a-z][a-z0-9_+/-]*))?)?(?: bc)?$/i;

function isTime(value: string): boolean {
  if (!isShort(value)) {
    return false;
  }
  const text = value.trim();
  const found = time.exec(text);
  const zone = found?.groups?.['zone'];
  return special.test(text) || (found !== null && (zone === undefined || isZoneName(zone)));
}
