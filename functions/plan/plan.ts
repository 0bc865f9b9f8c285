/**
 * The input of the statement stage: names are resolved to columns, permissions checked and limits set. A plan refers
 * to the collection and has no HTTP syntax.
 */
import type { Collection, Column } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
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
  | { is: 'and' | 'or'; negated: boolean; conditions: PlannedCondition[] };

/** A column of the response. Without a field it counts rows. */
export interface Output {
  name: string;
  field?: PlannedField;
  cast?: string;
  aggregate?: AggregateName;
  aggregateCast?: string;
}

export interface PlannedOrder {
  field: PlannedField;
  direction?: 'asc' | 'desc';
  nulls?: 'first' | 'last';
}

/** The parts of every plan. */
interface PlanBase {
  collection: Collection;
  caller: Caller;
  mediaType: RowsMediaType;
  /** Return Postgres's execution plan instead of the rows. */
  explain?: PlanMediaType;
  preferences: Preferences;
  /** The time zone of the times in the response, as Postgres spells it. */
  timeZone: string;
  profile?: string;
  outputs: Output[];
  order: PlannedOrder[];
  /** The response is about one stored row and has its version as ETag. */
  oneRow: boolean;
  /** At most one row can match, so the statement returns the row itself, or none, instead of one row about all. */
  atMostOne: boolean;
  /** The largest body of the response in bytes; a larger one fails the statement. */
  maxBytes: number;
  /** The version that the row must have; otherwise nothing is written. */
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
  /** The columns of a unique order, by whose values the next page can begin after this one's last row. */
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
  /** Columns of a change that the caller may only read: they must have the values that the row has. */
  unchanged: string[];
  /** The rows have other keys too, which are ignored. */
  hasOthers: boolean;
  missing: Missing;
  /** A change by key: the column by which each row of the body finds its own. */
  key?: string;
}

/** The value of a column that a row of the body leaves out: null, its default, or unchanged. */
export type Missing = 'null' | 'default' | 'kept';

/** The `Idempotency-Key` of a POST, and the hash of the request, which identifies a retry. */
export interface IdempotencyKey {
  key: string;
  fingerprint: string;
}

/** What happens to a row whose unique columns exist already. */
export interface Conflict {
  columns: string[];
  resolution: 'merge' | 'ignore';
  /** Columns of the body that must have the values that such a row has: its primary key. */
  fixed: string[];
}

export interface InsertPlan extends PlanBase {
  is: 'insert';
  /** Requests with the same key are executed once. */
  idempotencyKey?: IdempotencyKey;
  body: BodyPlan;
  conflict?: Conflict;
  /** The key of the row of which the new one is a copy; then the body has no columns. */
  copyOf?: string;
  /** PUT: insert or replace the row with the key in the URL. */
  put: boolean;
}

/** What of a row a request names, so that it is written only as it was read. */
export interface Named {
  /** Its version, by an ETag in If-Match or by a filter on the time of the last change. */
  version: boolean;
  /** Its price, by a filter. */
  price: boolean;
  /** Its key: the body has one for each row, or a filter has some; or none, so that any row may match. */
  rows: 'keyed' | 'identified' | 'filtered';
}

export interface UpdatePlan extends PlanBase {
  is: 'update';
  /** What the request says that it has read of the row. The rules of prices ask for it. */
  names: Named;
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
  /** The write that inserts a row or changes the one that is there. */
  upsert?: 'POST' | 'PUT';
  /** In a change of one row by a filter: its key. A body that has nothing but this key changes nothing. */
  rowKey?: string;
  /** In a change by key: the column that identifies the row and is not written. */
  key?: string;
}
