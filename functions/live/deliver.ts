/** Sends the changes that a caller sees to its channels: each to a channel once, with the ids of all bindings that it meets. */
import type { Collection } from '../../schema/collection.ts';
import { memoizeBy } from '../common/memoize.ts';
import type { Channel, MissedWhy } from './channel.ts';
import type { Change, EventName } from './feed.ts';
import { meetsKeys } from './filter.ts';
import type { ReadRow } from './reading.ts';
import type { LiveSocket } from './socket.ts';
import type { Binding } from './subscription.ts';

export interface DeliverParts {
  /** Counts bytes that were sent on a socket; true when its user was sent its share. */
  sent: (socket: LiveSocket, bytes: number) => boolean;
  /** The channel can't be sent every change. */
  missed: (channel: Channel, why: MissedWhy) => void;
}

/** Sends changes, in their order, to channels of one caller. */
export function deliver(
  changes: Change[],
  rows: Map<Change, ReadRow>,
  channels: Channel[],
  { sent, missed }: DeliverParts,
): void {
  for (const change of changes) {
    const row = rows.get(change);
    // What was made for other bindings of the same form.
    const made = new Map<string, string>();
    for (const channel of channels) {
      for (const { event, form, bindings } of messagesOf(change, row, channel)) {
        const data = made.get(`${event} ${form}`) ?? changeData(change, event, bindings[0], row);
        made.set(`${event} ${form}`, data);
        const ids = bindings.map(({ id }) => id).join();
        const bytes = channel.sendChange(`{"ids":[${ids}],"data":${data}}`);
        if (bytes > 0 && sent(channel.socket, bytes)) {
          missed(channel, 'bytes');
        }
      }
    }
  }
}

interface ChangeMessage {
  event: EventName;
  form: string;
  bindings: [Binding, ...Binding[]];
}

/** Returns the messages to a channel about a change: one for each event, schema and list of columns. */
function messagesOf(change: Change, row: ReadRow | undefined, channel: Channel): ChangeMessage[] {
  return change.events.flatMap((event, index) => {
    const isAfterInsert = change.events[index - 1] === 'INSERT';
    const met = channel.bindings.filter(
      // Whoever was just sent the insert has the row as it is now.
      binding => meets(binding, change, event, row) && (!isAfterInsert || binding.event === event),
    );
    return [...Map.groupBy(met, ({ schema, selection }) => `${schema} ${selection.text}`)].map(
      ([form, bindings]) => ({ event, form, bindings: bindings as ChangeMessage['bindings'] }),
    );
  });
}

/** Whether a change meets a binding. Of a deleted row only the account and the key are known: other conditions count as met. */
function meets(
  { collection, event: wanted, filter }: Binding,
  { collection: name, account, key }: Change,
  event: EventName,
  row: ReadRow | undefined,
): boolean {
  return (
    collection.name === name &&
    (wanted === '*' || wanted === event) &&
    meetsKeys(filter, account, key) &&
    (event === 'DELETE' ||
      (row !== undefined && [...filter.conditions.keys()].every(text => row.met.has(text))))
  );
}

/** Returns the `data` of the message for bindings of one schema and selection. */
function changeData(
  { key, at }: Change,
  event: EventName,
  { schema, collection, selection }: Binding,
  row: ReadRow | undefined,
): string {
  const old = { [collection.primaryKey]: keyValue(key, collection) };
  const head = JSON.stringify({ schema, table: collection.name, commit_timestamp: at, type: event });
  const parts = [head.slice(0, -1), `"columns":${columnsJson(selection.columns, collection)}`];
  const names = event === 'DELETE' ? [] : selection.columns;
  const whole = names.filter(name => typeof row?.values[name] === 'string');
  if (event !== 'DELETE') {
    parts.push(`"record":{${whole.map(name => `${JSON.stringify(name)}:${row?.values[name]}`).join()}}`);
  }
  if (event !== 'INSERT') {
    parts.push(`"old_record":${JSON.stringify(old)}`);
  }
  const isTrimmed = whole.length < names.length;
  parts.push(`"errors":${isTrimmed ? JSON.stringify(['Error 413: Payload Too Large']) : 'null'}`);
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
