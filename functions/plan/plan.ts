/**
 * What the statement stage is given: names resolved to columns, permissions checked, limits set. A plan speaks of the
 * collection, never of HTTP syntax.
 */
import type { Collection, Column } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import type { PlanMediaType, RowsMediaType } from '../request/media-type.ts';
import type { Preferences } from '../request/preferences.ts';
import type { AggregateName, JsonStep, Operation, Range } from '../request/request.ts';

/** A column the caller may use, and the path into its JSON. */
export interface PlannedField {
  column: string;
  type: Column['type'];
  path: JsonStep[];
}

export type PlannedCondition =
  | { is: 'filter'; field: PlannedField; negated: boolean; operation: Operation }
  | { is: 'and' | 'or'; negated: boolean; conditions: PlannedCondition[] };

/** A column of the answer. Without a field it counts rows. */
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

/** What every plan holds: for whom, of what, and how the answer is to look. */
interface PlanBase {
  collection: Collection;
  caller: Caller;
  mediaType: RowsMediaType;
  /** Asks for Postgres's plan in place of the rows. */
  explain?: PlanMediaType;
  preferences: Preferences;
  /** In which times are answered, as Postgres takes it. */
  timeZone: string;
  profile?: string;
  outputs: Output[];
  order: PlannedOrder[];
  /** The answer is about one row as it is stored, and tells its version. */
  oneRow: boolean;
  /** No second row can be met or made, and none is cut off: the statement answers the row itself, or none. */
  atMostOne: boolean;
  /** Bytes the answer's body has at most; with more nothing is done. */
  maxBytes: number;
  /** The version the row must still have, or nothing is written. */
  ifMatch?: ExpectedVersion;
}

/** `If-Match`: the versions one of which the row must still have; `*` is any. */
export type ExpectedVersion = '*' | string[];

export interface ReadPlan extends PlanBase {
  is: 'read';
  conditions: PlannedCondition[];
  headersOnly: boolean;
  range: Required<Range>;
  /** Rows this service counts exactly at most when an estimate will do. */
  maxRows: number;
  /** The order, when it names every row: then the next page can begin after this one's last row. */
  keyset?: PlannedOrder[];
  /** The tags of what the client has already. */
  ifNoneMatch?: string;
}

export interface BodyPlan {
  json: string;
  isArray: boolean;
  /** How many rows it has. */
  rows: number;
  columns: string[];
  missing: Missing;
  /** A change by key: the column by which each row of the body finds its own. */
  key?: string;
}

/** What becomes of a column that a row of the body leaves out: null, its default, or what it was. */
export type Missing = 'null' | 'default' | 'kept';

/** `Idempotency-Key` of a POST, and the hash of the request, by which a retry is known. */
export interface IdempotencyKey {
  key: string;
  fingerprint: string;
}

/** What happens to a row whose unique columns exist already. */
export interface Conflict {
  columns: string[];
  resolution: 'merge' | 'ignore';
}

export interface InsertPlan extends PlanBase {
  is: 'insert';
  /** The same request with the same key writes once. */
  idempotencyKey?: IdempotencyKey;
  body: BodyPlan;
  conflict?: Conflict;
  /** PUT: the row has the key that the URL names, whether it is there already or not. */
  put: boolean;
}

export interface UpdatePlan extends PlanBase {
  is: 'update';
  /** The request names the version of the row it has read: by If-Match, or by a filter on the time of its last change. */
  comparesVersion: boolean;
  conditions: PlannedCondition[];
  body: BodyPlan;
}

export interface DeletePlan extends PlanBase {
  is: 'delete';
  conditions: PlannedCondition[];
}

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan;

export type Plan = ReadPlan | WritePlan;
