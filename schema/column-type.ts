/** A column type: its name in Postgres, and the format of a value in a request body. */
import type * as v from 'valibot';

export interface ColumnType<T = unknown> {
  /** As `format_type()` names it, enums with their schema. */
  postgres: string;
  format: v.GenericSchema<unknown, T>;
  /** The allowed values, if they are enumerated. */
  values?: readonly string[];
  /** The pattern of a text, if it has one. */
  pattern?: RegExp;
  /** The empty text is null, in a column that is nullable. */
  emptyIsNull?: true;
  /** Spaces, tabs and line ends around a text are not stored. */
  trimmed?: true;
  /**
   * The maximum size in bytes: of a text in UTF-8, of JSON as Postgres writes it. Types without one are short anyway:
   * numbers, times, uuids.
   */
  maxBytes?: number;
  /** JSON Schema (2020-12) keywords, in addition to those of the Postgres type. */
  jsonSchema?: Readonly<Record<string, unknown>>;
}

/** SQLSTATEs with which Postgres reports the same errors. */
export type FormatError = '22003' | '22007' | '22008' | '22P02' | '23514';

/** A response reports at most this many issues. */
export const issueLimit = 100;

/** The message of a check: its SQLSTATE and what was expected. `readFormatError` reads it. */
export const expects = (sqlstate: FormatError, expected: string): string => `${sqlstate} ${expected}`;

/** Parses the message of a failed check. */
export function readFormatError(message: string): { sqlstate: FormatError; expected: string } {
  return { sqlstate: message.slice(0, 5) as FormatError, expected: message.slice(6) };
}

/** The size in UTF-8, as Postgres's octet_length() counts it. */
export const bytesOf = (value: string): number => new TextEncoder().encode(value).length;
