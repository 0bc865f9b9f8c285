/**
 * The values of filters on columns that are no texts. Postgres would refuse most wrong ones itself, in the same words;
 * what it must not see is a time with a zone that somebody invented, which it keeps (time-zone.ts), and a number of a
 * million digits.
 */
import type { Column } from '../../schema/collection.ts';
import { limits } from '../common/limits.ts';
import type { Failure } from '../failure/failure.ts';
import type { Operation } from '../request/request.ts';
import type { PlannedField } from './plan.ts';
import { isZoneName } from './time-zone.ts';

/** What is wrong with an operation's value, if anything. */
export function checkValue({ type, path }: PlannedField, operation: Operation): Failure | undefined {
  const check = path.length > 0 ? undefined : checkOf(type);
  if (check === undefined || operation.operator === 'is' || ofRanges.includes(operation.operator)) {
    return undefined;
  }
  const wrong = valuesOf(operation).find(value => !check(value));
  return wrong === undefined ? undefined : invalid(type, wrong);
}

/** No column is a range: Postgres has no such operator for it, and doesn't look at the value. */
const ofRanges: Operation['operator'][] = ['sl', 'sr', 'nxr', 'nxl', 'adj'];

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

const isShort = (value: string): boolean => value.length <= limits.query.scalar;

function invalid({ postgres }: Column['type'], value: string): Failure {
  const shown = value.length > limits.query.scalar ? `${value.slice(0, limits.query.scalar)}…` : value;
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
/** A day as ISO 8601 or Postgres writes it, in a year of up to six digits, and what follows it. */
const dayAndRest = /^(?:\d{4,6}-\d\d?-\d\d?|\d{8})(?:[t ](.*))?$/is;
/** A time of day, and what follows it. */
const clockAndRest = /^\d\d?:?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?(.*)$/s;
const offset = /^ ?(?:z|[+-]\d\d?(?::?\d\d){0,2})$/i;

function isTime(value: string): boolean {
  if (!isShort(value)) {
    return false;
  }
  const text = value.trim().replace(/ bc$/i, '');
  if (special.test(text)) {
    return true;
  }
  const day = dayAndRest.exec(text);
  const clock = day?.[1] === undefined ? undefined : clockAndRest.exec(day[1]);
  const zone = clock?.[1] ?? '';
  return (
    day !== null &&
    clock !== null &&
    (zone === '' || offset.test(zone) || (zone.startsWith(' ') && isZoneName(zone.slice(1))))
  );
}
