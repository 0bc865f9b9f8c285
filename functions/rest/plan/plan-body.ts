/**
 * A body → the plan of its write. Checks the caller's permission for each column, and the values against the schema.
 */
import type { Collection } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { absent, type BodyIssue } from '../../common/failure/issue.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { shorten } from '../../common/text.ts';
import type { Body, BodyRow } from '../request/request.ts';
import { findColumn, forbiddenFields, isDefault, permittedColumns, suggestColumn } from './resolve-field.ts';
import { validateRows } from './validate-rows.ts';
import type { BodyPlan, BodyUse } from './write.ts';

export function planBody(body: Body, use: BodyUse, collection: Collection, caller: Caller): Result<BodyPlan> {
  const columns = use.columns ? ok([...new Set(use.columns)]) : uniformKeys(body);
  if (!columns.ok) {
    return columns;
  }
  const unknown = columns.value.find(name => findColumn(collection, name) === undefined);
  if (unknown !== undefined) {
    return fail<Failure>({
      is: 'unknown body column',
      collection: collection.name,
      column: shorten(unknown, limits.query.scalar),
      ...suggestColumn(unknown, collection, caller, use.privilege),
    });
  }
  const names = columns.value.filter(name => name !== use.key);
  const { refused, ...sorted } = sortColumns(body, names, use, collection, caller);
  if (refused.length > 0) {
    return fail(forbiddenFields(collection, caller, body, refused, use.privilege));
  }
  const issues = validateRows(body, columns.value, use, collection);
  return issues.length > 0
    ? fail<Failure>({ is: 'invalid fields', issues, ...hintOf(issues, use, collection) })
    : ok({
        json: body.json,
        isArray: body.isArray,
        rows: body.rows.length,
        ...sorted,
        ...(names.length > 0 || use.key !== undefined
          ? touched(sorted.columns, use, collection, caller)
          : {}),
        hasOthers: use.columns !== undefined && hasOtherKeys(body, columns.value),
        missing: use.missing,
        ...(use.key !== undefined && { key: use.key }),
      });
}

interface SortedColumns {
  /** Columns that are written. */
  columns: string[];
  /** Columns that the statement compares: with the stored row, and with the defaults of a new row. */
  unchanged: string[];
  /** Columns with values that are refused. */
  refused: string[];
}

/**
 * Sorts the columns of a body, all of which exist, by what their caller may do. What changes nothing is no offence: a column that
 * the caller must not write is accepted with the value that the row has, or that a new row gets.
 */
function sortColumns(
  body: Body,
  names: string[],
  use: BodyUse,
  collection: Collection,
  { audience }: Caller,
): SortedColumns {
  const { privilege, conflict } = use;
  const isUpdate = privilege === 'update';
  const mayFindRows = isUpdate || conflict?.columns.every(name => names.includes(name)) === true;
  const columns: string[] = [];
  const unchanged: string[] = [];
  const refused: string[] = [];
  for (const name of names) {
    const privileges = collection.columns[name]?.privileges[audience] ?? [];
    const isWritten = privileges.includes(privilege);
    const isKept =
      conflict?.resolution === 'merge' && !privileges.includes('update') && !conflict.columns.includes(name);
    if (isWritten) {
      columns.push(name);
    }
    if (isWritten && !isKept) {
      continue;
    }
    const isStrange = body.rows.some(row => !isDefault(row, name, collection));
    if (!isWritten && !(privileges.includes('select') && mayFindRows)) {
      // A stored value that the caller can't read is not compared, since the response would reveal it.
      refused.push(...(isStrange ? [name] : []));
    } else if (isUpdate || isKept || isStrange) {
      unchanged.push(name);
    }
  }
  return { columns, unchanged, refused };
}

/** Returns the column that a change sets to itself if it writes no other, so that it finds and compares its rows. */
function touched(
  columns: string[],
  { privilege }: BodyUse,
  collection: Collection,
  caller: Caller,
): Pick<BodyPlan, 'touched'> {
  const [name] = permittedColumns(collection, caller, privilege);
  return privilege === 'update' && columns.length === 0 && name !== undefined ? { touched: name } : {};
}

/** Returns the hint for a missing value, if its column's name is not enough. */
function hintOf(issues: BodyIssue[], use: BodyUse, collection: Collection): { hint?: string } {
  const missing = issues.filter(({ sqlstate }) => sqlstate === '23502');
  if (use.upsert && missing.some(({ received }) => received === absent.received)) {
    return { hint: upsertHints[use.upsert](collection.primaryKey) };
  }
  if (
    missing.some(
      ({ path, received }) =>
        received === absent.received && findColumn(collection, path)?.default !== undefined,
    )
  ) {
    return { hint: `${missingHint}.` };
  }
  const [hint] = missing.flatMap(({ path }) => findColumn(collection, path)?.insteadOfNull ?? []);
  return hint === undefined ? {} : { hint };
}

const missingHint =
  'A row without a column has null in it. Send Prefer: missing=default (in supabase-js { defaultToNull: false }) for its default';

const upsertHints: Record<NonNullable<BodyUse['upsert']>, (key: string) => string> = {
  POST: key =>
    `An upsert inserts rows that do not exist, so each row needs all required columns. To change existing rows, send them in a PATCH, each with its ${key}.`,
  PUT: () => 'A PUT writes the whole row. To change only some columns, send a PATCH.',
};

function hasOtherKeys({ rows }: Body, columns: string[]): boolean {
  const known = new Set(columns);
  return rows.some(row => Object.keys(row).some(key => !known.has(key)));
}

/** Writes the parameter that names the keys of all rows. */
function columnsOf(rows: BodyRow[]): string {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))].join();
  return `columns=${names.length > limits.query.scalar * 5 ? 'a,b,…' : names}`;
}

/** Returns the keys of the rows. Without `columns=` all rows must have the same keys, since one statement writes them all. */
export function uniformKeys({ rows }: Pick<Body, 'rows'>, remedy?: string): Result<string[]> {
  const keys = Object.keys(rows[0] ?? {});
  const differing = rows.findIndex(
    row => Object.keys(row).length !== keys.length || keys.some(key => !Object.hasOwn(row, key)),
  );
  return differing < 0
    ? ok(keys)
    : fail<Failure>({
        is: 'invalid body',
        message: 'All object keys must match',
        details: `Element ${differing} of the array has other keys than the first.`,
        hint: remedy ?? `Name them all in the address: ${columnsOf(rows)}. ${missingHint}.`,
      });
}
