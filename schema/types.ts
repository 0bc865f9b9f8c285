/** The types of columns: a Postgres type, and what the column's own check in the database demands beyond it. */
import * as v from 'valibot';
import { bytesOf, type ColumnType } from './column-type.ts';
import { expects, type FormatError } from './format-error.ts';
import { postgresTypes } from './postgres-types.ts';

const sizedText =
  (postgres: 'text' | 'character varying') =>
  (maxBytes: number): ColumnType<string> => {
    const expected = `a text of at most ${maxBytes} bytes`;
    return {
      postgres,
      expected,
      maxBytes,
      format: v.pipe(
        postgresTypes[postgres].format,
        v.check(
          // A UTF-16 unit takes at most three bytes in UTF-8, so short texts need not be counted.
          value => value.length * 3 <= maxBytes || bytesOf(value) <= maxBytes,
          expects('23514', expected),
        ),
      ),
    };
  };
export const text = sizedText('text');
export const varchar = sizedText('character varying');

/** Returns a type that refuses some values of another. */
export const checked = <T>(
  base: ColumnType<T>,
  expected: string,
  isValid: (value: T) => boolean,
): ColumnType<T> => ({
  ...base,
  expected,
  format: v.pipe(base.format, v.check(isValid, expects('23514', expected))),
});

/** Matches a text with a visible character. */
export const notBlank = (base: ColumnType<string>): ColumnType<string> =>
  checked(base, 'a text that is not blank', value => /[^\s\p{C}\p{Z}]/u.test(value));

export const patterned = (
  base: ColumnType<string>,
  pattern: RegExp,
  expected: string,
): ColumnType<string> => ({
  ...checked(base, expected, value => pattern.test(value)),
  pattern,
  emptyIsNull: true,
});
export const quoteNumber = patterned(text(13), /^QT-[0-9]{4}-[0-9]{5}$/, 'QT-<year>-<5 digits>');
export const graphicCode = patterned(
  text(100),
  /^[A-Z0-9_-]+$/,
  'a code of capital letters, digits, dashes and underscores',
);
export const currency = patterned(varchar(3), /^[A-Z]{3}$/, 'a currency code of three capital letters');

const listed = (
  postgres: 'text' | `builder.${string}`,
  sqlstate: FormatError,
  values: string[],
): ColumnType<string> => {
  const expected = `one of ${values.join(', ')}`;
  return {
    postgres,
    expected,
    values,
    emptyIsNull: true,
    format: v.picklist(values, expects(sqlstate, expected)),
  };
};
export const oneOf = (...values: string[]) => listed('text', '23514', values);
export const enumeration = (postgres: `builder.${string}`, ...values: string[]) =>
  listed(postgres, '22P02', values);

/** Returns the type of a column that takes all values of its Postgres type. An empty field of a form is none. */
const plain = <Postgres extends keyof typeof postgresTypes>(postgres: Postgres, expected: string) => {
  const { format }: Pick<(typeof postgresTypes)[Postgres], 'format'> = postgresTypes[postgres];
  return { postgres, expected, format, emptyIsNull: true as const };
};
export const uuid: ColumnType<string> = plain('uuid', 'a uuid');
export const integer: ColumnType<number> = plain('integer', 'a whole number');
export const bigint: ColumnType<number> = plain('bigint', `a whole number up to ${Number.MAX_SAFE_INTEGER}`);
export const boolean: ColumnType<boolean> = plain('boolean', 'true or false');
export const timestamptz: ColumnType<string> = plain('timestamp with time zone', 'a time');
export const eventDate = checked<string>(
  plain('date', 'a date'),
  'a date from 1900-01-01 on, with a year of four digits',
  value => value >= '1900',
);

const notNegative = (type: ColumnType<number>): ColumnType<number> => ({
  ...checked(type, 'a number that is not negative', value => value >= 0),
  jsonSchema: { minimum: 0 },
});
export const count = notNegative(integer);
export const price: ColumnType<number> = {
  ...checked(notNegative(plain('numeric', 'a number')), 'a number below 1e30', value => value < 1e30),
  expected: 'a number from 0 to 1e30, with at most 20 decimal places',
};

/** The options of a time that the database sets. */
export const stamped = { default: 'now()', neverNull: true } as const;

/**
 * An array with limits on the number of its texts and on their bytes, joined by commas. A Postgres array literal is
 * counted by Postgres itself.
 */
export function textArray(maxItems: number, maxBytes: number): ColumnType<string[]> {
  const expected = `at most ${maxItems} texts of at most ${maxBytes} bytes together`;
  return {
    postgres: 'text[]',
    expected,
    maxBytes,
    jsonSchema: { maxItems },
    format: v.pipe(
      postgresTypes['text[]'].format,
      v.check(
        value =>
          typeof value === 'string' || (value.length <= maxItems && bytesOf(value.join(',')) <= maxBytes),
        expects('23514', expected),
      ),
      v.transform(value => (typeof value === 'string' ? [value] : value)),
    ),
  };
}
