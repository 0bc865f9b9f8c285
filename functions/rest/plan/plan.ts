/** The parts of plans: names are resolved to columns, permissions are checked, and limits are set. */
import type { Collection, Column } from '../../../schema/collection.ts';
import type { Relation } from '../../../schema/relations.ts';
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
  /** A boolean column without nulls. */
  | { is: 'true'; field: PlannedField; negated: boolean }
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
  /** The service's own limit ends the list, where the request asks for more rows or sets none. */
  isCapped: boolean;
}

/** What every plan has of its request. */
export interface RequestPlan {
  caller: Caller;
  mediaType: RowsMediaType;
  /** Return Postgres's execution plan instead of the rows. */
  explain?: PlanMediaType;
  preferences: Preferences;
  /** The time zone of the response, in Postgres's spelling. */
  timeZone: string;
  profile?: string;
  /** Maximum size of the response body in bytes. A larger one fails the statement. */
  maxBytes: number;
}

/** What every plan of rows has. */
export interface PlanOfRows extends RequestPlan {
  collection: Collection;
  outputs: Output[];
  /** Related rows that are embedded, or that conditions and the order refer to. */
  parts: Part[];
  order: PlannedOrder[];
  /** The response is about one stored row and has its version as ETag. */
  oneRow: boolean;
  /** At most one row can match, so the statement returns that row or none, instead of a row about all rows. */
  atMostOne: boolean;
  /** The version that the row must have for the write to happen. */
  ifMatch?: ExpectedVersion;
}

/** `If-Match`: the versions that the row may have; `*` is any. */
export type ExpectedVersion = '*' | string[];
