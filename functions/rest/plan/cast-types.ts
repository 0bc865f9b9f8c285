/**
 * The types that a cast may name, each with the kinds of values that can be cast to it
 * (https://www.postgresql.org/docs/current/datatype.html). Statements contain only names from this list, never the
 * request's text. Text can't be cast to JSON or to a time: 1 MiB of text takes Postgres 70 MB as JSON, without
 * checking for interrupts, and Postgres keeps every time zone that it parses until the connection closes.
 */
import type { Column } from '../../../schema/collection.ts';
import type { AggregateName } from '../request/request.ts';
import type { PlannedField } from './plan.ts';

type Kind = 'text' | 'number' | 'boolean' | 'uuid' | 'time' | 'json' | 'array';

const anything: readonly Kind[] = ['text', 'number', 'boolean', 'uuid', 'time', 'json', 'array'];
const scalars: readonly Kind[] = ['text', 'number', 'boolean', 'json'];

/** By name and alias: the kind of the type, and the kinds of values that can be cast to it. */
const castTypes: Record<string, { from: readonly Kind[]; kind: Kind }> = {};
const define = (names: string, kind: Kind, from: readonly Kind[]): void => {
  for (const name of names.split(', ')) {
    castTypes[name] = { kind, from };
  }
};
define('text, varchar, character varying', 'text', anything);
define('smallint, int2, integer, int, int4, bigint, int8', 'number', scalars);
define('numeric, decimal, real, float4, double precision, float, float8', 'number', scalars);
define('boolean, bool', 'boolean', scalars);
define('uuid', 'uuid', ['text', 'uuid']);
define('date, timestamp, timestamp without time zone, timestamptz, timestamp with time zone', 'time', [
  'time',
]);
define('json, jsonb', 'json', ['json']);

export const castTypeNames: readonly string[] = Object.keys(castTypes);

/** The value that is cast: a column with its JSON path, or the result of an aggregate or of another cast. */
export type CastSource = { field: PlannedField } | { kind: Kind };

export type CastLookup =
  | { is: 'possible'; type: string; kind: Kind }
  | { is: 'unknown' }
  | { is: 'impossible'; type: string };

/** Looks up the type by name, and whether the source can be cast to it. */
export function findCast(name: string, source: CastSource): CastLookup {
  const type = name.trim().toLowerCase().replace(/ +/g, ' ');
  const castType = Object.hasOwn(castTypes, type) ? castTypes[type] : undefined;
  if (castType === undefined) {
    return { is: 'unknown' };
  }
  return castType.from.includes(kindOf(source))
    ? { is: 'possible', type, kind: castType.kind }
    : { is: 'impossible', type };
}

export const aggregateKind = (aggregate: AggregateName, source: CastSource): Kind =>
  aggregate === 'max' || aggregate === 'min' ? kindOf(source) : 'number';

function kindOf(source: CastSource): Kind {
  if ('kind' in source) {
    return source.kind;
  }
  const { type, path } = source.field;
  const arrow = path.at(-1)?.arrow;
  return arrow === undefined ? kindOfColumn(type) : arrow === '->>' ? 'text' : 'json';
}

function kindOfColumn({ postgres }: Column['type']): Kind {
  switch (postgres) {
    case 'integer':
    case 'bigint':
    case 'numeric':
      return 'number';
    case 'boolean':
    case 'uuid':
      return postgres;
    case 'jsonb':
      return 'json';
    case 'text[]':
      return 'array';
    case 'date':
    case 'timestamp with time zone':
      return 'time';
    default:
      return 'text';
  }
}
