/**
 * Validates the values of filters on columns of types other than text. Postgres would refuse most invalid values with the
 * same message. Two kinds must not reach it: times with an unknown time zone, which Postgres would keep in memory
 * (time-zone.ts), and numbers of a million digits. The word null gets a hint here that Postgres lacks.
 */
import type { Column } from '../../../schema/collection.ts';
import { type Kind, postgresType } from '../../../schema/postgres-types.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { limits } from '../../common/limits.ts';
import { shorten } from '../../common/text.ts';
import { isComparison, rowOf } from '../request/operators.ts';
import type { Operation } from '../request/request.ts';
import type { PlannedField } from './plan.ts';
import { isZoneName } from './time-zone.ts';

/** Returns the failure of an operand, if it is invalid. */
export function checkValue(field: PlannedField, operation: Operation): Failure | undefined {
  const { column, type, path } = field;
  if (path.length > 0 || operation.operator === 'is' || rowOf(operation.operator)?.kind === 'range') {
    return undefined; // No column has a range type: Postgres refuses the operator before it reads the operand.
  }
  const values = valuesOf(operation);
  const nullWord = values.find(value => /^null$/i.test(value));
  if (nullWord !== undefined && isComparison(operation.operator) && !hasWordNull(type)) {
    return {
      ...invalid(field, nullWord),
      hint: `Compare with null by is: ${column}=is.null, or ${column}=not.is.null.`,
    };
  }
  const bare = values.find(value => kindOf(type) === 'array' && takesArray(operation) && !isArray(value));
  if (bare !== undefined) {
    const example = `${column}=${operation.operator}.{${bare.replace(/^[[(]|[\])]$/g, '')}}`;
    return {
      ...invalid(field, bare),
      hint: `Write an array in braces: ${example.length > limits.query.scalar ? `${column}=cs.{a,b}` : example}.`,
    };
  }
  const check = type.values ? isShort : checks[kindOf(type)];
  const invalidValue = values.find(value => !check(value));
  return invalidValue === undefined ? undefined : invalid(field, invalidValue);
}

/** A time whose offset has a blank in place of its plus sign: a query string decodes `+` to a blank. */
const lostPlus =
  /(\d{4,6}-\d\d?-\d\d?[t ]\d\d?:?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?) (\d\d:?\d\d)(?= ?(?:[",}]|$))/gi;

/** Returns an operation on a column with the plus signs that its times have lost. */
export function withPlusSigns<O extends Operation>(type: Column['type'], operation: O): O {
  const restored = (value: string): string => value.replace(lostPlus, '$1+$2');
  if (kindOf(type) !== 'time') {
    return operation;
  }
  return 'values' in operation
    ? { ...operation, values: operation.values.map(restored) }
    : { ...operation, value: restored(operation.value) };
}

/** Whether an operator on an array column takes one array; `in.(…)` and `eq(any).{…}` take several. */
const takesArray = (operation: Operation): boolean =>
  rowOf(operation.operator)?.kind === 'comparison'
    ? !('quantifier' in operation && operation.quantifier !== undefined)
    : ['cs', 'cd', 'ov'].includes(operation.operator);

/** Whether a text begins like an array literal of Postgres: `{a,b}`, `[1:2]={a,b}`. */
const isArray = (value: string): boolean => /^\s*(?:\{|\[[^\]]*\]\s*(?:\[|=))/.test(value);

const kindOf = ({ postgres }: Column['type']): Kind => postgresType(postgres).kind;

/** Whether the type has a value that is spelled `null`: a text, or JSON's null. */
const hasWordNull = (type: Column['type']): boolean => ['text', 'json'].includes(kindOf(type));

type InvalidValue = Extract<Failure, { is: 'invalid value' }>;

/** Whether an operand is no longer than the values of fixed-size types. */
const isShort = (value: string): boolean => value.length <= limits.query.scalar;

/** Whether a number has few digits. Postgres stores 1e131071 in ten bytes, but expands all its digits to compare it. */
const isShortNumber = (value: string): boolean => {
  const [, exponent = ''] = value.toLowerCase().split('e');
  return isShort(value) && !(Math.abs(Number(exponent)) >= limits.query.exponent);
};

function invalid({ column, type }: PlannedField, value: string): InvalidValue {
  const kind = kindOf(type);
  return {
    is: 'invalid value',
    of: column,
    sqlstate: kind === 'time' ? '22007' : '22P02',
    message: `${complaintOf(kind, type.postgres)}: "${shorten(value, limits.query.scalar)}"`,
    ...(kind === 'time' && {
      hint: 'Write a time as 2026-05-20T10:00:00Z, with Z, an offset, or a space and the name of a time zone. The words now, today, tomorrow, yesterday, infinity and -infinity are valid too.',
    }),
  };
}

/** Returns Postgres's message for a value that does not fit its type. */
function complaintOf(kind: Kind, postgres: string): string {
  if (kind === 'array') return 'malformed array literal';
  return `invalid input ${kind === 'enum' ? 'value for enum' : 'syntax for type'} ${postgres}`;
}

/** Returns the operand, or the elements of `in.(…)` and of the array in `eq(any).{…}`. */
function valuesOf(operation: Exclude<Operation, { operator: 'is' }>): string[] {
  if ('values' in operation) {
    return operation.values;
  }
  return 'quantifier' in operation && operation.quantifier !== undefined
    ? elementsOf(operation.value)
    : [operation.value];
}

/**
 * Returns the elements of a Postgres array. An array with a backslash or inner braces counts as one value, which is invalid.
 */
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
/** A date in the format of ISO 8601 or Postgres, with a year of up to six digits, and the rest of the text. */
const dayAndRest = /^(?:\d{4,6}-\d\d?-\d\d?|\d{8})(?:[t ](.*))?$/is;
/** A time of day, and the rest of the text. */
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

/** By the kind of the column: whether a value of a filter may reach Postgres. */
const checks: Record<Kind, (value: string) => boolean> = {
  time: isTime,
  number: isShortNumber,
  uuid: isShort,
  boolean: isShort,
  enum: isShort,
  text: () => true,
  json: () => true,
  array: () => true,
};
