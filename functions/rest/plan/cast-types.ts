/**
 * The types that a cast may name, each with the kinds of values that can be cast to it
 * (https://www.postgresql.org/docs/current/datatype.html). Statements contain only names from this list, never the
 * request's text. Text can't be cast to JSON or to a time: 1 MiB of text takes Postgres 70 MB as JSON, without
 * checking for interrupts, and Postgres keeps every time zone that it parses until the connection closes.
 */
import { type Kind, postgresType, postgresTypes } from '../../../schema/postgres-types.ts';
import type { AggregateName } from '../request/request.ts';
import type { Output, PlannedField } from './planned.ts';

const scalars: readonly Kind[] = ['text', 'number', 'boolean', 'json'];

/** By the kind of a type: the kinds of values that can be cast to it. */
const sources: Record<Kind, readonly Kind[]> = {
  text: ['text', 'enum', 'number', 'boolean', 'uuid', 'time', 'json', 'array'],
  number: scalars,
  boolean: scalars,
  uuid: ['text', 'uuid'],
  time: ['time'],
  json: ['json'],
  array: [],
  enum: [],
};

/** Types that no column has. */
const others: [kind: Kind, names: string[]][] = [
  ['number', ['smallint', 'int2', 'real', 'float4', 'double precision', 'float', 'float8']],
  ['time', ['timestamp', 'timestamp without time zone']],
  ['json', ['json']],
];

/** The kinds of types to which values can be cast, by name and alias. */
const castTypes = new Map<string, Kind>(
  [
    ...Object.keys(postgresTypes).map(name => {
      const { kind, aliases = [] } = postgresType(name as keyof typeof postgresTypes);
      return [kind, [name, ...aliases]] as const;
    }),
    ...others,
  ].flatMap(([kind, names]) => (sources[kind].length > 0 ? names.map(name => [name, kind] as const) : [])),
);

export const castTypeNames: readonly string[] = [...castTypes.keys()];

/** The value that is cast: a column with its JSON path, or the result of an aggregate or of another cast. */
export type CastSource = { field: PlannedField } | { kind: Kind };

export type CastLookup =
  | { is: 'possible'; type: string; kind: Kind }
  | { is: 'unknown' }
  | { is: 'impossible'; type: string };

/** Looks up the type by name, and whether the source can be cast to it. */
export function findCast(name: string, source: CastSource): CastLookup {
  const type = name.trim().toLowerCase().replace(/ +/g, ' ');
  const kind = castTypes.get(type);
  if (kind === undefined) {
    return { is: 'unknown' };
  }
  return sources[kind].includes(kindOf(source)) ? { is: 'possible', type, kind } : { is: 'impossible', type };
}

export const aggregateKind = (aggregate: AggregateName, source: CastSource): Kind =>
  aggregate === 'max' || aggregate === 'min' ? kindOf(source) : 'number';

function kindOf(source: CastSource): Kind {
  if ('kind' in source) {
    return source.kind;
  }
  const { type, path } = source.field;
  const arrow = path.at(-1)?.arrow;
  return arrow === undefined ? postgresType(type.postgres).kind : arrow === '->>' ? 'text' : 'json';
}

/** Returns the kind of values that an output has. */
export function outputKind({ field, cast, aggregate, aggregateCast }: Output): Kind {
  const isCounted = aggregate === 'count' || aggregate === 'sum' || aggregate === 'avg';
  const name = aggregateCast ?? (isCounted ? 'numeric' : cast);
  const kind = name === undefined ? undefined : castTypes.get(name);
  return kind ?? (field ? kindOf({ field }) : 'number');
}
