/**
 * PATCH with an array whose rows each carry the primary key: every row gets its own values, and keeps what it is not
 * given. PostgREST has no such thing; an array without keys is what it makes of it, one change for all that match.
 */
import type { Collection } from '../../schema/collection.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { ApiRequest, Body } from '../request/request.ts';
import type { BodyUse } from './body-use.ts';

/** How such a body is used; nothing when it is none. */
export function readKeyedUse(
  request: ApiRequest,
  body: Body,
  collection: Collection,
): Result<BodyUse | undefined> {
  const { primaryKey } = collection;
  if (!body.isArray || body.rows.length === 0 || !body.rows.every(row => Object.hasOwn(row, primaryKey))) {
    return ok(undefined);
  }
  const seen = new Set<unknown>();
  for (const [index, row] of body.rows.entries()) {
    const key = String(row[primaryKey]).toLowerCase();
    if (seen.has(key)) {
      return fail<Failure>({
        is: 'invalid body',
        message: 'A row is changed once',
        details: `Element ${index} of the array repeats the ${primaryKey} of an earlier one.`,
      });
    }
    seen.add(key);
  }
  const columns = request.columns ?? body.rows.flatMap(row => Object.keys(row));
  if (columns.every(name => name === primaryKey)) {
    return fail<Failure>({
      is: 'invalid body',
      message: 'There is nothing to change',
      details: `The rows of the body have nothing but their ${primaryKey}.`,
    });
  }
  return ok({ privilege: 'update', columns: [...columns, primaryKey], missing: 'kept', key: primaryKey });
}
