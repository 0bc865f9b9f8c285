/** Recognises requests about a single row. Their responses can carry the row's version as an ETag, and If-Match can compare it. */
import type { Collection, Column } from '../../../schema/collection.ts';
import { postgresType } from '../../../schema/postgres-types.ts';
import { canonicalUuid } from '../../../schema/uuid.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { textOfJson } from '../../common/text.ts';
import { acceptedVersions } from '../request/entity-tags.ts';
import type { RowsMediaType } from '../request/media-type.ts';
import { type ApiRequest, type Condition, isRead, type Operation } from '../request/request.ts';
import type { ExpectedVersion, Output } from './plan.ts';
import { hasAggregates } from './plan-outputs.ts';

/** Returns the operation of a condition if it is a filter on this column, and not a negated one. */
export const operationOn = (column: string, condition: Condition | undefined): Operation | undefined =>
  condition?.is === 'filter' &&
  !condition.negated &&
  condition.field.name === column &&
  condition.field.path.length === 0
    ? condition.operation
    : undefined;

/** Returns the operand of a condition if it is `eq` on this column. */
export function operandOfEq(column: string, condition: Condition | undefined): string | undefined {
  const operation = operationOn(column, condition);
  return operation?.operator === 'eq' && operation.quantifier === undefined ? operation.value : undefined;
}

/** Returns a key in Postgres's spelling, for comparisons. As text, since JavaScript rounds numbers beyond 2^53. */
export function keyText(value: unknown, column: Column | undefined): string {
  if (column && postgresType(column.type.postgres).kind === 'text') {
    return textOfJson(value);
  }
  const text = textOfJson(value).trim().toLowerCase();
  if (/^[+-]?\d{1,20}$/.test(text)) {
    return String(BigInt(text.replace('+', '')));
  }
  return canonicalUuid(text) ?? text;
}

/** Whether a condition is `eq` on the primary key, so that at most one row can match. */
export const isByKey = ({ conditions }: ApiRequest, { primaryKey }: Collection): boolean =>
  conditions.some(condition => operandOfEq(primaryKey, condition) !== undefined);

/**
 * Whether the response is about one stored row, and so has an ETag: a row by its key, a single object, or one new row.
 * Removed rows and writes that are rolled back have no version.
 */
export function isOneRow(request: ApiRequest, collection: Collection, outputs: Output[]): boolean {
  const { method, mediaType, preferences, body } = request;
  const isRemoved = method === 'DELETE' && collection.softDelete === undefined;
  return (
    (rowsMediaType(mediaType).is === 'object' ||
      isByKey(request, collection) ||
      (method === 'POST' && body?.rows.length === 1)) &&
    (isRead(method) || (preferences.tx !== 'rollback' && !isRemoved)) &&
    !hasAggregates(outputs)
  );
}

/**
 * Whether the statement can affect at most one row and may return that row directly. CSV needs a header line,
 * Idempotency-Key a stored response, and max-affected a count; they are built around the rows.
 */
export function isAtMostOne(request: ApiRequest, collection: Collection, outputs: Output[]): boolean {
  const { method, mediaType, preferences, body, idempotencyKey } = request;
  return (
    (method === 'POST' ? body?.rows.length === 1 : isByKey(request, collection)) &&
    rowsMediaType(mediaType).is !== 'csv' &&
    !hasAggregates(outputs) &&
    idempotencyKey === undefined &&
    preferences.maxAffected === undefined
  );
}

const rowsMediaType = (mediaType: ApiRequest['mediaType']): RowsMediaType =>
  mediaType.is === 'plan' ? mediaType.rows : mediaType;

/** Returns the version that If-Match requires, if any. The header is only for writes of one row by its key. */
export function planIfMatch(
  request: ApiRequest,
  collection: Collection,
): Result<ExpectedVersion | undefined> {
  const { method, ifMatch, ifNoneMatch } = request;
  if (ifNoneMatch !== undefined && !isRead(method)) {
    return unusableHeader('If-None-Match', 'It is only for reads. For a write, use If-Match.');
  }
  if (ifMatch === undefined) {
    return ok(undefined);
  }
  if (isRead(method) || method === 'POST' || !isByKey(request, collection)) {
    return unusableHeader(
      'If-Match',
      `It is only for PATCH, PUT and DELETE of one row: ${collection.primaryKey}=eq.<key>.`,
    );
  }
  const versions = acceptedVersions(ifMatch);
  return versions === undefined
    ? unusableHeader('If-Match', 'It must be * or the ETag of an earlier response, including its quotes.')
    : ok(versions);
}

const unusableHeader = (header: string, details: string): Result<never> =>
  fail<Failure>({ is: 'unusable header', header, details });
