/** select= → the columns of the answer. `*` means those this caller may read. */
import type { Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller.ts';
import type { Failure } from '../failure.ts';
import { rememberedBy } from '../remembered.ts';
import type { Field, SelectItem } from '../request/api-request.ts';
import { fail, ok, type Result } from '../result.ts';
import { findCastType } from './cast-types.ts';
import type { Output } from './plan.ts';
import { findColumn, permittedColumns, resolveField } from './resolve-field.ts';

/** Postgres cuts longer names off, which could make two of them one. */
const nameLimit = 63;

/** More columns than a collection has, and few enough that the same one many times over is no burden. */
const outputLimit = 100;

/** The same items of the same caller are the same outputs: what is derived from them can be remembered by them. */
export const planOutputs = rememberedBy(
  computeOutputs,
  (collection: Collection, caller: Caller) => `${collection.name} ${caller.kind}`,
);

function computeOutputs(items: SelectItem[], collection: Collection, caller: Caller): Result<Output[]> {
  const outputs: Output[] = [];
  for (const item of items) {
    if (item.is === 'embedding') {
      return fail<Failure>({ is: 'embedding', collection: collection.name, name: item.name });
    }
    if (item.is === 'all') {
      outputs.push(...allColumns(collection, caller));
      continue;
    }
    const output =
      item.is === 'count' || isBareCount(item, collection)
        ? planCount(item)
        : planField(item, collection, caller);
    if (!output.ok) {
      return output;
    }
    const { name } = output.value;
    if (name === '' || isTooLong(name)) {
      return fail<Failure>({ is: 'unusable name', name });
    }
    outputs.push(output.value);
  }
  return outputs.length > outputLimit
    ? fail<Failure>({ is: 'too complex', what: 'columns to select', limit: outputLimit })
    : ok(outputs);
}

function allColumns(collection: Collection, caller: Caller): Output[] {
  return permittedColumns(collection, caller, 'select').flatMap(name => {
    const column = collection.columns[name];
    return column ? [{ name, field: { column: name, type: column.type, path: [] } }] : [];
  });
}

/** A UTF-16 unit has three bytes at most, so that the short ones need not be counted. */
const isTooLong = (name: string): boolean =>
  name.length * 3 > nameLimit && new TextEncoder().encode(name).length > nameLimit;

/** `count` without its parentheses, as clients wrote it before PostgREST had aggregates. */
const isBareCount = (item: Extract<SelectItem, { is: 'field' }>, collection: Collection): boolean =>
  item.field.name === 'count' &&
  item.field.path.length === 0 &&
  findColumn(collection, 'count') === undefined;

function planCount(item: { alias?: string; cast?: string; aggregateCast?: string }): Result<Output> {
  const cast = resolveCast(item.aggregateCast ?? item.cast);
  return cast.ok
    ? ok({
        name: item.alias ?? 'count',
        aggregate: 'count',
        ...(cast.value && { aggregateCast: cast.value }),
      })
    : cast;
}

function planField(
  item: Extract<SelectItem, { is: 'field' }>,
  collection: Collection,
  caller: Caller,
): Result<Output> {
  const field = resolveField(item.field, collection, caller);
  const cast = resolveCast(item.cast);
  const aggregateCast = resolveCast(item.aggregateCast);
  if (!field.ok || !cast.ok || !aggregateCast.ok) {
    return [field, cast, aggregateCast].find(result => !result.ok) as Result<never>;
  }
  return ok({
    name: item.alias ?? item.aggregate ?? defaultName(item.field),
    field: field.value,
    ...(cast.value && { cast: cast.value }),
    ...(item.aggregate && { aggregate: item.aggregate }),
    ...(aggregateCast.value && { aggregateCast: aggregateCast.value }),
  });
}

/** A JSON path is named after its last key, an index after the key before it. */
function defaultName({ name, path }: Field): string {
  const key = path.findLast(({ operand }) => typeof operand === 'string')?.operand;
  return typeof key === 'string' ? key : name;
}

function resolveCast(name: string | undefined): Result<string | undefined> {
  if (name === undefined) {
    return ok(undefined);
  }
  const type = findCastType(name);
  return type === undefined ? fail<Failure>({ is: 'unknown type', name }) : ok(type);
}
