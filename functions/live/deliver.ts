/** Sends the changes that a caller sees to its channels: to each once, with the ids of all bindings that it meets. */
import { limits } from '../common/limits.ts';
import type { Binding, EventName } from './bindings.ts';
import type { Change } from './changes.ts';
import type { Channel } from './channels.ts';
import { meetsKeys } from './filter.ts';
import { changeData, type ReadRow } from './payload.ts';

/** `lines` are the numbers of changes, from 1, in order. */
export function deliver(
  lines: number[],
  changes: Change[],
  read: Map<number, ReadRow>,
  channels: Channel[],
): void {
  for (const line of lines) {
    const change = changes[line - 1];
    const texts = new Map<string, string>();
    for (const event of change?.events ?? []) {
      for (const channel of change ? channels : []) {
        deliverOne(change as Change, event, read.get(line), channel, texts);
      }
    }
  }
}

function deliverOne(
  change: Change,
  event: EventName,
  row: ReadRow | undefined,
  channel: Channel,
  texts: Map<string, string>,
): void {
  const { socket, stored } = channel;
  if (socket.fault !== undefined || missedTooMuch(channel)) {
    return;
  }
  const bindings = channel.bindings.filter(binding => meets(binding, change, event, row));
  for (const [form, alike] of Map.groupBy(bindings, formOf)) {
    const [binding] = alike;
    const name = `${event} ${form}`;
    const data = texts.get(name) ?? (binding ? changeData(change, event, binding, row) : '');
    texts.set(name, data);
    const ids = alike.map(({ id }) => id).join();
    const length = socket.send(
      { joinRef: stored.joinRef, ref: null, topic: stored.topic, event: 'postgres_changes' },
      `{"ids":[${ids}],"data":${data}}`,
    );
    channel.resumedBytes += channel.state === 'resuming' ? length : 0;
  }
}

/** It is told to read again instead. */
export const missedTooMuch = ({ state, resumedBytes }: Channel): boolean =>
  state === 'resuming' && resumedBytes > limits.live.resumedBytes;

const formOf = ({ schema, selection }: Binding): string => `${schema} ${selection.text}`;

/** Of a row that is deleted only its account and its key are known: other conditions count as met. */
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
