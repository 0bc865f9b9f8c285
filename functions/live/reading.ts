/**
 * Reads what several callers see of changes, in one message, and makes their messages about them. What a caller sees,
 * Postgres decides, as that caller.
 */
import { everyone } from '../../schema/everyone.ts';
import { ok, type Result } from '../common/result.ts';
import type { Row } from '../database/database.ts';
import { type ReadingLimits, readMessage } from '../statement/live.ts';
import type { Channel, LiveCaller } from './channel.ts';
import type { Ask, Change, EventName } from './feed.ts';
import { meetsKeys } from './filter.ts';
import { liveLimits } from './limits.ts';
import { type Binding, readingsOf } from './subscription.ts';

/** A caller, its channels, and the changes that may concern it, in order. */
export interface Delivery {
  caller: LiveCaller;
  channels: Channel[];
  changes: Change[];
}

/** Milliseconds of reading: for one caller, and for all. */
export type Times = Pick<ReadingLimits, 'share' | 'total'>;

/** A row as it was read; none of a row that is deleted. */
interface ReadRow {
  /** The JSON of each column; null in place of a large value. */
  values: Record<string, string | null>;
  /** The conditions that it meets, by their text. */
  met: Set<string>;
}

export interface Read {
  rows: Map<Change, ReadRow>;
  /** What each caller sees of its changes, and those for which there was no time. Without callers that were not reached. */
  seen: Map<Delivery, { seen: Change[]; unread: Change[] }>;
}

/** Reads for callers of one audience. What is for everyone is read once, as a customer without accounts. */
export async function readChanges(deliveries: Delivery[], times: Times, ask: Ask): Promise<Result<Read>> {
  const audience = deliveries[0]?.caller.caller.audience ?? 'customer';
  const changes = [...new Set(deliveries.flatMap(delivery => delivery.changes))];
  const numbers = new Map(changes.map((change, index) => [change, index + 1]));
  const numberOf = (change: Change): number => numbers.get(change) ?? 0;
  const isShared = ({ account }: Change): boolean => audience === 'customer' && account === everyone;
  const shared: Question = { claims: {}, lines: changes.filter(isShared).map(numberOf) };
  const own = deliveries.map(
    (delivery): Question => ({
      claims: delivery.caller.caller.claims ?? {},
      lines: delivery.changes.filter(change => !isShared(change)).map(numberOf),
    }),
  );
  const asked = [shared, ...own].filter(({ lines }) => lines.length > 0);
  const channels = deliveries.flatMap(delivery => delivery.channels);
  const { recordBytes, answerBytes, readingTimeout: timeout, lockTimeout } = liveLimits;
  const result = await ask(
    readMessage({
      audience,
      lines: changes.map(({ id }) => id),
      callers: asked.map(({ claims, lines }) => [claims, lines]),
      readings: readingsOf(channels.flatMap(({ bindings }) => bindings)),
      within: { recordBytes, answerBytes, timeout, lockTimeout, ...times },
    }),
  );
  if (!result.ok) {
    return result;
  }
  const answers = new Map<Question, Answer | undefined>(
    [shared, ...own].map(question => [question, question.lines.length === 0 ? nothing : undefined]),
  );
  const rows: Read['rows'] = new Map();
  for (const row of result.value) {
    const question = asked[Number(row['caller']) - 1];
    const change = changes[Number(row['line']) - 1];
    if (question) {
      answers.set(question, answerOf(row));
    } else if (change && row['record']) {
      rows.set(change, { values: JSON.parse(row['record']), met: new Set(JSON.parse(row['met'] ?? '[]')) });
    }
  }
  const seen: Read['seen'] = new Map();
  for (const [index, delivery] of deliveries.entries()) {
    const [ofAll, ofCaller] = [shared, own[index] ?? shared].map(question => answers.get(question));
    if (ofAll && ofCaller) {
      const end = Math.min(ofAll.end, ofCaller.end);
      const read = delivery.changes.filter(change => numberOf(change) <= end);
      seen.set(delivery, {
        seen: read.filter(change => [ofAll, ofCaller].some(of => of.seen.has(numberOf(change)))),
        unread: delivery.changes.filter(change => numberOf(change) > end),
      });
    }
  }
  return ok({ rows, seen });
}

/** What is asked for as somebody: the numbers of lines. */
interface Question {
  claims: object;
  lines: number[];
}

/** The numbers of the lines that are seen; behind `end` none were read. */
interface Answer {
  seen: Set<number>;
  end: number;
}

const nothing: Answer = { seen: new Set(), end: Number.POSITIVE_INFINITY };

function answerOf(row: Row): Answer {
  const seen: number[] = JSON.parse(row['seen'] ?? '[]');
  const isPartial = row['partial'] === 'true';
  return { seen: new Set(seen), end: isPartial ? Math.max(0, ...seen) : Number.POSITIVE_INFINITY };
}

/** Returns the messages to a channel about a change: one for each event, schema and list of columns. */
export function changeMessages(change: Change, bindings: readonly Binding[], row?: ReadRow): string[] {
  return change.events.flatMap((event, index) => {
    const isAfterInsert = change.events[index - 1] === 'INSERT';
    const met = bindings.filter(
      // Whoever was just sent the insert has the row as it is now.
      binding => meets(binding, change, event, row) && (!isAfterInsert || binding.event === event),
    );
    const forms = Map.groupBy(met, ({ schema, selection }) => `${schema} ${selection.text}`);
    return [...forms.values()].map(same => {
      const ids = same.map(({ id }) => id).join();
      return `{"ids":[${ids}],"data":${changeData(change, event, same[0] as Binding, row)}}`;
    });
  });
}

/** Whether a change meets a binding. Of a deleted row only the account and the key are known: other conditions count as met. */
function meets(
  binding: Binding,
  { collection, account, key }: Change,
  event: EventName,
  row?: ReadRow,
): boolean {
  const { filter } = binding;
  const isWanted = binding.collection.name === collection && ['*', event].includes(binding.event);
  const conditions = event === 'DELETE' ? [] : [...filter.conditions.keys()];
  return (
    isWanted &&
    meetsKeys(filter, account, key) &&
    (event === 'DELETE' || row !== undefined) &&
    conditions.every(text => row?.met.has(text))
  );
}

/** Returns the `data` of the message for bindings of one schema and selection. */
function changeData({ key, at }: Change, event: EventName, binding: Binding, row?: ReadRow): string {
  const { schema, collection, selection } = binding;
  const head = JSON.stringify({ schema, table: collection.name, commit_timestamp: at, type: event });
  const parts = [head.slice(0, -1), `"columns":${selection.typesJson}`];
  const names = event === 'DELETE' ? [] : selection.columns;
  const whole = names.filter(name => typeof row?.values[name] === 'string');
  if (event !== 'DELETE') {
    parts.push(`"record":{${whole.map(name => `${JSON.stringify(name)}:${row?.values[name]}`).join()}}`);
  }
  if (event !== 'INSERT') {
    // A bigint is a number in JSON, as Postgres writes it; other keys are texts.
    const isNumber = collection.columns[collection.primaryKey]?.type.postgres === 'bigint';
    parts.push(`"old_record":${JSON.stringify({ [collection.primaryKey]: isNumber ? Number(key) : key })}`);
  }
  const isTrimmed = whole.length < names.length;
  parts.push(`"errors":${isTrimmed ? JSON.stringify(['Error 413: Payload Too Large']) : 'null'}`);
  return `${parts.join()}}`;
}
