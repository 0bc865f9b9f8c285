/** What the plans of writes share: the body, and what they name of their rows. */
import type { ApiRequest, Body } from '../request/request.ts';

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

/** The treatment of a row whose unique columns already exist. */
export interface Conflict {
  columns: string[];
  resolution: 'merge' | 'ignore';
}

/** What a change compares and has, as facts for the rules of the database. */
export interface Facts {
  /** The columns that its filter compares by a plain `eq`; `xmin` for the version of If-Match. */
  compared: string[];
  /** The keys: one in a filter; one per row of the body; or neither, so that any row may match. */
  rows: 'one' | 'keyed' | 'filtered';
  /** The columns of the body, in each of its rows. */
  columns: string[];
}

/** How a write uses its body. */
export interface BodyUse {
  privilege: 'insert' | 'update';
  /** The columns to write (`columns=`); other keys of the rows are ignored. */
  columns?: string[];
  missing: Missing;
  /** The method of an upsert, whose rows have all required columns, and its treatment of existing rows. */
  upsert?: 'POST' | 'PUT';
  conflict?: Conflict;
  /** In a change by key: the column that identifies the row and is not written. */
  key?: string;
}

/** Returns the columns that the rows of a body have, also those that it must send unchanged. `columns=` may name others. */
export const columnsOfAll = ({ body }: ApiRequest, { columns, unchanged }: BodyPlan): string[] =>
  [...columns, ...unchanged].filter(name => body?.rows.every(row => Object.hasOwn(row, name)));

/** Returns how the body is used. A PUT replaces the whole row, so it ignores `columns=`. */
export const bodyUse = (
  { method, columns, preferences }: ApiRequest,
  privilege: 'insert' | 'update',
): BodyUse => ({
  privilege,
  ...(columns !== undefined && method !== 'PUT' && { columns }),
  missing: preferences.missing ?? 'null',
  ...((privilege === 'insert' || method === 'PUT') && upsertOf(method, preferences)),
});

const upsertOf = (
  method: ApiRequest['method'],
  { resolution }: ApiRequest['preferences'],
): Pick<BodyUse, 'upsert'> =>
  method === 'PUT' ? { upsert: 'PUT' } : resolution === 'merge-duplicates' ? { upsert: 'POST' } : {};

/** Returns the body, which a request with this method was parsed with. */
export function requireBody(request: ApiRequest): Body {
  if (request.body === undefined) {
    throw new TypeError(`A ${request.method} request is parsed with a body`);
  }
  return request.body;
}
