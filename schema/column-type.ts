/** What a column type is: its name in Postgres, and what a value in a request body must look like. */
import type * as v from 'valibot';

export interface ColumnType<T = unknown> {
  /** As `format_type()` names it, enums with their schema. */
  postgres: string;
  format: v.GenericSchema<unknown, T>;
  /** The allowed values, where they are listed. */
  values?: readonly string[];
  /** The form of a text, where it has one. */
  pattern?: RegExp;
  /**
   * Bytes a value has at most: of a text in UTF-8, of JSON as Postgres writes it. What has none is short by its nature: a
   * number, a time, a uuid.
   */
  maxBytes?: number;
  /** What JSON Schema (2020-12) says of a value, beyond its Postgres type. */
  jsonSchema?: Readonly<Record<string, unknown>>;
}

/** What a failed check means, by the SQLSTATE Postgres has for it. */
export type FormatError = '22003' | '22007' | '22008' | '22P02' | '23514';

/** A check's message carries its SQLSTATE and what was expected, for `readFormatError`. */
export const expects = (sqlstate: FormatError, expected: string): string => `${sqlstate} ${expected}`;

/** Takes the message of a failed check apart. */
export function readFormatError(message: string): { sqlstate: FormatError; expected: string } {
  return { sqlstate: message.slice(0, 5) as FormatError, expected: message.slice(6) };
}

/** Bytes of UTF-8, as Postgres's octet_length() counts them. */
export const bytesOf = (value: string): number => new TextEncoder().encode(value).length;
