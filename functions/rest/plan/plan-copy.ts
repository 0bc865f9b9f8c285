/** The plan of a copy: an insert with the values of an existing row, and the new row as its response. */

import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { notOffered, type RowsMediaType } from '../request/media-type.ts';
import type { ApiRequest } from '../request/request.ts';
import type { InsertPlan } from './insert.ts';
import { type PlanContext, planBase } from './plan-base.ts';
import { validateRows } from './validate-rows.ts';

/** Plans a copy. `name` is the function's name; its only argument is the primary key of the row. */
export function planCopy(request: ApiRequest, name: string, context: PlanContext): Result<InsertPlan> {
  const { primaryKey } = context.collection;
  const { body, conditions, mediaType, preferences, idempotencyKey, fingerprint = '' } = request;
  const row = body?.isArray === false ? body.rows[0] : undefined;
  if (!body || !row || Object.keys(row).join() !== primaryKey || conditions.length > 0) {
    return fail<Failure>({ is: 'function arguments', name, takes: `one argument: { ${primaryKey} }` });
  }
  const issues = validateRows(
    body,
    [primaryKey],
    { privilege: 'update', missing: 'null' },
    context.collection,
  );
  if (issues.length > 0) {
    return fail<Failure>({ is: 'invalid fields', issues });
  }
  const object = objectOf(mediaType);
  if (!object.ok) {
    return object;
  }
  const base = planBase({ ...request, mediaType: object.value }, context, { hasBody: true });
  return base.ok
    ? ok({
        is: 'insert',
        ...base.value,
        preferences: { ...preferences, return: 'representation' },
        body: {
          json: body.json,
          isArray: false,
          rows: 1,
          columns: [],
          unchanged: [],
          hasOthers: false,
          missing: 'null',
        },
        copyOf: String(row[primaryKey]),
        put: false,
        ...(idempotencyKey !== undefined && { idempotencyKey: { key: idempotencyKey, fingerprint } }),
      })
    : base;
}

/** Returns the media type of a function's single row: an object for any JSON type. */
function objectOf(mediaType: ApiRequest['mediaType']): Result<RowsMediaType> {
  return mediaType.is === 'json' || mediaType.is === 'object'
    ? ok({ is: 'object', nullsStripped: mediaType.nullsStripped })
    : notOffered(mediaType);
}
