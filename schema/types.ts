/**
 * The column types: for each its name in Postgres, and the format of a value in a request body. A number or a boolean may
 * also be a string, as in CSV and form bodies and as Postgres reads it. Every check has the SQLSTATE with which Postgres
 * would refuse the value.
 */
import * as v from 'valibot';
import { bytesOf, type ColumnType, expects, type FormatError } from './column-type.ts';
import { isInCalendar, iso8601, isWithinYears } from './iso8601.ts';

const string = (expected: string): v.StringSchema<string> => v.string(expects('22P02', expected));

/** Numbers and booleans are converted to text, as Postgres does; objects and arrays are refused. */
const sizedText =
  (postgres: string) =>
  (maxBytes: number): ColumnType<string> => ({
    postgres,
    maxBytes,
    format: v.pipe(
      v.union([v.string(), v.number(), v.boolean()], expects('22P02', 'a text')),
      v.transform(String),
      v.check(
        // A UTF-16 unit takes at most three bytes in UTF-8, so short texts need not be counted.
        value => value.length * 3 <= maxBytes || bytesOf(value) <= maxBytes,
        expects('23514', `a text of at most ${maxBytes} bytes`),
      ),
    ),
  });
export const text = sizedText('text');
export const varchar = sizedText('character varying');

/** Matches a text with a visible character. */
export const notBlank = (base: ColumnType<string>): ColumnType<string> => ({
  ...base,
  format: v.pipe(
    base.format,
    v.check(value => /[^\s\p{C}\p{Z}]/u.test(value), expects('23514', 'a text that is not blank')),
  ),
});

export const patterned = (
  base: ColumnType<string>,
  pattern: RegExp,
  expected: string,
): ColumnType<string> => ({
  ...base,
  pattern,
  emptyIsNull: true,
  format: v.pipe(base.format, v.regex(pattern, expects('23514', expected))),
});
export const quoteNumber = patterned(text(13), /^QT-[0-9]{4}-[0-9]{5}$/, 'QT-<year>-<5 digits>');
export const graphicCode = patterned(
  text(100),
  /^[A-Z0-9_-]+$/,
  'a code of capital letters, digits, dashes and underscores',
);
export const currency = patterned(varchar(3), /^[A-Z]{3}$/, 'a currency code of three capital letters');

const listed = <Postgres extends string, const V extends readonly string[]>(
  postgres: Postgres,
  sqlstate: FormatError,
  values: V,
): ColumnType<V[number]> & { postgres: Postgres } => ({
  postgres,
  values,
  emptyIsNull: true,
  format: v.picklist(values, expects(sqlstate, `one of ${values.join(', ')}`)),
});
export const oneOf = <const V extends readonly string[]>(...values: V) => listed('text', '23514', values);
export const enumeration = <Name extends string, const V extends readonly string[]>(
  postgres: `builder.${Name}`,
  ...values: V
) => listed(postgres, '22P02', values);

const uuidPattern = /^(?:[0-9a-f]{4}(?:-?[0-9a-f]{4}){7}|\{[0-9a-f]{4}(?:-?[0-9a-f]{4}){7}\})$/i;
export const uuid: ColumnType<string> = {
  postgres: 'uuid',
  format: v.pipe(string('a uuid'), v.regex(uuidPattern, expects('22P02', 'a uuid'))),
};

const isTooSmallOrLarge = /e[+-]?\d{3}/i;

/** Exponents are limited because Postgres stores 1e-16383 in a few bytes, and writes it with 16,386. */
const numeral = (expected: string) =>
  v.union(
    [
      v.number(),
      v.pipe(
        v.string(),
        v.maxLength(1000, expects('22003', `${expected} of at most 1000 characters`)),
        v.regex(/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i, expects('22P02', expected)),
        v.check(
          text => !isTooSmallOrLarge.test(text),
          expects('22003', `${expected} with an exponent of at most two digits`),
        ),
      ),
    ],
    expects('22P02', expected),
  );

