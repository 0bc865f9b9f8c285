/** The plan of a POST or PUT. */
import type { Collection } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { combine, fail, ok, type Result } from '../../common/failure/result.ts';
import { wantsRows } from '../request/preferences.ts';
import type { ApiRequest, Body } from '../request/request.ts';
import { keyText, operandOfEq } from './one-row.ts';
import { planBody } from './plan-body.ts';
import { type PlanContext, planOfRows } from './plan-of-rows.ts';
import type { PlanOfRows } from './planned.ts';
import { resolveField } from './resolve-field.ts';
import { planReplacement, type UpdatePlan } from './update.ts';
import { type BodyPlan, bodyUse, type Conflict, columnsOfAll, type Facts, requireBody } from './write.ts';

/** The `Idempotency-Key` of a POST, and the hash of the request, which identifies a retry. */
export interface IdempotencyKey {
  key: string;
  fingerprint: string;
}

export interface InsertPlan extends PlanOfRows {
  is: 'insert';
  /** Requests with the same key are executed once. */
  idempotencyKey?: IdempotencyKey;
  body: BodyPlan;
  conflict?: Conflict;
  /** For an upsert in a collection whose columns rules judge. */
  facts?: Facts;
  /** PUT: insert or replace the row with the key in the URL. */
  put: boolean;
}

export function planInsert(request: ApiRequest, context: PlanContext): Result<InsertPlan | UpdatePlan> {
  const { collection, caller } = context;
  const putKey = request.method === 'PUT' ? readPutKey(request, collection) : ok(undefined);
  if (!putKey.ok) {
    return putKey;
  }
  const parsedBody = requireBody(request);
  const conflict = planUpsert(request, collection, caller);
  if (!conflict.ok) {
    return conflict;
  }
  // With If-Match, a PUT only replaces a row that exists.
  const privilege = request.ifMatch === undefined ? 'insert' : 'update';
  const upsert = conflict.value && privilege === 'insert' ? { conflict: conflict.value } : undefined;
  const planned = combine({
    base: planOfRows(request, context, { returnsRows: wantsRows(request) }),
    body: planBody(parsedBody, { ...bodyUse(request, privilege), ...upsert }, collection, caller),
  });
  if (!planned.ok) {
    return planned;
  }
  const { base, body } = planned.value;
  if (putKey.value !== undefined && !hasKey(parsedBody, collection, putKey.value)) {
    return fail<Failure>({ is: 'put key mismatch' });
  }
  if (base.ifMatch !== undefined) {
    return planReplacement(request, { ...base, body }, context);
  }
  return ok({
    is: 'insert',
    ...base,
    body,
    atMostOne: base.atMostOne && upsert === undefined,
    ...(upsert && { ...upsert, ...upsertFacts(columnsOfAll(request, body), collection) }),
    put: putKey.value !== undefined,
    ...(request.idempotencyKey !== undefined && {
      idempotencyKey: { key: request.idempotencyKey, fingerprint: request.fingerprint ?? '' },
    }),
  });
}

/** Returns the facts about an upsert, which changes the rows that exist. */
const upsertFacts = (columns: string[], { judged }: Collection): { facts?: Facts } =>
  judged === undefined ? {} : { facts: { compared: [], rows: 'keyed', columns } };

/** Plans how an insert treats existing rows. */
function planUpsert(
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
function readPutKey(request: ApiRequest, collection: Collection): Result<string> {
  if (request.range.offset !== 0 || request.range.limit !== undefined) {
    return fail<Failure>({ is: 'put range' });
  }
  const [filter, ...others] = request.conditions;
  const key = operandOfEq(collection.primaryKey, filter);
  return others.length > 0 || key === undefined ? fail<Failure>({ is: 'put filters' }) : ok(key);
}

/** Whether the body is one row with this key. */
function hasKey(body: Body, { columns, primaryKey }: Collection, key: string): boolean {
  const text = (value: unknown) => keyText(value, columns[primaryKey]);
  const [row, ...others] = body.rows;
  return (
    row !== undefined &&
    others.length === 0 &&
    Object.hasOwn(row, primaryKey) &&
    text(row[primaryKey]) === text(key)
  );
}
