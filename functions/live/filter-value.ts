/** Whether Postgres takes a text as a value of a column's type. What is refused here would fail each reading of a change. */
import type { ColumnType } from '../../schema/column-type.ts';
import { isShort } from '../plan/check-value.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const whole = /^-?\d+$/;
const decimal = /^-?\d+(?:\.\d+)?$/;
const day = /^(?!0000)\d{4}-\d\d-\d\d$/;
const time =
  /^(\d{4}-\d\d-\d\d)[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

const isWhole = (value: string, bits: number): boolean =>
  isShort(value) && whole.test(value) && BigInt.asIntN(bits, BigInt(value)) === BigInt(value);

/** Whether it is a date of the calendar, from the year 1 on. JavaScript takes 2026-02-30 for the second of March. */
const isDay = (value: string): boolean =>
  day.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, value.length) === value;

/** By the type in Postgres: how a value is written in a filter, and whether one is. */
const forms: Record<string, [form: string, is: (value: string) => boolean]> = {
  uuid: ['a uuid', value => uuid.test(value)],
  integer: ['a whole number', value => isWhole(value, 32)],
  bigint: ['a whole number', value => isWhole(value, 64)],
  numeric: ['a number', value => isShort(value) && decimal.test(value)],
  boolean: ['true or false', value => value === 'true' || value === 'false'],
  date: ['a date as 2026-05-20', isDay],
  'timestamp with time zone': ['a time as 2026-05-20T10:00:00Z', value => isDay(time.exec(value)?.[1] ?? '')],
  text: ['a text', () => true],
  'character varying': ['a text', () => true],
};

/** Returns what a value of the type must be, unless it is; undefined of a type that can't be compared. */
export function complaintOf({ postgres, values }: ColumnType, value: string): string | undefined {
  if (postgres.startsWith('builder.')) {
    return values?.includes(value) ? undefined : `one of ${values?.join(', ')}`;
  }
  const [form, is] = forms[postgres] ?? ['null, by is.null: this column is not compared', () => false];
  return is(value) && value.isWellFormed() && !value.includes('\0') ? undefined : form;
}
