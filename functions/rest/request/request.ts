/** A parsed request, as data: the output of this stage. Names are as the client wrote them, and not yet checked. */
import type { Failure } from '../../common/failure/failure.ts';
import type { MediaType } from './media-type.ts';
import type { OperatorName, TextSearchOperatorName } from './operators.ts';
import type { Preferences } from './preferences.ts';

/** `->` keeps JSON, `->>` gives text; a number is an array index, counted from the end when negative. */
export interface JsonStep {
  arrow: '->' | '->>';
  operand: string | number;
}

/** A column name as the client wrote it, with its JSON path. The plan stage checks that the column exists. */
export interface Field {
  name: string;
  path: JsonStep[];
}

export type AggregateName = 'sum' | 'avg' | 'count' | 'max' | 'min';

export type SelectItem =
  | { is: 'all' }
  | Embedding
  | { is: 'count'; alias?: string; aggregateCast?: string }
  | {
      is: 'field';
      field: Field;
      alias?: string;
      cast?: string;
      aggregate?: AggregateName;
      aggregateCast?: string;
    };

/** Rows of a related collection: `history:quote_events!inner(event)`; with `...` before it, their columns. */
export interface Embedding {
  is: 'embedding';
  /** The related collection, or the column or constraint of the foreign key. */
  name: string;
  alias?: string;
  /** `!constraint` or `!column`: which foreign key. */
  hint?: string;
  /** `!inner`: only rows that have such rows. */
  inner: boolean;
  spread: boolean;
  select: SelectItem[];
}

export type IsValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Operation =
  | { operator: OperatorName; value: string; quantifier?: 'any' | 'all' }
  | { operator: TextSearchOperatorName; value: string; configuration?: string }
  | { operator: 'in'; values: string[] }
  | { operator: 'is'; value: IsValue };

export interface Filter {
  is: 'filter';
  field: Field;
  negated: boolean;
  operation: Operation;
}

export interface LogicTree {
  is: 'and' | 'or';
  negated: boolean;
  conditions: Condition[];
}

export type Condition = Filter | LogicTree;

export interface OrderTerm {
  field: Field;
  /** The embedding of the one row whose column it is. */
  embedded?: string;
  direction?: 'asc' | 'desc';
  nulls?: 'first' | 'last';
}

/** Rows to skip, and rows to return at most; without `limit`, as many as the service allows. */
export interface Range {
  offset: number;
  limit?: number;
}

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** A row of the body as JavaScript values. Only validation uses it; the database gets the JSON text. */
export type BodyRow = Record<string, unknown>;

/** A row of CSV or of a form: texts, which become values when the types of their columns are known (`plan/read-cells.ts`). */
export type CellRow = Record<string, string | null>;

export interface Body {
  /** An object or an array of objects, as JSON. */
  json: string;
  isArray: boolean;
  rows: BodyRow[];
  /** The rows come from CSV or a form, and their values are texts. */
  hasCells?: true;
}

/** Which rows a list has, and in which order. */
export interface Scope {
  /** Joined by `and`. */
  conditions: Condition[];
  order: OrderTerm[];
  range: Range;
  /** The same for embedded rows, by the name of the embedding: `quote_events.order=id`. */
  embedded: Map<string, Scope>;
}

/** A parsed request. Its names are not yet checked against the collection. */
export interface ApiRequest extends Scope {
  method: Method;
  select: SelectItem[];
  /** `columns=`: the columns to take from the body. */
  columns?: string[];
  /** `on_conflict=`: the unique columns by which an upsert finds the row. */
  onConflict?: string[];
  preferences: Preferences;
  mediaType: MediaType;
  /** The schema that Accept-Profile or Content-Profile names. */
  profile?: string;
  body?: Body;
  /** The values of `If-Match` and `If-None-Match`. */
  ifMatch?: string;
  ifNoneMatch?: string;
  /** The `Idempotency-Key` of a POST. */
  idempotencyKey?: string;
  /** The hash that identifies a retry of a request with an Idempotency-Key. */
  fingerprint?: string;
}

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Whether requests of the method have a body. The body of any other request is ignored. */
export const takesBody = (method: Method): boolean =>
  method === 'POST' || method === 'PATCH' || method === 'PUT';

/**
 * The request headers that the body or the status of a response depends on, besides the caller's. The response cache, the
 * fingerprint of a retried write and the `Vary` header all read these lists.
 */
export const varyingHeaders = {
  read: ['Accept', 'Accept-Profile', 'Prefer', 'Range'],
  write: ['Accept', 'Content-Profile', 'Content-Type', 'Prefer'],
} as const;

/** The names of the one schema: in Accept-Profile and Content-Profile, and in the bindings of live updates. */
const exposed = ['public', 'builder'];

/** Returns the failure of a request that names another schema. */
export const findUnexposed = (schema: string): Failure | undefined =>
  exposed.includes(schema) ? undefined : { is: 'unacceptable schema', schema, exposed };
