import type { ColumnType } from './column-type.ts';

/** The groups of callers with different privileges. The secret key counts as staff, a read key is `reader`. */
const audiences = {
  anon: { readsAllRows: false, anyRegex: false },
  customer: { readsAllRows: false, anyRegex: false },
  staff: { readsAllRows: true, anyRegex: true },
  reader: { readsAllRows: true, anyRegex: false },
};
export type Audience = keyof typeof audiences;

/** Whether an audience reads the rows of every account. */
export const readsAllRows = (audience: Audience): boolean => audiences[audience].readsAllRows;

/** Whether an audience may send any regular expression, however much it costs. */
export const maySendAnyRegex = (audience: Audience): boolean => audiences[audience].anyRegex;

export type Privilege = 'select' | 'insert' | 'update';

export interface Column<T = unknown> {
  /** The Postgres type, and the format of a value in a request body. */
  type: ColumnType<T>;
  nullable: boolean;
  /** The column's default as SQL, if it has one. */
  default?: string;
  /** No row has null in it. In a body, null means the default. */
  neverNull?: true;
  meaning: string;
  /** What to send in place of null, where a client may expect null to mean something. */
  insteadOfNull?: string;
  /** An example value for the documentation. */
  example?: unknown;
  /** The privileges of each audience on the column. */
  privileges: Record<Audience, readonly Privilege[]>;
}

/** A check constraint, or a rule that is raised as one: its columns and its demand. A value that it refuses is reported at them. */
export interface Check {
  columns: readonly string[];
  /** The demand on each of the columns; it follows the name: `must be …`. */
  expected: string;
  /** Whether a row of a body breaks it, judged by that row only. */
  breaks?: (row: Readonly<Record<string, unknown>>) => boolean;
  /** Missing values break it. */
  demandsValue?: true;
}

/** A foreign key: each row belongs to one row of the other collection, by its primary key. */
export interface Reference {
  /** The name of the constraint. */
  constraint: string;
  column: string;
  /** The name of the other collection. */
  to: string;
  /** A nullable column, by which supabase-js types the other row as nullable: a deleted one is not shown. */
  nullableBy: string;
}

export interface Cached {
  audiences: readonly Audience[];
  /** The lifetime of a response, unless this variable of the worker has another. */
  seconds: number;
  setting: string;
}

/** The account that rows belong to. */
export interface Owner<Name extends string = string> {
  /** The column that has it. */
  column: Name;
  /** The column by whose order an index lists the rows of an account. */
  listedBy: Name;
  /** The database's functions whose arrays together are the accounts of which a caller, who does not read all rows, reads rows. */
  readable: readonly string[];
}

export interface Collection {
  /** The collection's name in the path, and its table's name in the schema `builder`. */
  name: string;
  meaning: string;
  columns: Readonly<Record<string, Column>>;
  primaryKey: string;
  /** Whose its rows are. */
  owner?: Owner;
  /** The timestamp a DELETE sets; without one, a DELETE removes the row. */
  softDelete?: string;
  /** Rows that are marked as deleted stay visible. */
  showsDeleted?: true;
  /** The timestamp that every change sets: a filter on it selects a version of the row, as an ETag does. */
  changedAt?: string;
  /** The columns whose values name what was read of a row. A live record that lacks a value has none of them. */
  namedBy?: readonly string[];
  /** The columns whose values are unique, by the constraints that say so. */
  unique?: Readonly<Record<string, string>>;
  /** Columns with an index and few rows for each value: faster to find by than the account. */
  lookups?: readonly string[];
  /** Its foreign keys to other collections: what may be embedded in one request, both ways. */
  references?: readonly Reference[];
  /** The columns that rules of the database judge, also by whether a request names them. If one row of an array of changes has one of them, all rows have the same columns. */
  judged?: readonly string[];
  /** The hint for who sends a whole row as a new one. */
  copying?: string;
  /** The hint for who inserts or changes rows, where no one may. */
  readOnly?: string;
  /** Hints for names that clients may look for and that are no columns. */
  elsewhere?: Readonly<Record<string, string>>;
  /** Checks of several columns or of a rule, by name. A column's own check begins with its name, and follows from its type. */
  checks: Readonly<Record<string, Check>>;
  /** The view that an audience reads and updates in place of the table. Its function `lock_<view>` locks what an update writes. */
  views?: Partial<Record<Audience, string>>;
  /** Who may DELETE; the row level security policies decide which rows. */
  deletableBy: readonly Audience[];
  /** Who may set `softDelete` back to null, in rows that the request names by their keys. */
  restorableBy?: readonly Audience[];
  /** Responses to these audiences, which all read the same rows and columns, are cached and shared. */
  cached?: Cached;
  /** The database records each change for live updates. The collection has accounts. */
  live?: true;
}

/** Returns the check of this name: one of the collection's, or the own one of the column with whose name it begins. */
export function findCheck({ checks, columns }: Collection, name: string): Check | undefined {
  if (Object.hasOwn(checks, name)) return checks[name];
  const [column] = Object.keys(columns)
    .filter(column => name.startsWith(`${column}_`))
    .sort((a, b) => b.length - a.length);
  const expected = columns[column ?? '']?.type.expected;
  return column !== undefined && expected !== undefined ? { columns: [column], expected } : undefined;
}

const everything: readonly Privilege[] = ['select', 'insert', 'update'];

interface ColumnOptions {
  default?: string;
  neverNull?: true;
  insteadOfNull?: string;
  example?: unknown;
  /** A customer's privileges; none when left out. */
  customer?: readonly Privilege[];
  /** An anonymous caller's privileges; none when left out. */
  anon?: readonly Privilege[];
  /** The privileges of staff; all when left out. */
  staff?: readonly Privilege[];
}

function column<T>(
  type: ColumnType<T>,
  nullable: boolean,
  meaning: string,
  options: ColumnOptions,
): Column<T> {
  const staff = options.staff ?? everything;
  return {
    type,
    nullable,
    meaning,
    privileges: {
      anon: options.anon ?? [],
      customer: options.customer ?? [],
      staff,
      reader: staff.filter(privilege => privilege === 'select'),
    },
    ...(options.default !== undefined && { default: options.default }),
    ...(options.neverNull && { neverNull: true }),
    ...(options.insteadOfNull !== undefined && { insteadOfNull: options.insteadOfNull }),
    ...(options.example !== undefined && { example: options.example }),
  };
}

/** A column that is not nullable; without a default, a new row must have a value for it. */
export const required = <T>(type: ColumnType<T>, meaning: string, options: ColumnOptions = {}): Column<T> =>
  column(type, false, meaning, options);

/** A nullable column. */
export const nullable = <T>(type: ColumnType<T>, meaning: string, options: ColumnOptions = {}): Column<T> =>
  column(type, true, meaning, options);

/** A collection that names only columns of its own. */
export interface Defined<Columns extends Record<string, Column>> extends Collection {
  columns: Columns;
  primaryKey: Extract<keyof Columns, string>;
  owner?: Owner<Extract<keyof Columns, string>>;
  softDelete?: Extract<keyof Columns, string>;
  changedAt?: Extract<keyof Columns, string>;
  namedBy?: readonly Extract<keyof Columns, string>[];
  lookups?: readonly Extract<keyof Columns, string>[];
  judged?: readonly Extract<keyof Columns, string>[];
}

/** The options of a primary key: it is set when a row is created and does not change. */
export const fixed: ColumnOptions = { staff: ['select', 'insert'] };

export const defineCollection = <Columns extends Record<string, Column>>(
  definition: Defined<Columns>,
): Defined<Columns> => definition;
