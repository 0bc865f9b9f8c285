/** Reads what several callers see of changes, in one message. */
import type { Audience } from '../../schema/collection.ts';
import { everyone } from '../../schema/everyone.ts';
import { ok, type Result } from '../common/result.ts';
import type { Row } from '../database/database.ts';
import { readMessage } from '../statement/live.ts';
import { type Readings, readingsOf } from './bindings.ts';
import type { Change } from './changes.ts';
import type { Delivery } from './deliveries.ts';
import type { Ask } from './feed.ts';
import type { ReadRow } from './payload.ts';

/** Milliseconds of reading: for one caller, and for all. */
export interface Times {
  share: number;
  total: number;
}

/** What a caller sees of its changes: up to the first for which there was no time, and the rest. */
export interface Seen {
  seen: Change[];
  unread: Change[];
}

export interface ReadChanges {
  rows: Map<Change, ReadRow>;
  /** Without those callers for whom the time was up before they were asked for. */
  deliveries: Map<Delivery, Seen>;
}

/**
 * Reads for callers of one audience. What is addressed to everyone is read once, as a customer without accounts: what that
 * one sees, all may.
 */
export async function readChanges(
  audience: Audience,
  deliveries: Delivery[],
  times: Times,
  ask: Ask,
): Promise<Result<ReadChanges>> {
  const changes = [...new Set(deliveries.flatMap(delivery => delivery.changes))];
  const numbers = new Map(changes.map((change, index) => [change, index + 1]));
  const isShared = ({ account }: Change): boolean => audience === 'customer' && account === everyone;
  const numbersOf = (some: Change[]): number[] => some.map(change => numbers.get(change) ?? 0);
  const own = deliveries.map(delivery => delivery.changes.filter(change => !isShared(change)));
  const callers: [claims: object, lines: number[]][] = [
    [{}, numbersOf(changes.filter(isShared))],
    ...deliveries.map(({ caller }, index): [object, number[]] => [
      caller.caller.claims ?? {},
      numbersOf(own[index] ?? []),
    ]),
  ];
  const asked = callers.flatMap(([claims, lines], index) =>
    lines.length > 0 ? [{ claims, lines, index }] : [],
  );
  const readings = readingsOf(
    deliveries.flatMap(({ listeners }) => listeners.flatMap(({ channel }) => channel.bindings)),
  );
  const message = readMessage({
    audience,
    callers: asked.map(({ claims, lines }) => [claims, lines]),
    lines: changes.map(({ id }) => id),
    queries: [...readings.values()].map(reading => ({
      collection: reading.collection,
      columns: [...reading.columns],
      conditions: [...reading.conditions.values()],
    })),
    ...times,
  });
  const result = await ask(message);
  if (!result.ok) {
    return result;
  }
  const { seenBy, rows } = parse(result.value, changes, readings);
  const outcomes = new Map(asked.map(({ index }, position) => [index, seenBy.get(position + 1)]));
  const shared = outcomes.get(0) ?? nothing;
  const read = new Map<Delivery, Seen>();
  for (const [index, delivery] of deliveries.entries()) {
    const outcome = own[index]?.length === 0 ? nothing : outcomes.get(index + 1);
    if (outcome) {
      read.set(delivery, seenOf(delivery.changes, [outcome, shared], numbers));
    }
  }
  return ok({ rows, deliveries: read });
}

/** Numbers of lines. */
interface Outcome {
  seen: Set<number>;
  unread: Set<number>;
}

const nothing: Outcome = { seen: new Set(), unread: new Set() };

function seenOf(changes: Change[], outcomes: Outcome[], numbers: Map<Change, number>): Seen {
  const isIn = (part: keyof Outcome) => (change: Change) =>
    outcomes.some(outcome => outcome[part].has(numbers.get(change) ?? 0));
  const first = changes.findIndex(isIn('unread'));
  const end = first === -1 ? changes.length : first;
  return { seen: changes.slice(0, end).filter(isIn('seen')), unread: changes.slice(end) };
}

/** Parses the rows of builder.read_changes: what each caller sees, by its number from 1, and what was read of each row. */
function parse(
  result: Row[],
  changes: Change[],
  readings: Readings,
): { seenBy: Map<number, Outcome>; rows: Map<Change, ReadRow> } {
  const seenBy = new Map<number, Outcome>();
  const rows = new Map<Change, ReadRow>();
  for (const row of result) {
    const list = (name: string): never[] => JSON.parse(row[name] ?? '[]');
    const change = changes[Number(row['line']) - 1];
    const reading = readings.get(change?.collection ?? '');
    if (row['caller'] !== null) {
      seenBy.set(Number(row['caller']), { seen: new Set(list('seen')), unread: new Set(list('unread')) });
    } else if (change && reading) {
      const [record, met] = [list('record'), list('met')];
      rows.set(change, {
        values: new Map([...reading.columns].map((column, index) => [column, record[index] ?? null])),
        met: new Set([...reading.conditions.keys()].filter((_, index) => met[index])),
      });
    }
  }
  return { seenBy, rows };
}
