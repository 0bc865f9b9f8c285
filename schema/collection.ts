import type { ColumnType } from './column-type.ts';

/** Whose rights differ. The secret key counts as staff. */
export type Audience = 'anon' | 'customer' | 'staff';

export type Privilege = 'select' | 'insert' | 'update';

export interface Column<T = unknown> {
  /** The Postgres type with its format: what a value must look like, at the edge and in the database. */
  type: ColumnType<T>;
  nullable: boolean;
  /** The column's default as SQL, when it has one. */
  default?: string;
  meaning: string;
  /** A value, for who reads about the column. */
  example?: unknown;
  /** What an audience may do with the column. Staff may do everything. */
  privileges: Record<Audience, readonly Privilege[]>;
}

export interface Collection {
  /** The collection's name in the path, and its table's name in the schema `builder`. */
  name: string;
  meaning: string;
  columns: Readonly<Record<string, Column>>;
  primaryKey: string;
  /** The timestamp a DELETE sets; without one, a DELETE removes the row. */
  softDelete?: string;
  /** The time that every change sets anew: a filter on it names the version that was read, as an ETag does. */
  changedAt?: string;
  /** Who may DELETE (rows are the policies' business). */
  deletableBy: readonly Audience[];
  /** Of which audiences everyone reads the same rows, so that an answer to one may be kept for the others. */
  cachedFor?: readonly Audience[];
}

const everything: readonly Privilege[] = ['select', 'insert', 'update'];

interface ColumnOptions {
  default?: string;
  example?: unknown;
  /** What a customer may do; nothing when left out. */
  customer?: readonly Privilege[];
  /** What an anonymous caller may do; nothing when left out. */
  anon?: readonly Privilege[];
}

function column<T>(
  type: ColumnType<T>,
  nullable: boolean,
  meaning: string,
  options: ColumnOptions,
): Column<T> {
  return {
    type,
    nullable,
    meaning,
    privileges: { anon: options.anon ?? [], customer: options.customer ?? [], staff: everything },
    ...(options.default !== undefined && { default: options.default }),
    ...(options.example !== undefined && { example: options.example }),
  };
}

/** A column as the types that are derived from it need it: its type, whether it may be null, whether it has a default. */
type Made<T, Postgres extends string, Nullable extends boolean, O> = Column<T> & {
  type: { postgres: Postgres };
  nullable: Nullable;
} & Pick<O, keyof O & 'default'>;

/** A column that may not be null; without a default, a new row must supply it. */
export const required = <T, Postgres extends string, O extends ColumnOptions = object>(
  type: ColumnType<T> & { postgres: Postgres },
  meaning: string,
  options?: O,
) => column(type, false, meaning, options ?? {}) as Made<T, Postgres, false, O>;

/** A column that may be null. */
export const nullable = <T, Postgres extends string, O extends ColumnOptions = object>(
  type: ColumnType<T> & { postgres: Postgres },
  meaning: string,
  options?: O,
) => column(type, true, meaning, options ?? {}) as Made<T, Postgres, true, O>;

/** A collection whose names and types are known to the compiler. */
export interface Defined<Name extends string, Columns extends Record<string, Column>> extends Collection {
  name: Name;
  columns: Columns;
  primaryKey: Extract<keyof Columns, string>;
  softDelete?: Extract<keyof Columns, string>;
  changedAt?: Extract<keyof Columns, string>;
}

export const defineCollection = <const Name extends string, Columns extends Record<string, Column>>(
  definition: Defined<Name, Columns>,
): Defined<Name, Columns> => definition;
