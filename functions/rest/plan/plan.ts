/**
 * The input of the statement stage: names are resolved to columns, permissions are checked, and limits are set. A plan
 * refers to the collection and contains no HTTP syntax.
 */
import type { Collection, Column } from '../../../schema/collection.ts';
import type { Relation } from '../../../schema/collections.ts';
import type { Caller } from '../../caller/caller.ts';
import type { PlanMediaType, RowsMediaType } from '../request/media-type.ts';
import type { Preferences } from '../request/preferences.ts';
import type { AggregateName, JsonStep, Operation, Range } from '../request/request.ts';

/** A column that the caller may use, and the path into its JSON. */
export interface PlannedField {
  column: string;
  type: Column['type'];
  path: JsonStep[];
}

export type PlannedCondition =
  | { is: 'filter'; field: PlannedField; negated: boolean; operation: Operation }
  | { is: 'and' | 'or'; negated: boolean; conditions: PlannedCondition[] }
  /** The row has related rows. */
  | { is: 'exists'; negated: boolean; part: Part };

/** A column of the response. Without a field and a part, it counts rows. */
export interface Output {
  name: string;
  /** The related rows that lead to its value, from the nearest. */
  of?: Part[];
  /** Embedded rows. */
  part?: Part;
  field?: PlannedField;
  cast?: string;
  aggregate?: AggregateName;
  aggregateCast?: string;
}

export interface PlannedOrder {
  /** The related row whose column it is. */
  of?: [Part];
  field: PlannedField;
  direction?: 'asc' | 'desc';
  nulls?: 'first' | 'last';
}

/** The plan of rows that are embedded in a row: the related ones. */
export interface Part {
  /** Its name in the response, and in other parameters. */
  name: string;
  /** What `select` calls the relation: also a name in other parameters. */
  relationName: string;
  relation: Relation;
  collection: Collection;
  caller: Caller;
  /** How deep it is embedded, from 1. */
  level: number;
  /** Only rows with related rows are returned. */
  inner: boolean;
  outputs: Output[];
  /** The parts that its own outputs, conditions and order refer to. */
  parts: Part[];
  conditions: PlannedCondition[];
  order: PlannedOrder[];
  range: Required<Range>;
}

/** The parts of every plan. */
interface PlanBase {
  collection: Collection;
  caller: Caller;
  mediaType: RowsMediaType;
  /** Return Postgres's execution plan instead of the rows. */
  explain?: PlanMediaType;
  preferences: Preferences;
  /** The time zone of the response, in Postgres's spelling. */
  timeZone: string;
  profile?: string;
  outputs: Output[];
  /** Related rows that are embedded, or that conditions and the order refer to. */
  parts: Part[];
  order: PlannedOrder[];
  /** The response is about one stored row and has its version as ETag. */
  oneRow: boolean;
  /** At most one row can match, so the statement returns that row or none, instead of a row about all rows. */
  atMostOne: boolean;
  /** Maximum size of the response body in bytes. A larger one fails the statement. */
  maxBytes: number;
  /** The version that the row must have for the write to happen. */
  ifMatch?: ExpectedVersion;
}

/** `If-Match`: the versions that the row may have; `*` is any. */
export type ExpectedVersion = '*' | string[];

export interface ReadPlan extends PlanBase {
  is: 'read';
  conditions: PlannedCondition[];
  headersOnly: boolean;
  range: Required<Range>;
  /** `count=estimated` counts exactly up to this number of rows. */
  maxRows: number;
  /** The columns of a unique order. Their values in the last row mark the beginning of the next page. */
  keyset?: PlannedOrder[];
  /** The ETags of the representations that the client has. */
  ifNoneMatch?: string;
}

export interface BodyPlan {
  json: string;
  isArray: boolean;
  /** The number of rows. */
  rows: number;
  /** The columns that are written. */
  columns: string[];
  /** Columns that the caller may only read: they must have the values of the row, or what a new row gets. */
  unchanged: string[];
  /** The column that a change sets to itself, when it writes no other. */
  touched?: string;
  /** The rows have other keys too, which are ignored. */
  hasOthers: boolean;
  missing: Missing;
  /** In a change by key: the column that identifies each row. */
  key?: string;
}

/** Whether a change has a body without columns: it changes nothing and returns no rows. */
export const isEmpty = ({ columns, touched }: BodyPlan): boolean =>
  columns.length === 0 && touched === undefined;

/** The value of a column that a row of the body omits: null, its default, or unchanged. */
export type Missing = 'null' | 'default' | 'kept';

/** The `Idempotency-Key` of a POST, and the hash of the request, which identifies a retry. */
export interface IdempotencyKey {
  key: string;
  fingerprint: string;
}

/** The treatment of a row whose unique columns already exist. */
export interface Conflict {
  columns: string[];
  resolution: 'merge' | 'ignore';
}

export interface InsertPlan extends PlanBase {
  is: 'insert';
  /** Requests with the same key are executed once. */
  idempotencyKey?: IdempotencyKey;
  body: BodyPlan;
  conflict?: Conflict;
  /** For an upsert in a collection with prices. */
  names?: Named;
  /** The key of the row to copy; the body then has no columns. */
  copyOf?: string;
  /** PUT: insert or replace the row with the key in the URL. */
  put: boolean;
}

/** The properties of a row that a write names besides its body. The rules of prices in the database need them. */
export interface Named {
  /** The version of one row, by an ETag in If-Match or a filter on the time of the last change. */
  version: boolean;
  /** The price of one row, by a filter. */
  price: boolean;
  /** The keys: one in a filter; one per row of the body; or neither, so that any row may match. */
  rows: 'one' | 'keyed' | 'filtered';
  /** The columns of the body. By those of its row it names a version or a price too. */
  columns: string[];
}

export interface UpdatePlan extends PlanBase {
  is: 'update';
  /** For a collection with prices. */
  names?: Named;
  conditions: PlannedCondition[];
  body: BodyPlan;
}

export interface DeletePlan extends PlanBase {
  is: 'delete';
  conditions: PlannedCondition[];
}

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan;

export type Plan = ReadPlan | WritePlan;

/** How a write uses its body. */
export interface BodyUse {
  privilege: 'insert' | 'update';
  /** The columns to write (`columns=`); other keys of the rows are ignored. */
  columns?: string[];
  missing: Missing;
  /** The method of an upsert, and its treatment of existing rows. */
  upsert?: 'POST' | 'PUT';
  conflict?: Conflict;
  /** In a change by key: the column that identifies the row and is not written. */
  key?: string;
}
