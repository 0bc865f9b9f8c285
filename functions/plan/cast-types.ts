/**
 * The types a cast may name, each with what can be turned into it, so that a type of the request never reaches the text of
 * a statement (https://www.postgresql.org/docs/current/datatype.html). They are those that somebody asks a table for.
 * A text becomes no JSON and no time: 1 MiB of it takes Postgres 70 MB as JSON, which nothing interrupts, and it keeps each
 * time zone that it reads in a text.
 */
import type { Column } from '../../schema/collection.ts';
import type { AggregateName } from '../request/request.ts';
import type { PlannedField } from './plan.ts';

type Kind = 'text' | 'number' | 'boolean' | 'uuid' | 'time' | 'json' | 'array';

const anything: readonly Kind[] = ['text', 'number', 'boolean', 'uuid', 'time', 'json', 'array'];
const scalars: readonly Kind[] = ['text', 'number', 'boolean', 'json'];

/** By their names and aliases: the kinds of values that can be turned into the type, and its own. */
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

/** What a cast is of: a column, perhaps with a path into its JSON, or what an aggregate or another cast makes of it. */
export type CastSource = { field: PlannedField } | { kind: Kind };

export type FoundCast =
  | { is: 'found'; type: string; kind: Kind }
  | { is: 'unknown' }
  | { is: 'impossible'; type: string };

/** The type as it is written into a statement, if there is such a type, and a way to it. */
export function findCast(name: string, source: CastSource): FoundCast {
  const type = name.trim().toLowerCase().replace(/ +/g, ' ');
  const found = Object.hasOwn(castTypes, type) ? castTypes[type] : undefined;
  if (found === undefined) {
    return { is: 'unknown' };
  }
  return found.from.includes(kindOf(source))
    ? { is: 'found', type, kind: found.kind }
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