const whole = (postgres: string, smallest: number, largest: number): ColumnType<number> => {
  const expected = 'a whole number';
  return {
    postgres,
    format: v.pipe(
      v.union(
        [
          v.pipe(v.number(), v.integer(expects('22P02', expected))),
          v.pipe(v.string(), v.regex(/^\s*[+-]?\d+\s*$/, expects('22P02', expected))),
        ],
        expects('22P02', expected),
      ),
      v.transform(Number),
      v.minValue(smallest, expects('22003', `${expected} from ${smallest}`)),
      v.maxValue(largest, expects('22003', `${expected} up to ${largest}`)),
    ),
  };
};
export const integer = whole('integer', -(2 ** 31), 2 ** 31 - 1);
/** Ids: integers that JavaScript represents exactly. */
export const bigint = whole('bigint', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

const notNegative = (type: ColumnType<number>): ColumnType<number> => ({
  ...type,
  jsonSchema: { minimum: 0 },
  format: v.pipe(type.format, v.minValue(0, expects('23514', 'a number that is not negative'))),
});
export const count = notNegative(integer);
export const price = notNegative({
  postgres: 'numeric',
  format: v.pipe(
    numeral('a number'),
    v.transform(Number),
    v.ltValue(1e30, expects('23514', 'a number below 1e30')),
  ),
});

export const boolean: ColumnType<boolean> = {
  postgres: 'boolean',
  format: v.pipe(
    v.union(
      [
        v.boolean(),
        v.picklist([0, 1]),
        v.pipe(
          v.string(),
          v.regex(
            /^\s*(?:t(?:rue)?|f(?:alse)?|y(?:es)?|n(?:o)?|on|off|1|0)\s*$/i,
            expects('22P02', 'true or false'),
          ),
        ),
      ],
      expects('22P02', 'true or false'),
    ),
    v.transform(value => /^\s*(?:t|y|on|1)/i.test(String(value))),
  ),
};

const dated = (postgres: string, expected: string): ColumnType<string> => ({
  postgres,
  format: v.pipe(
    v.string(expects('22007', expected)),
    v.regex(iso8601, expects('22007', expected)),
    v.check(isInCalendar, expects('22008', `${expected} that exists`)),
  ),
});
/** Also accepts a timestamp, as toISOString() of JavaScript returns it: Postgres stores its date. */
export const date = dated('date', 'a date in the form YYYY-MM-DD');
const time = dated('timestamp with time zone', 'an ISO 8601 timestamp with time zone');
/** Other times could be written but not read back: JavaScript's Date does not represent them. */
export const timestamptz: ColumnType<string> = {
  ...time,
  format: v.pipe(time.format, v.check(isWithinYears, expects('22008', 'within the years 1 to 9999 in UTC'))),
};
/** The options of a time that the database sets. */
export const stamped = { default: 'now()', neverNull: true } as const;

/** Postgres converts numbers and booleans in an array of texts to text. */
const isScalar = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** Whether a text is a Postgres array literal of one dimension: `{a,"b, c"}`, with backslashes only in quotes. */
function isArrayLiteral(text: string): boolean {
  const literal = text.trim();
  const inside = literal.slice(1, -1).trim();
  if (!literal.startsWith('{') || !literal.endsWith('}') || /[{}\\]/.test(withoutQuoted(inside))) {
    return false;
  }
  const elements = withoutQuoted(inside)
    .split(',')
    .map(element => element.trim());
  return (
    inside === '' || elements.every(element => element === '"' || (element !== '' && !element.includes('"')))
  );
}

/** Returns a text in which each text in quotes is one quote; two where the last is not closed. */
function withoutQuoted(text: string): string {
  let rest = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (isQuoted && character === '\\') {
      at++;
    } else if (character === '"') {
      rest += isQuoted ? '' : '"';
      isQuoted = !isQuoted;
    } else if (!isQuoted) {
      rest += character;
    }
  }
  return isQuoted ? `${rest}"` : rest;
}

/**
 * An array with limits on the number of its texts and on their bytes, joined by commas. A Postgres array literal is
 * counted by Postgres itself. This is a custom check, because valibot's `array` reports several issues for one bad element.
 */
export const textArray = (maxItems: number, maxBytes: number): ColumnType<string[]> => ({
  postgres: 'text[]',
  maxBytes,
  jsonSchema: { maxItems },
  format: v.pipe(
    v.custom<string[] | string>(
      value =>
        Array.isArray(value) ? value.every(isScalar) : typeof value === 'string' && isArrayLiteral(value),
      expects('22P02', 'an array of texts'),
    ),
    v.check(
      value =>
        typeof value === 'string' || (value.length <= maxItems && bytesOf(value.join(',')) <= maxBytes),
      expects('23514', `at most ${maxItems} texts of at most ${maxBytes} bytes together`),
    ),
    v.transform(value => (typeof value === 'string' ? [value] : value)),
  ),
});
