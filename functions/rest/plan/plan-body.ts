/**
 * A body → the plan of its write. Checks the caller's permission for each column, and the values against the schema. Plans
 * upserts (PUT, and POST with `Prefer: resolution=…`) and changes by key.
 */
import type { Collection } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { absent, type BodyIssue } from '../../common/failure/issue.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { shorten } from '../../common/text.ts';
import type { ApiRequest, Body, BodyRow } from '../request/request.ts';
import { keyInFilter, keyText } from './one-row.ts';
import type { BodyPlan, BodyUse, Conflict } from './plan.ts';
import {
  findColumn,
  forbiddenFields,
  permittedColumns,
  resolveField,
  suggestColumn,
} from './resolve-field.ts';
import { sortColumns } from './sort-columns.ts';
import { validateRows } from './validate-rows.ts';

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
function uniformKeys({ rows }: Pick<Body, 'rows'>, remedy?: string): Result<string[]> {
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

/** Plans how an insert treats existing rows. */
export function planUpsert(
  request: ApiRequest,
  collection: Collection,
  caller: Caller,
): Result<Conflict | undefined> {
  const { resolution } = request.preferences;
  if (request.method === 'POST' && resolution === undefined) {
    return ok(undefined);
  }
  const columns = (request.method === 'POST' && request.onConflict) || [collection.primaryKey];
  for (const name of columns) {
    const field = resolveField({ name, path: [] }, collection, caller);
    if (!field.ok) {
      return field;
    }
  }
  const ignores = request.method === 'POST' && resolution === 'ignore-duplicates';
  return ok({ columns, resolution: ignores ? 'ignore' : 'merge' });
}

/** Reads the key in the URL of a PUT, whose only filter is `eq` on the primary key, without limit or offset. */
export function readPutKey(request: ApiRequest, collection: Collection): Result<string> {
  if (request.range.offset !== 0 || request.range.limit !== undefined) {
    return fail<Failure>({ is: 'put range' });
  }
  const [filter, ...others] = request.conditions;
  const key = keyInFilter(filter, collection);
  return others.length > 0 || key === undefined ? fail<Failure>({ is: 'put filters' }) : ok(key);
}

/**
 * Plans a PATCH with an array whose rows all have the primary key: each row gets its own values, and omitted columns are
 * unchanged. This extends PostgREST. Undefined for any other body; as in PostgREST, the first element of an array without
 * keys changes all matching rows.
 */
export function planBulkUpdate(
  request: ApiRequest,
  body: Body,
  collection: Collection,
  caller: Caller,
): Result<BodyUse | undefined> {
  const { primaryKey } = collection;
  if (!body.isArray || body.rows.length === 0 || !body.rows.every(row => Object.hasOwn(row, primaryKey))) {
    return ok(undefined);
  }
  const seen = new Set<unknown>();
  for (const [index, row] of body.rows.entries()) {
    if (typeof row[primaryKey] === 'number' && !Number.isSafeInteger(row[primaryKey])) {
      continue; // In the body it may be another number. It is refused below, with its field.
    }
    const key = keyText(row[primaryKey]);
    if (seen.has(key)) {
      return fail<Failure>({
        is: 'invalid body',
        message: 'A request can change each row only once',
        details: `Element ${index} of the array repeats the ${primaryKey} of an earlier element.`,
      });
    }
    seen.add(key);
  }
  const columns = new Set(request.columns ?? body.rows.flatMap(row => Object.keys(row)));
  const priced = pricesAlike(body, columns, collection, caller);
  if (!priced.ok) {
    return priced;
  }
  return ok({ privilege: 'update', columns: [...columns, primaryKey], missing: 'kept', key: primaryKey });
}

/**
 * Checks that all rows have the same columns if one of them moves or prices its row, or names its version: the database sees
 * which columns the request names, and not which of its rows do. A price that the caller may only send unchanged sets nothing.
 */
function pricesAlike(
  { rows }: Body,
  columns: ReadonlySet<string>,
  { pricing, changedAt = '', columns: defined }: Collection,
  { audience }: Caller,
): Result<unknown> {
  const names = pricing
    ? [...pricing, changedAt].filter(
        name => columns.has(name) && defined[name]?.privileges[audience].includes('update'),
      )
    : [];
  return rows.some(row => names.some(name => Object.hasOwn(row, name)))
    ? uniformKeys(
        {
          rows: rows.map(row =>
            Object.fromEntries(Object.entries(row).filter(([name]) => columns.has(name))),
          ),
        },
        `If one row has ${names.join(' or ')}, send the same keys in all rows, or a request for each row.`,
      )
    : ok(undefined);
}
