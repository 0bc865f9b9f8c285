/**
 * The Postgres types of columns, a row for each: how a body, a cast, a filter, CSV, live updates and the documents treat its
 * values. A column of another type does not compile.
 */
import * as v from 'valibot';
import { expects } from './format-error.ts';
import { isInCalendar, iso8601, isWithinYears } from './iso8601.ts';
import { uuidPattern } from './uuid.ts';

/** Any JSON value, as `supabase gen types` writes it: without its recursion, supabase-js can't type `select=a->b->>c`. */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

/** What values are: by it, casts are possible, filters are checked, and CSV is written and read. */
export type Kind = 'text' | 'enum' | 'number' | 'boolean' | 'uuid' | 'time' | 'json' | 'array';

interface PostgresType<T = unknown> {
  kind: Kind;
  /** Its name in pg_type, by which clients of live updates convert. */
  typname: string;
  /** Other names by which a cast may call it. */
  aliases?: readonly string[];
  /** JSON Schema (2020-12) of a value. */
  jsonSchema: Readonly<Record<string, unknown>>;
  /**
   * A value in a body, and as a text in a filter of live updates; each check has the SQLSTATE with which Postgres would refuse
   * the value. A number or a boolean may also be a string, as in CSV and as Postgres reads it.
   */
  format: v.GenericSchema<unknown, T>;
  /** Matches the beginning of a JSON member whose number Postgres may read differently from JavaScript. */
  inexact?: RegExp;
  /** What JavaScript reads of a value, if that is less than what is stored. */
  readAs?: 'milliseconds' | 'double';
}

/** Numbers and booleans are converted to text, as Postgres does; objects and arrays are refused. */
const textFormat = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], expects('22P02', 'a text')),
  v.transform(String),
);

const wholeFormat = (smallest: number, largest: number) => {
  const expected = 'a whole number';
  return v.pipe(
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
  );
};

const isTooSmallOrLarge = /e[+-]?\d{3}/i;

/** Exponents are limited because Postgres stores 1e-16383 in a few bytes, and writes it with 16,386. */
const numberFormat = v.pipe(
  v.union(
    [
      v.number(),
      v.pipe(
        v.string(),
        v.maxLength(1000, expects('22003', 'a number of at most 1000 characters')),
        v.regex(/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i, expects('22P02', 'a number')),
        v.check(
          text => !isTooSmallOrLarge.test(text),
          expects('22003', 'a number with an exponent of at most two digits'),
        ),
      ),
    ],
    expects('22P02', 'a number'),
  ),
  v.transform(Number),
);

const truths = /^\s*(?:t(?:rue)?|f(?:alse)?|y(?:es)?|n(?:o)?|on|off|1|0)\s*$/i;
const booleanFormat = v.pipe(
  v.union(
    [v.boolean(), v.picklist([0, 1]), v.pipe(v.string(), v.regex(truths, expects('22P02', 'true or false')))],
    expects('22P02', 'true or false'),
  ),
  v.transform(value => /^\s*(?:t|y|on|1)/i.test(String(value))),
);

const timeFormat = (expected: string) =>
  v.pipe(
    v.string(expects('22007', expected)),
    v.regex(iso8601, expects('22007', expected)),
    v.check(isInCalendar, expects('22008', `${expected} that exists`)),
  );

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

/** This is a custom check, because valibot's `array` reports several issues for one bad element. */
const arrayFormat = v.custom<string[] | string>(
  value =>
    Array.isArray(value) ? value.every(isScalar) : typeof value === 'string' && isArrayLiteral(value),
  expects('22P02', 'an array of texts'),
);

const objectFormat = v.custom<Json & object>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
  expects('23514', 'a JSON object'),
);

const string = { type: 'string' };

/** By the names of `format_type()`. */
export const postgresTypes = {
  text: { kind: 'text', typname: 'text', jsonSchema: string, format: textFormat },
  'character varying': {
    kind: 'text',
    typname: 'varchar',
    aliases: ['varchar'],
    jsonSchema: string,
    format: textFormat,
  },
  integer: {
    kind: 'number',
    typname: 'int4',
    aliases: ['int', 'int4'],
    jsonSchema: { type: 'integer', format: 'int32' },
    format: wholeFormat(-(2 ** 31), 2 ** 31 - 1),
    inexact: /\s*:\s*-?(?:\d{16}|\d+[.eE])/y,
  },
  /** Ids: integers that JavaScript represents exactly. */
  bigint: {
    kind: 'number',
    typname: 'int8',
    aliases: ['int8'],
    jsonSchema: { type: 'integer', format: 'int64' },
    format: wholeFormat(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    inexact: /\s*:\s*-?(?:\d{16}|\d+[.eE])/y,
  },
  numeric: {
    kind: 'number',
    typname: 'numeric',
    aliases: ['decimal'],
    jsonSchema: { type: 'number' },
    format: numberFormat,
    inexact: /\s*:\s*-?\d+(?:\.\d+)?[eE]/y,
    readAs: 'double',
  },
  boolean: {
    kind: 'boolean',
    typname: 'bool',
    aliases: ['bool'],
    jsonSchema: { type: 'boolean' },
    format: booleanFormat,
    inexact: /\s*:\s*-?\d+[.eE]/y,
  },
  uuid: {
    kind: 'uuid',
    typname: 'uuid',
    jsonSchema: { type: 'string', format: 'uuid' },
    format: v.pipe(v.string(expects('22P02', 'a uuid')), v.regex(uuidPattern, expects('22P02', 'a uuid'))),
  },
  /** Also accepts a timestamp, as toISOString() of JavaScript returns it: Postgres stores its date. */
  date: {
    kind: 'time',
    typname: 'date',
    jsonSchema: { type: 'string', format: 'date' },
    format: timeFormat('a date in the form YYYY-MM-DD'),
  },
  /** Other times could be written but not read back: JavaScript's Date does not represent them. */
  'timestamp with time zone': {
    kind: 'time',
    typname: 'timestamptz',
    aliases: ['timestamptz'],
    jsonSchema: { type: 'string', format: 'date-time' },
    readAs: 'milliseconds',
    format: v.pipe(
      timeFormat('an ISO 8601 timestamp with time zone'),
      v.check(isWithinYears, expects('22008', 'within the years 1 to 9999 in UTC')),
    ),
  },
  jsonb: {
    kind: 'json',
    typname: 'jsonb',
    jsonSchema: { type: 'object', additionalProperties: true },
    format: objectFormat,
  },
  'text[]': {
    kind: 'array',
    typname: '_text',
    jsonSchema: { type: 'array', items: { type: ['string', 'null'] } },
    format: arrayFormat,
  },
} as const satisfies Record<string, PostgresType>;

/** Enumerations are the one kind of type in the schema `builder`; their columns list the values. */
export type PostgresName = keyof typeof postgresTypes | `builder.${string}`;

const isNamed = (name: string): name is keyof typeof postgresTypes => Object.hasOwn(postgresTypes, name);

/** Returns the row of a type. */
export const postgresType = (name: PostgresName): PostgresType =>
  isNamed(name)
    ? postgresTypes[name]
    : { kind: 'enum', typname: name.replace('builder.', ''), jsonSchema: string, format: textFormat };
