/** Items of `select` → columns of the response. `*` means all columns that the caller may read. */
import type { Collection } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { limits } from '../../common/limits.ts';
import type { Field, SelectItem } from '../request/request.ts';
import { aggregateKind, type CastLookup, type CastSource, castTypeNames, findCast } from './cast-types.ts';
import type { Output } from './planned.ts';
import { findColumn, permittedColumns, resolveField } from './resolve-field.ts';

export function allColumns(collection: Collection, caller: Caller): Output[] {
  return permittedColumns(collection, caller, 'select').flatMap(name => {
    const column = collection.columns[name];
    return column ? [{ name, field: { column: name, type: column.type, path: [] } }] : [];
  });
}

/** Whether the rows of the response are groups. */
export const hasAggregates = (outputs: Output[]): boolean =>
  outputs.some(({ aggregate }) => aggregate !== undefined);

/** Whether a name can be that of a column. */
export const isUsable = (name: string): boolean =>
  name !== '' && new TextEncoder().encode(name).length <= limits.query.nameBytes;

/** Plans an item that is neither `*` nor an embedding. */
export function planOutput(
  item: Exclude<SelectItem, { is: 'all' | 'embedding' }>,
  collection: Collection,
  caller: Caller,
): Result<Output> {
  const output =
    item.is === 'count' || isBareCount(item, collection)
      ? planCount(item)
      : planField(item, collection, caller);
  return output.ok && !isUsable(output.value.name)
    ? fail<Failure>({ is: 'unusable name', name: output.value.name })
    : output;
}

/** Whether an item is `count` without parentheses, the syntax before PostgREST had aggregates. */
const isBareCount = (item: Extract<SelectItem, { is: 'field' }>, collection: Collection): boolean =>
  item.field.name === 'count' &&
  item.field.path.length === 0 &&
  findColumn(collection, 'count') === undefined;

function planCount(item: { alias?: string; cast?: string; aggregateCast?: string }): Result<Output> {
  const cast = resolveCast(item.aggregateCast ?? item.cast, { kind: 'number' });
  return cast.ok
    ? ok({
        name: item.alias ?? 'count',
        aggregate: 'count',
        ...(cast.value && { aggregateCast: cast.value.type }),
      })
    : cast;
}

function planField(
  item: Extract<SelectItem, { is: 'field' }>,
  collection: Collection,
  caller: Caller,
): Result<Output> {
  const field = resolveField(item.field, collection, caller);
  if (!field.ok) {
    return field;
  }
  const cast = resolveCast(item.cast, { field: field.value });
  if (!cast.ok) {
    return cast;
  }
  const inner: CastSource = cast.value ?? { field: field.value };
  const aggregateCast = item.aggregate
    ? resolveCast(item.aggregateCast, { kind: aggregateKind(item.aggregate, inner) })
    : ok(undefined);
  if (!aggregateCast.ok) {
    return aggregateCast;
  }
  return ok({
    name: item.alias ?? item.aggregate ?? defaultName(item.field),
    field: field.value,
    ...(cast.value && { cast: cast.value.type }),
    ...(item.aggregate && { aggregate: item.aggregate }),
    ...(aggregateCast.value && { aggregateCast: aggregateCast.value.type }),
  });
}

/** Names an output that has no alias. A JSON path is named after its last key; array indexes are skipped. */
function defaultName({ name, path }: Field): string {
  const key = path.findLast(({ operand }) => typeof operand === 'string')?.operand;
  return typeof key === 'string' ? key : name;
}

function resolveCast(
  name: string | undefined,
  source: CastSource,
): Result<Extract<CastLookup, { is: 'possible' }> | undefined> {
  if (name === undefined) {
    return ok(undefined);
  }
  const cast = findCast(name, source);
  switch (cast.is) {
    case 'possible':
      return ok(cast);
    case 'unknown':
      return fail<Failure>({ is: 'unknown type', name, known: castTypeNames });
    case 'impossible':
      return fail<Failure>({
        is: 'invalid value',
        of: 'a cast',
        sqlstate: '42846',
        message: `The selected value cannot be cast to ${cast.type}`,
        hint: 'Cast it to text, or select it without a cast. A text can be cast to numbers, booleans and uuids, but not to times or JSON.',
      });
  }
}
