/** A change of a row → the JSON that a client is sent about it (S postgres_changes). */
import type { Collection } from '../../schema/collection.ts';
import { memoizeBy } from '../common/memoize.ts';
import type { Output } from '../plan/plan.ts';
import type { Binding, EventName } from './bindings.ts';
import type { Change } from './changes.ts';

/** A row as it was read; none of a row that is deleted. */
export interface ReadRow {
  /** By the text of the selection. */
  records: Map<string, string>;
  /** Values were left out, since the row is too large. */
  trimmed: boolean;
  /** The texts of the conditions that it meets. */
  met: Set<string>;
}

/** `data` of the message for bindings of one schema and selection. */
export function changeData(
  change: Change,
  event: EventName,
  { schema, collection, selection }: Binding,
  row: ReadRow | undefined,
): string {
  const { key, at } = change;
  const old = { [collection.primaryKey]: keyValue(key, collection) };
  const head = JSON.stringify({ schema, table: collection.name, commit_timestamp: at, type: event });
  const columns = `"columns":${columnsJson(selection.outputs, collection)}`;
  const record = event === 'DELETE' ? [] : [`"record":${row?.records.get(selection.text) ?? '{}'}`];
  const oldRecord = event === 'INSERT' ? [] : [`"old_record":${JSON.stringify(old)}`];
  const errors = `"errors":${row?.trimmed ? JSON.stringify(['Error 413: Payload Too Large']) : 'null'}`;
  return `${[head.slice(0, -1), columns, ...record, ...oldRecord, errors].join()}}`;
}

/** A bigint is a number in JSON, as Postgres writes it; other keys are texts. */
const keyValue = (key: string, { columns, primaryKey }: Collection): string | number =>
  columns[primaryKey]?.type.postgres === 'bigint' ? Number(key) : key;

const columnsJson = memoizeBy(
  (outputs: Output[], collection: Collection) =>
    JSON.stringify(outputs.map(({ name }) => ({ name, type: typeName(collection, name) }))),
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
