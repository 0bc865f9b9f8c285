/** Recognises requests about a single row. Their responses can carry the row's version as an ETag, and If-Match can compare it. */
import type { Collection } from '../../../schema/collection.ts';
import { canonicalUuid } from '../../../schema/uuid.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { acceptedVersions } from '../request/entity-tags.ts';
import type { RowsMediaType } from '../request/media-type.ts';
import { type ApiRequest, type Body, type Condition, isRead } from '../request/request.ts';
import type { BodyPlan, ExpectedVersion, Named, Output } from './plan.ts';
import { hasAggregates } from './plan-outputs.ts';

/** Returns the operand of a condition if it is `eq` on the primary key. */
export const keyInFilter = (
  condition: Condition | undefined,
  { primaryKey }: Collection,
): string | undefined => operandOfEq(primaryKey, condition);

/** Returns the operand of a condition if it is `eq` on this column. */
const operandOfEq = (column: string, condition: Condition | undefined): string | undefined =>
  condition?.is === 'filter' &&
  !condition.negated &&
  condition.field.name === column &&
  condition.field.path.length === 0 &&
  condition.operation.operator === 'eq' &&
  condition.operation.quantifier === undefined
    ? condition.operation.value
    : undefined;

/** Whether the body is one row with this key. */
export function hasKey(body: Body, primaryKey: string, key: string): boolean {
  const [row, ...others] = body.rows;
  return (
    row !== undefined && others.length === 0 && Object.hasOwn(row, primaryKey) && isKey(row[primaryKey], key)
  );
}

const isKey = (value: unknown, key: string): boolean => keyText(value) === keyText(key);

/** Returns a key in Postgres's spelling, for comparisons. As text, since JavaScript rounds numbers beyond 2^53. */
export function keyText(value: unknown): string {
  const text = String(value).trim().toLowerCase();
  if (/^[+-]?\d{1,20}$/.test(text)) {
    return String(BigInt(text.replace('+', '')));
  }
  return canonicalUuid(text) ?? text;
}

/** Whether a filter is `in` on the primary key with a single key. */
const listsOneKey = ({ conditions }: ApiRequest, { primaryKey }: Collection): boolean =>
  conditions.some(
    condition =>
      condition.is === 'filter' &&
      !condition.negated &&
      condition.field.name === primaryKey &&
      condition.field.path.length === 0 &&
      condition.operation.operator === 'in' &&
      condition.operation.values.length === 1,
  );

/** Whether a filter is `eq` on the column, so that rows with other values don't match. */
const comparesColumn = (name: string | undefined, { conditions }: ApiRequest): boolean =>
  name !== undefined && conditions.some(condition => operandOfEq(name, condition) !== undefined);

/**
 * Returns which properties of its rows a change names, if the collection has prices. `If-Match: *` names no version, nor does
 * a time or a price without a row's key, since other rows may have the same.
 */
export function namedBy(
  request: ApiRequest,
  collection: Collection,
  body: BodyPlan,
  ifMatch?: ExpectedVersion,
): { names?: Named } {
  if (collection.price === undefined) {
    return {};
  }
  const columns = namedColumns(request, body);
  if (body.key !== undefined) {
    return { names: { version: false, price: false, rows: 'keyed', columns } };
  }
  const isOne = isByKey(request, collection) || listsOneKey(request, collection);
  return {
    names: {
      version: isOne && (typeof ifMatch === 'object' || comparesColumn(collection.changedAt, request)),
      price: isOne && comparesColumn(collection.price, request),
      rows: isOne ? 'one' : 'filtered',
      columns,
    },
  };
}

/** Returns the columns that the rows of a body have, also those that it must send unchanged. `columns=` may name others. */
export const namedColumns = ({ body }: ApiRequest, { columns, unchanged }: BodyPlan): string[] =>
  [...columns, ...unchanged].filter(name => body?.rows.every(row => Object.hasOwn(row, name)));

/** Returns the key of the only row that can match, if a filter has it. */
const rowKeyOf = ({ conditions }: ApiRequest, collection: Collection): string | undefined =>
  conditions.map(condition => keyInFilter(condition, collection)).find(key => key !== undefined);

/** Whether a condition is `eq` on the primary key, so that at most one row can match. */
const isByKey = (request: ApiRequest, collection: Collection): boolean =>
  rowKeyOf(request, collection) !== undefined;

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
