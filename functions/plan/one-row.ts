/** Requests of one row: by its key, so that it has a version to answer and to compare. */
import type { Collection } from '../../schema/collection.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { acceptedVersions } from '../request/entity-tags.ts';
import type { RowsMediaType } from '../request/media-type.ts';
import type { ApiRequest, Condition } from '../request/request.ts';
import type { ExpectedVersion, Output } from './plan.ts';

/** The key that a condition asks for, when it is `eq` on the primary key. */
export const keyOf = (condition: Condition | undefined, { primaryKey }: Collection): string | undefined =>
  valueAskedOf(primaryKey, condition);

/** What a condition asks a column to be, when it is `eq` on it. */
const valueAskedOf = (column: string, condition: Condition | undefined): string | undefined =>
  condition?.is === 'filter' &&
  !condition.negated &&
  condition.field.name === column &&
  condition.field.path.length === 0 &&
  condition.operation.operator === 'eq' &&
  condition.operation.quantifier === undefined
    ? condition.operation.value
    : undefined;

/** Whether a condition is that the rows were last changed when they were read, and not since. */
export const namesVersion = ({ conditions }: ApiRequest, { changedAt }: Collection): boolean =>
  changedAt !== undefined && conditions.some(condition => valueAskedOf(changedAt, condition) !== undefined);

/** Whether a condition names a row by its key, so that no other can meet them all. */
export const isByKey = ({ conditions }: ApiRequest, collection: Collection): boolean =>
  conditions.some(condition => keyOf(condition, collection) !== undefined);

/**
 * Whether the answer is about one row as it is stored, and so has an ETag: one row by its key, a single object, or one
 * new row. A row that is removed, and what a write does and takes back, has no version to tell.
 */
export function isOneRow(request: ApiRequest, collection: Collection, outputs: Output[]): boolean {
  const { method, mediaType, preferences, body } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const isRemoved = method === 'DELETE' && collection.softDelete === undefined;
  return (
    (rowsMediaType(mediaType).is === 'object' ||
      isByKey(request, collection) ||
      (method === 'POST' && body?.rows.length === 1)) &&
    (isRead || (preferences.tx !== 'rollback' && !isRemoved)) &&
    !aggregates(outputs)
  );
}

/**
 * Whether no second row can be met or made, so that the row can be answered by itself: not with a header line, nor by
 * what keeps answers.
 */
export function isAtMostOne(request: ApiRequest, collection: Collection, outputs: Output[]): boolean {
  const { method, mediaType, preferences, body, idempotencyKey } = request;
  const isInsert = method === 'POST' || method === 'PUT';
  return (
    (isInsert ? body?.rows.length === 1 : isByKey(request, collection)) &&
    rowsMediaType(mediaType).is !== 'csv' &&
    !aggregates(outputs) &&
    idempotencyKey === undefined &&
    preferences.maxAffected === undefined
  );
}

const rowsMediaType = (mediaType: ApiRequest['mediaType']): RowsMediaType =>
  mediaType.is === 'plan' ? mediaType.rows : mediaType;

const aggregates = (outputs: Output[]): boolean => outputs.some(({ aggregate }) => aggregate !== undefined);

/** What If-Match asks of the row, if anything; refused where no one row is written by its key. */
export function planIfMatch(
  request: ApiRequest,
  collection: Collection,
): Result<ExpectedVersion | undefined> {
  const { method, ifMatch, ifNoneMatch } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  if (ifNoneMatch !== undefined && !isRead) {
    return refuse('If-None-Match', 'It is for reads; a write takes If-Match.');
  }
  if (ifMatch === undefined) {
    return ok(undefined);
  }
  if (isRead || method === 'POST' || !isByKey(request, collection)) {
    return refuse(
      'If-Match',
      `It is for PATCH, PUT and DELETE of one row: ${collection.primaryKey}=eq.<key>.`,
    );
  }
  const versions = acceptedVersions(ifMatch);
  return versions === undefined
    ? refuse('If-Match', 'It is * or the ETag of an earlier answer, with its quotes.')
    : ok(versions);
}

const refuse = (header: string, details: string): Result<never> =>
  fail<Failure>({ is: 'unusable header', header, details });
