/** Upserts: PUT, and POST with `Prefer: resolution=…`. */
import type { Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { ApiRequest, Body } from '../request/request.ts';
import { keyOf } from './one-row.ts';
import type { Conflict } from './plan.ts';
import { findColumn, forbiddenFields, resolveField } from './resolve-field.ts';

/** Plans what an insert does with rows that are there already; `written` are the columns of the body. */
export function planUpsert(
  request: ApiRequest,
  body: Body,
  written: string[],
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
  if (request.method === 'POST' && resolution === 'ignore-duplicates') {
    return ok({ columns, resolution: 'ignore', fixed: [] });
  }
  const { primaryKey } = collection;
  const fixed = written.filter(name => name === primaryKey && !columns.includes(name));
  const forbidden = written.filter(
    name =>
      name !== primaryKey &&
      !columns.includes(name) &&
      !findColumn(collection, name)?.privileges[caller.audience].includes('update'),
  );
  return forbidden.length === 0
    ? ok({ columns, resolution: 'merge', fixed })
    : fail(forbiddenFields(collection, caller, body, forbidden, 'update'));
}

/** Reads the key in the URL of a PUT, whose only filter is `eq` on the primary key, without limit or offset. */
export function readPutKey(request: ApiRequest, collection: Collection): Result<string> {
  if (request.range.offset !== 0 || request.range.limit !== undefined) {
    return fail<Failure>({ is: 'put range' });
  }
  const [filter, ...others] = request.conditions;
  const key = keyOf(filter, collection);
  return others.length > 0 || key === undefined ? fail<Failure>({ is: 'put filters' }) : ok(key);
}
