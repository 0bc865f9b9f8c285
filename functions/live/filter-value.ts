/** Whether Postgres takes a text as a value of a column's type. What is refused here would fail each reading of a change. */
import type { ColumnType } from '../../schema/column-type.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const whole = /^-?\d{1,19}$/;
const decimal = /^-?\d{1,30}(?:\.\d{1,30})?$/;
const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const time =
  /^(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

const isWithin = (value: string, bits: number): boolean =>
  whole.test(value) && BigInt.asIntN(bits, BigInt(value)) === BigInt(value);

/** A date of the calendar, from the year 1 on. */
function isDay(value: string): boolean {
  const [, year = '', month = '', date = ''] = day.exec(value) ?? [];
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return (
    Number(year) > 0 && Number(month) >= 1 && Number(month) <= 12 && Number(date) >= 1 && Number(date) <= last
  );
}

/** By the type in Postgres: how a value is written in a filter, and whether one is. */
const forms: Record<string, [form: string, is: (value: string) => boolean]> = {
  uuid: ['a uuid', value => uuid.test(value)],
  integer: ['a whole number', value => isWithin(value, 32)],
  bigint: ['a whole number', value => isWithin(value, 64)],
  numeric: ['a number', value => decimal.test(value)],
  boolean: ['true or false', value => value === 'true' || value === 'false'],
  date: ['a date as 2026-05-20', isDay],
  'timestamp with time zone': ['a time as 2026-05-20T10:00:00Z', value => isDay(time.exec(value)?.[1] ?? '')],
  text: ['a text', () => true],
  'character varying': ['a text', () => true],
};

/** What a value of the type must be, unless it is; undefined of a type that can't be compared. */
export function complaintOf({ postgres, values }: ColumnType, value: string): string | undefined {
  if (postgres.startsWith('builder.')) {
    return values?.includes(value) ? undefined : `one of ${values?.join(', ')}`;
  }
  const [form, is] = forms[postgres] ?? ['null, by is.null: this column is not compared', () => false];
  return is(value) && value.isWellFormed() && !value.includes('\0') ? undefined : form;
}
