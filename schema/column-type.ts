/** A column type: its name in Postgres, and what else is known of its values. */
import type * as v from 'valibot';
import type { PostgresName } from './postgres-types.ts';

export interface ColumnType<T = unknown> {
  postgres: PostgresName;
  /** The demand of the column's own check in the database, as an issue says it: `must be …`. */
  expected: string;
  /** The format of a value in a request body. */
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

/** A response reports at most this many issues. */
export const issueLimit = 100;

/** The size in UTF-8, as Postgres's octet_length() counts it. */
export const bytesOf = (value: string): number => new TextEncoder().encode(value).length;
