/** Reads what several callers see of changes, in one message. What a caller sees, Postgres decides, as that caller. */
import { everyone } from '../../schema/everyone.ts';
import { ok, type Result } from '../common/result.ts';
import type { Row } from '../database/database.ts';
import { readMessage } from '../statement/live.ts';
import type { Channel, LiveCaller } from './channel.ts';
import type { Ask, Change } from './feed.ts';
import { liveLimits } from './limits.ts';
import { readingsOf } from './subscription.ts';

/** A caller, its channels, and the changes that may concern it, in order. */
export interface Delivery {
  caller: LiveCaller;
  channels: Channel[];
  changes: Change[];
}

/** Milliseconds of reading: for one caller, and for all. */
export interface Times {
  share: number;
  total: number;
}

/** A row as it was read; none of a row that is deleted. */
export interface ReadRow {
  /** The JSON of each column; null in place of a large value. */
  values: Record<string, string | null>;
  /** The conditions that it meets, by their text. */
  met: Set<string>;
}

/** What a caller sees of its changes: up to the first for which there was no time, and the rest. */
export interface Seen {
  seen: Change[];
  unread: Change[];
}

export interface Read {
  rows: Map<Change, ReadRow>;
  /** Without those callers for whom the time was up before they were asked for. */
  seen: Map<Delivery, Seen>;
}

/**
 * Reads for callers of one audience. What is addressed to everyone is read once, as a customer without accounts: what that
 * one sees, all may.
 */
export async function readChanges(deliveries: Delivery[], times: Times, ask: Ask): Promise<Result<Read>> {
  const audience = deliveries[0]?.caller.caller.audience ?? 'customer';
  const changes = [...new Set(deliveries.flatMap(delivery => delivery.changes))];
  const numbers = new Map(changes.map((change, index) => [change, index + 1]));
  const numbersOf = (some: Change[]): number[] => some.map(change => numbers.get(change) ?? 0);
  const isShared = ({ account }: Change): boolean => audience === 'customer' && account === everyone;
  const shared = { claims: {}, lines: numbersOf(changes.filter(isShared)) };
  const own = deliveries.map(({ caller, changes: all }) => ({
    claims: caller.caller.claims ?? {},
    lines: numbersOf(all.filter(change => !isShared(change))),
  }));
  const asked = [shared, ...own].filter(({ lines }) => lines.length > 0);
  const { recordBytes, answerBytes, readingTimeout: timeout, lockTimeout } = liveLimits;
  const result = await ask(
    readMessage({
      audience,
      lines: changes.map(({ id }) => id),
      callers: asked.map(({ claims, lines }) => [claims, lines]),
      readings: readingsOf(
        deliveries.flatMap(({ channels }) => channels.flatMap(channel => channel.bindings)),
      ),
      within: { recordBytes, answerBytes, timeout, lockTimeout, ...times },
    }),
  );
  if (!result.ok) {
    return result;
  }
  const outcomes = new Map(
    result.value.flatMap(row => {
      const question = asked[Number(row['caller']) - 1];
      return question ? [[question, outcomeOf(row)]] : [];
    }),
  );
  const outcomeFor = (question: { lines: number[] }): Outcome | undefined =>
    question.lines.length === 0 ? nothing : outcomes.get(question as (typeof asked)[0]);
  const seen = new Map<Delivery, Seen>();
  for (const [index, delivery] of deliveries.entries()) {
    const [ofAll, ofCaller] = [outcomeFor(shared), outcomeFor(own[index] ?? shared)];
    if (ofAll && ofCaller) {
      seen.set(delivery, seenOf(delivery.changes, [ofAll, ofCaller], numbers));
    }
  }
  return ok({ rows: rowsOf(result.value, changes), seen });
}

/** The numbers of the lines that are seen; behind `end` none were read. */
interface Outcome {
  seen: Set<number>;
  end: number;
}

const nothing: Outcome = { seen: new Set(), end: Number.POSITIVE_INFINITY };

function outcomeOf(row: Row): Outcome {
  const seen: number[] = JSON.parse(row['seen'] ?? '[]');
  return {
    seen: new Set(seen),
    end: row['partial'] === 'true' ? Math.max(0, ...seen) : Number.POSITIVE_INFINITY,
  };
}

function seenOf(changes: Change[], outcomes: Outcome[], numbers: Map<Change, number>): Seen {
  const end = Math.min(...outcomes.map(outcome => outcome.end));
  const isRead = (change: Change): boolean => (numbers.get(change) ?? 0) <= end;
  const isSeen = (change: Change): boolean => outcomes.some(({ seen }) => seen.has(numbers.get(change) ?? 0));
  return {
    seen: changes.filter(change => isRead(change) && isSeen(change)),
    unread: changes.filter(change => !isRead(change)),
  };
}

/** Parses the rows that somebody sees. */
function rowsOf(result: Row[], changes: Change[]): Map<Change, ReadRow> {
  return new Map(
    result.flatMap(({ line, record, met }) => {
      const change = changes[Number(line) - 1];
      return change && record
        ? [[change, { values: JSON.parse(record), met: new Set(JSON.parse(met ?? '[]')) }]]
        : [];
    }),
  );
}
