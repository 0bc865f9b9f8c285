/** A body → the columns it writes. Checks the caller's permission for each, and the values against the schema. */
import type { Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import { shorten } from '../common/shorten.ts';
import type { Failure } from '../failure/failure.ts';
import { absent, type BodyIssue } from '../failure/issue.ts';
import type { Body } from '../request/request.ts';
import type { BodyUse } from './body-use.ts';
import { nearest } from './nearest.ts';
import { hasKey } from './one-row.ts';
import type { BodyPlan } from './plan.ts';
import { findColumn, forbiddenFields, permittedColumns } from './resolve-field.ts';
import { validateRows } from './validate-rows.ts';

export function planBody(body: Body, use: BodyUse, collection: Collection, caller: Caller): Result<BodyPlan> {
  const columns = use.columns ? ok([...new Set(use.columns)]) : uniformKeys(body);
  if (!columns.ok) {
    return columns;
  }
  const given: string[] = [];
  const unwritable: string[] = [];
  for (const name of columns.value) {
    const column = findColumn(collection, name);
    if (column === undefined) {
      return fail<Failure>({
        is: 'unknown body column',
        collection: collection.name,
        column: shorten(name, limits.query.scalar),
        nearest: nearest(name, permittedColumns(collection, caller, use.privilege)),
      });
    }
    if (name === use.key) {
      continue;
    }
    const isWritable = column.privileges[caller.audience].includes(use.privilege);
    (isWritable ? given : unwritable).push(name);
  }
  const isOwnKey =
    given.length === 0 &&
    unwritable.join() === collection.primaryKey &&
    use.rowKey !== undefined &&
    hasKey(body, collection.primaryKey, use.rowKey);
  if (
    unwritable.length > 0 &&
    !isOwnKey &&
    (given.length === 0 || !mayBeUnchanged(body, unwritable, use, collection, caller))
  ) {
    return fail(forbiddenFields(collection, caller, body, unwritable, use.privilege));
  }
  const issues = validateRows(body, columns.value, use, collection);
  return issues.length > 0
    ? fail<Failure>({ is: 'invalid fields', issues, ...hintOf(issues, use, collection) })
    : ok({
        json: body.json,
        isArray: body.isArray,
        rows: body.rows.length,
        columns: given,
        unchanged: isOwnKey ? [] : unwritable,
        hasOthers: use.columns !== undefined && hasOtherKeys(body, columns.value),
        missing: use.missing,
        ...(use.key !== undefined && { key: use.key }),
      });
}

/** Returns what to do about a value that is missing, where that is not said by its name. */
function hintOf(issues: BodyIssue[], use: BodyUse, collection: Collection): { hint?: string } {
  const missing = issues.filter(({ sqlstate }) => sqlstate === '23502');
  if (use.upsert && missing.some(({ received }) => received === absent.received)) {
    return { hint: upsertHints[use.upsert](collection.primaryKey) };
  }
  const [hint] = missing.flatMap(({ path }) => findColumn(collection, path)?.insteadOfNull ?? []);
  return hint === undefined ? {} : { hint };
}

const upsertHints: Record<NonNullable<BodyUse['upsert']>, (key: string) => string> = {
  POST: key =>
    `An upsert inserts a row that is not there, so each row needs all required columns. To change rows that are there, send them in a PATCH, each with its ${key}.`,
  PUT: () => 'A PUT writes the whole row. To change some columns of it, send a PATCH.',
};

/**
 * Whether these columns may have the values that the stored row has: the caller may read all of them, so that it learns
 * nothing from the answer, and the values are valid.
 */
const mayBeUnchanged = (
  body: Body,
  columns: string[],
  use: BodyUse,
  collection: Collection,
  caller: Caller,
): boolean =>
  use.privilege === 'update' &&
  columns.every(name => findColumn(collection, name)?.privileges[caller.audience].includes('select')) &&
  validateRows(body, columns, use, collection).length === 0;

function hasOtherKeys({ rows }: Body, columns: string[]): boolean {
  const known = new Set(columns);
  return rows.some(row => Object.keys(row).some(key => !known.has(key)));
}

/** Returns the keys of the rows. Without `columns=` all must have the same, since one statement writes them all. */
function uniformKeys({ rows }: Body): Result<string[]> {
  const keys = Object.keys(rows[0] ?? {});
  const differing = rows.findIndex(
    row => Object.keys(row).length !== keys.length || keys.some(key => !Object.hasOwn(row, key)),
  );
  return differing < 0
    ? ok(keys)
    : fail<Failure>({
        is: 'invalid body',
        message: 'All object keys must match',
        details: `Element ${differing} of the array has other keys than the first; name them all with columns=.`,
      });
}
