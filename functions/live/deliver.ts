/** Sends the changes that a caller sees to its channels: to each once, with the ids of all bindings that it meets. */
import { limits } from '../common/limits.ts';
import type { Binding, EventName } from './bindings.ts';
import { type Change, eventsOf } from './changes.ts';
import type { Channel } from './channel.ts';
import { meetsKeys } from './filter.ts';
import { changeData, type ReadRow } from './payload.ts';
import type { Sockets } from './sockets.ts';

/** Who is told of changes. */
export interface Listener {
  channel: Channel;
  /** Up to where it has been told, where that is not the same for all. */
  cursor?: string;
}

/**
 * Tells these listeners, all of one caller, of changes in their order. Returns the channels that were sent too much, and
 * are not told of the rest.
 */
export function deliver(
  changes: Change[],
  rows: Map<Change, ReadRow>,
  listeners: Listener[],
  sockets: Sockets,
): Set<Channel> {
  const exceeding = new Set<Channel>();
  for (const change of changes) {
    const data = new Map<string, string>();
    for (const { channel, cursor } of listeners) {
      const events = exceeding.has(channel) ? [] : eventsOf(change, cursor);
      for (const [index, event] of events.entries()) {
        const row = rows.get(change);
        const isAfterInsert = events[index - 1] === 'INSERT';
        const met = channel.bindings.filter(
          // Whoever was just told of the insert has the row as it is now.
          binding => meets(binding, change, event, row) && (!isAfterInsert || binding.event === event),
        );
        send(change, event, row, channel, met, data);
        if (sockets.exceedsShare(channel.socket) || channel.resumedBytes > limits.live.resumedBytes) {
          exceeding.add(channel);
        }
      }
    }
  }
  return exceeding;

  /** Sends a change to a channel; `data` has what was made for other bindings of the same form. */
  function send(
    change: Change,
    event: EventName,
    row: ReadRow | undefined,
    channel: Channel,
    met: Binding[],
    data: Map<string, string>,
  ): void {
    const { socket, topic, joinRef } = channel;
    for (const [form, bindings] of Map.groupBy(met, formOf)) {
      const name = `${event} ${form}`;
      const [first] = bindings as [Binding];
      const made = data.get(name) ?? changeData(change, event, first, row);
      data.set(name, made);
      const ids = bindings.map(({ id }) => id).join();
      const bytes = socket.send(
        { joinRef, ref: null, topic, event: 'postgres_changes' },
        `{"ids":[${ids}],"data":${made}}`,
      );
      sockets.sent(socket, bytes);
      channel.resumedBytes += channel.state === 'resuming' ? bytes : 0;
    }
  }
}

const formOf = ({ schema, selection }: Binding): string => `${schema} ${selection.text}`;

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
    (event === 'DELETE' || (row !== undefined && filter.conditions.every(({ text }) => row.met.has(text))))
  );
}
