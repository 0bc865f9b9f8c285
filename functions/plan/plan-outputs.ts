/** select= → the columns of the answer. `*` means those this caller may read. */
import type { Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller.ts';
import type { Failure } from '../failure.ts';
import type { Field, SelectItem } from '../request/api-request.ts';
import { fail, ok, type Result } from '../result.ts';
import { findCastType } from './cast-types.ts';
import type { Output } from './plan.ts';
import { permittedColumns, resolveField } from './resolve-field.ts';

/** Postgres cuts longer names off, which could make two of them one. */
const nameLimit = 63;

export function planOutputs(items: SelectItem[], collection: Collection, caller: Caller): Result<Output[]> {
  const outputs: Output[] = [];
  for (const item of items) {
    if (item.is === 'embedding') {
      return fail<Failure>({ is: 'embedding', collection: collection.name, name: item.name });
    }
    if (item.is === 'all') {
      outputs.push(...allColumns(collection, caller));
      continue;
    }
    const output = item.is === 'count' ? planCount(item) : planField(item, collection, caller);
    if (!output.ok) {
      return output;
    }
    if (new TextEncoder().encode(output.value.name).length > nameLimit) {
      return fail<Failure>({ is: 'alias too long', alias: output.value.name });
    }
    outputs.push(output.value);
  }
  return ok(outputs);
}

function allColumns(collection: Collection, caller: Caller): Output[] {
  return permittedColumns(collection, caller, 'select').flatMap(name => {
    const column = collection.columns[name];
    return column ? [{ name, field: { column: name, type: column.type, path: [] } }] : [];
  });
}

function planCount(item: Extract<SelectItem, { is: 'count' }>): Result<Output> {
  const cast = resolveCast(item.aggregateCast);
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
