/** The plan of a call of a function: its arguments, and what the response has of the row that it returns. */
import type { DatabaseFunction } from '../../../schema/function.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { combine, fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import { contentType, notOffered, type RowsMediaType } from '../request/media-type.ts';
import type { ApiRequest } from '../request/request.ts';
import type { IdempotencyKey } from './insert.ts';
import type { PlanOfRows, RequestPlan } from './plan.ts';
import { planOfRows, type Requested } from './plan-of-rows.ts';
import { readCells } from './read-cells.ts';
import { planTimeZone } from './time-zone.ts';
import { requiredColumns, validateRows } from './validate-rows.ts';
import { type BodyPlan, requireBody } from './write.ts';

interface Called {
  called: DatabaseFunction;
  /** The arguments. */
  body: BodyPlan;
}

/** A call that returns a value. */
export interface ValuePlan extends RequestPlan, Called {
  is: 'value';
}

/** A call that returns a row, which is read like one that was written. */
export interface CallPlan extends PlanOfRows, Called {
  is: 'call';
  /** The type of its response, a single object that the request may have asked for as JSON. */
  contentType: string;
  idempotencyKey?: IdempotencyKey;
}

/** What `permit` checks before the body is read: the caller, and that the request has nothing that is for rows. */
export function permitCall(
  head: ApiRequest,
  called: DatabaseFunction,
  { caller }: Requested,
): Result<unknown> {
  const { name, audiences, returns } = called;
  if (!audiences.includes(caller.audience)) {
    return fail<Failure>({
      is: 'forbidden function',
      name,
      ...(caller.kind !== 'anon' && { authenticated: true }),
    });
  }
  const header = Object.entries({
    // A value is not stored, so a retry could not get it again.
    'Idempotency-Key': 'row' in returns ? undefined : head.idempotencyKey,
    'If-Match': head.ifMatch,
    'If-None-Match': head.ifNoneMatch,
  }).find(([, value]) => value !== undefined)?.[0];
  if (header !== undefined) {
    return fail<Failure>({
      is: 'unusable header',
      header,
      details: `The function ${name} does not take it.`,
    });
  }
  const mediaType = mediaTypeOf(head, called);
  return mediaType.ok && head.conditions.length > 0 ? otherArguments(called) : mediaType;
}

/** Returns the format of the result. A row is one object in any JSON; only a value may be CSV, with one column. */
function mediaTypeOf({ mediaType }: ApiRequest, { returns }: DatabaseFunction): Result<RowsMediaType> {
  if (mediaType.is === 'plan' || (mediaType.is === 'csv' && !('value' in returns))) {
    return notOffered(mediaType);
  }
  return ok(
    'row' in returns && mediaType.is === 'json'
      ? { is: 'object', nullsStripped: mediaType.nullsStripped }
      : mediaType,
  );
}

/** Whether a function may be called without arguments, and so without a body. */
export const needsNoArguments = ({ args }: DatabaseFunction): boolean =>
  requiredColumns({ columns: args }).length === 0;

/** Fails with the arguments that the function takes. */
function otherArguments({ name, args }: DatabaseFunction): Result<never> {
  const required = requiredColumns({ columns: args });
  const names = Object.keys(args).map(arg => (required.includes(arg) ? arg : `${arg}?`));
  const list = `{ ${names.join(', ')} }`;
  const takes = ['no arguments', `one argument: ${list}`][names.length] ?? `the arguments ${list}`;
  return fail<Failure>({ is: 'function arguments', name, takes });
}

/** Checks the arguments: their names, then their values. */
function planArguments(request: ApiRequest, called: DatabaseFunction): Result<BodyPlan> {
  const columns = called.args;
  const body = readCells(requireBody(request), { columns });
  if (!body.ok) {
    return body;
  }
  const { json, isArray, rows } = body.value;
  const given = Object.keys(rows[0] ?? {});
  const isKnown = given.every(name => Object.hasOwn(columns, name));
  if (isArray || !isKnown || !requiredColumns({ columns }).every(name => given.includes(name))) {
    return otherArguments(called);
  }
  const issues = validateRows(body.value, given, { privilege: 'update', missing: 'null' }, { columns });
  return issues.length > 0
    ? fail<Failure>({ is: 'invalid fields', issues })
    : ok({ json, isArray, rows: 1, columns: given, unchanged: [], hasOthers: false, missing: 'null' });
}

/** Plans a call. `permit` has checked its head. */
export function planCall(
  request: ApiRequest,
  called: DatabaseFunction,
  requested: Requested,
): Result<ValuePlan | CallPlan> {
  const planned = combine({
    body: planArguments(request, called),
    mediaType: mediaTypeOf(request, called),
    timeZone: planTimeZone(request.preferences),
  });
  if (!planned.ok) {
    return planned;
  }
  const { preferences, idempotencyKey: key, fingerprint = '' } = request;
  const { body, mediaType } = planned.value;
  const { returns } = called;
  if (!('row' in returns)) {
    const { caller } = requested;
    return ok({
      is: 'value',
      called,
      caller,
      preferences,
      maxBytes: limits.response.bytes,
      ...planned.value,
    });
  }
  const base = planOfRows(
    { ...request, mediaType },
    { ...requested, collection: returns.row },
    { hasBody: true },
  );
  return base.ok
    ? ok({
        is: 'call',
        ...base.value,
        called,
        body,
        preferences: { ...preferences, return: 'representation' },
        // The row is written before it is read, so a response that is not one row must undo it.
        atMostOne: false,
        contentType: contentType(request.mediaType),
        ...(key !== undefined && { idempotencyKey: { key, fingerprint } }),
      })
    : base;
}
