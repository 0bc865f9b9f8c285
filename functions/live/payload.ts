/** A change of a row → the JSON that a client is sent about it (S postgres_changes). */
import type { Collection } from '../../schema/collection.ts';
import { memoizeBy } from '../common/memoize.ts';
import type { Binding, EventName } from './bindings.ts';
import type { Change } from './changes.ts';

/** A row as it was read; none of a row that is deleted. */
export interface ReadRow {
  /** JSON of each column that was read; null in place of a large value. */
  values: Map<string, string | null>;
  /** The texts of the conditions that it meets. */
  met: Set<string>;
}

/** Returns the `data` of the message for bindings of one schema and selection. */
export function changeData(
  change: Change,
  event: EventName,
  { schema, collection, selection }: Binding,
  row: ReadRow | undefined,
): string {
  const { key, at } = change;
  const old = { [collection.primaryKey]: keyValue(key, collection) };
  const head = JSON.stringify({ schema, table: collection.name, commit_timestamp: at, type: event });
  const parts = [head.slice(0, -1), `"columns":${columnsJson(selection.columns, collection)}`];
  const values =
    event === 'DELETE' ? [] : selection.columns.map(name => ({ name, json: row?.values.get(name) }));
  const whole = values.filter(({ json }) => typeof json === 'string');
  if (event !== 'DELETE') {
    parts.push(`"record":{${whole.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join()}}`);
  }
  if (event !== 'INSERT') {
    parts.push(`"old_record":${JSON.stringify(old)}`);
  }
  parts.push(
    `"errors":${whole.length < values.length ? JSON.stringify(['Error 413: Payload Too Large']) : 'null'}`,
  );
  return `${parts.join()}}`;
}

/** Returns a key as a value: a bigint is a number in JSON, as Postgres writes it; other keys are texts. */
const keyValue = (key: string, { columns, primaryKey }: Collection): string | number =>
  columns[primaryKey]?.type.postgres === 'bigint' ? Number(key) : key;

const columnsJson = memoizeBy(
  (columns: string[], collection: Collection) =>
    JSON.stringify(columns.map(name => ({ name, type: typeName(collection, name) }))),
  ({ name }) => name,
);

/** Types as pg_type names them, by which clients convert. */
const typeNames: Record<string, string> = {
  'timestamp with time zone': 'timestamptz',
  'character varying': 'varchar',
  boolean: 'bool',
  integer: 'int4',
  bigint: 'int8',
  'text[]': '_text',
};

function typeName({ columns }: Collection, column: string): string {
  const { postgres = 'text' } = columns[column]?.type ?? {};
  return typeNames[postgres] ?? postgres.replace(/^builder\./, '');
}
