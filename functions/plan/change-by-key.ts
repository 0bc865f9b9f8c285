/**
 * PATCH with an array whose rows each have the primary key: every row gets its own values, and columns it leaves out
 * are unchanged. This is an extension of PostgREST. An array without keys means what it means there: the first element
 * is the change for all rows that match.
 */
import type { Collection } from '../../schema/collection.ts';
import { issueLimit } from '../../schema/column-type.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { absent, type BodyIssue } from '../failure/issue.ts';
import type { ApiRequest, Body } from '../request/request.ts';
import type { BodyUse } from './body-use.ts';
import { keyText } from './one-row.ts';

/** Returns how such a body is used; undefined for any other body. */
export function planBulkUpdate(
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
    const key = keyText(row[primaryKey]);
    if (seen.has(key)) {
      return fail<Failure>({
        is: 'invalid body',
        message: 'A row can be changed only once by a request',
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
  const issues = findUnnamed(body, columns, collection);
  if (issues.length > 0) {
    return fail<Failure>({ is: 'invalid fields', issues });
  }
  return ok({ privilege: 'update', columns: [...columns, primaryKey], missing: 'kept', key: primaryKey });
}

/** Returns the columns that rows must name themselves, since others of the body do (`namedTogether`). */
function findUnnamed({ rows }: Body, columns: string[], { namedTogether }: Collection): BodyIssue[] {
  if (namedTogether === undefined) {
    return [];
  }
  const { column, value, names } = namedTogether;
  const named = names.filter(name => columns.includes(name));
  return rows
    .flatMap((content, row) =>
      content[column] === value
        ? named.filter(name => !Object.hasOwn(content, name)).map(path => ({ row, path, ...absent }))
        : [],
    )
    .slice(0, issueLimit);
}
