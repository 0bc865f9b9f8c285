/** What callers see of changes: Postgres reads the rows as them, and each becomes messages to a channel. */
import { everyone } from '../../schema/everyone.ts';
import { postgresType } from '../../schema/postgres-types.ts';
import { ok, type Result } from '../common/failure/result.ts';
import { kib, mib } from '../common/limits.ts';
import type { Row } from '../database/database.ts';
import type { SendMessage } from '../database/execute.ts';
import type { LiveCaller } from './accounts.ts';
import { meetsKeys } from './binding-filter.ts';
import type { Channel } from './channel.ts';
import { type Change, type EventName, lockTimeout } from './feed.ts';
import { type ReadingLimits, type RowReading, readMessage } from './statements.ts';
import type { Binding } from './subscription.ts';

/** Changes. */
export const publishLimits = {
  /** Size of a record that is sent whole; of a larger one come `errors` and the short values that name no version */
  recordBytes: 64 * kib,
  // Bytes of the records in one answer.
  answerBytes: 4 * mib,
  // Lines of the feed whose rows are read at once.
  linesAtOnce: 250,
  // Callers that one message reads as, and conditions in it.
  callers: 500,
  conditions: 200,
  // Milliseconds that a message reads rows: for one caller, for all its callers, and until Postgres stops it.
  callerShare: 100,
  readingTime: 250,
  readingTimeout: 500,
  // Milliseconds for a caller over its share, which is read last and by itself; and for all such callers of a round.
  aloneTime: 600,
  aloneTimeOfRound: 900,
} as const;

/** A caller, its channels, and the changes that may concern it and are not read yet, in order. */
export interface Unread {
  caller: LiveCaller;
  channels: Channel[];
  changes: Change[];
}

/** Milliseconds of reading: for one caller, and for all. */
export type Times = Pick<ReadingLimits, 'share' | 'total'>;

/** A row as it was read; none of a row that is deleted. */
export interface ReadRow {
  /** The JSON of each column; null in place of a large value. */
  values: Record<string, string | null>;
  /** The conditions that it meets, by their text. */
  met: Set<string>;
}

/** What a caller sees of its changes, and those for which there was no time. */
interface Outcome {
  seen: { change: Change; row: ReadRow | undefined }[];
  unread: Change[];
}

/** The numbers of the changes that somebody sees, each with that of its row; behind `end` none were read. */
interface Answer {
  seen: Map<number, number>;
  end: number;
}

/** What a caller, or everyone, is asked about: its claims, and the numbers of changes. */
type Question = [claims: object, numbers: number[]];

/**
 * Reads for callers of one audience. Resolves to what each sees; undefined of one that was not reached. What is the same for
 * everyone is read once, as a customer without accounts.
 */
export async function readChanges(
  callers: Unread[],
  times: Times,
  ask: SendMessage,
): Promise<Result<(Outcome | undefined)[]>> {
  const audience = callers[0]?.caller.caller.audience ?? 'customer';
  const changes = [...new Set(callers.flatMap(unread => unread.changes))];
  const numbers = new Map(changes.map((change, index) => [change, index + 1]));
  const numberOf = (change: Change): number => numbers.get(change) ?? 0;
  const isShared = ({ account, user, dismissed }: Change): boolean =>
    audience === 'customer' && account === everyone && user === null && !dismissed;
  const questions: Question[] = [
    [{}, changes.filter(isShared).map(numberOf)],
    ...callers.map(
      ({ caller: { caller }, changes: own }): Question => [
        caller.claims ?? {},
        own.filter(change => !isShared(change)).map(numberOf),
      ],
    ),
  ];
  const asked = questions.filter(([, about]) => about.length > 0);
  const { recordBytes, answerBytes, readingTimeout: timeout } = publishLimits;
  const result = await ask(
    readMessage({
      audience,
      lines: changes.map(({ id }) => id),
      callers: asked,
      readings: readingsOf(callers.flatMap(({ channels }) => channels.flatMap(({ bindings }) => bindings))),
      within: { recordBytes, answerBytes, timeout, lockTimeout, ...times },
    }),
  );
  if (!result.ok) {
    return result;
  }
  const { answers, rows } = parseAnswers(result.value, asked);
  const [ofAll, ...ofCallers] = questions.map(one => (one[1].length > 0 ? answers.get(one) : nothing));
  return ok(
    callers.map(({ changes: wanted }, index) => outcomeOf(wanted, numberOf, rows, ofAll, ofCallers[index])),
  );
}

/** The answer to a question about no change. */
const nothing: Answer = { seen: new Map(), end: Number.POSITIVE_INFINITY };

/** Returns the answers to the questions that were reached, and the rows by their numbers. */
function parseAnswers(read: Row[], asked: Question[]) {
  const answers = new Map<Question, Answer>();
  const rows = new Map<number, ReadRow>();
  for (const row of read) {
    const question = asked[Number(row['caller']) - 1];
    if (question) {
      const lines: number[] = JSON.parse(row['seen'] ?? '[]');
      const seen = new Map(lines.map(line => [Math.abs(line), line]));
      answers.set(question, {
        seen,
        end: row['partial'] === 'true' ? Math.max(0, ...seen.keys()) : nothing.end,
      });
    } else if (row['record']) {
      const [values, met] = [JSON.parse(row['record']), JSON.parse(row['met'] ?? '[]')];
      rows.set(Number(row['line']), { values, met: new Set(met) });
    }
  }
  return { answers, rows };
}

/** Returns what a caller sees of the changes that it wants; undefined unless both answers are known. */
function outcomeOf(
  wanted: Change[],
  numberOf: (change: Change) => number,
  rows: Map<number, ReadRow>,
  ofAll: Answer | undefined,
  own: Answer | undefined,
): Outcome | undefined {
  if (!ofAll || !own) {
    return undefined;
  }
  const isRead = (change: Change) => numberOf(change) <= Math.min(ofAll.end, own.end);
  const seen = wanted.filter(isRead).flatMap(change => {
    const line = own.seen.get(numberOf(change)) ?? ofAll.seen.get(numberOf(change));
    return line === undefined ? [] : [{ change, row: rows.get(line) }];
  });
  return { seen, unread: wanted.filter(change => !isRead(change)) };
}

/** Returns what is read for bindings of several callers, by the names of the collections. */
function readingsOf(bindings: Binding[]): Map<string, RowReading> {
  const readings = [...Map.groupBy(bindings, ({ collection }) => collection)].map(
    ([collection, own]): RowReading => ({
      collection,
      columns: [...new Set(own.flatMap(({ selection }) => selection.columns))],
      conditions: new Map(own.flatMap(({ filter }) => [...filter.conditions])),
    }),
  );
  return new Map(readings.map(reading => [reading.collection.name, reading]));
}

/** Returns the messages to a channel about a change: one for each event, schema and list of columns. */
export function changeMessages(change: Change, bindings: readonly Binding[], row?: ReadRow): string[] {
  return change.events.flatMap((event, index) => {
    if (event !== 'DELETE' && row === undefined) {
      return [];
    }
    const isAfterInsert = change.events[index - 1] === 'INSERT';
    const met = bindings.filter(
      // A channel that was just sent the insert has the current row.
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
const meets = (binding: Binding, change: Change, event: EventName, row?: ReadRow): boolean =>
  binding.collection.name === change.collection &&
  (binding.event === '*' || binding.event === event) &&
  meetsKeys(binding.filter, change.account, change.key) &&
  (event === 'DELETE' || [...binding.filter.conditions.keys()].every(text => row?.met.has(text)));

/** Returns the `data` of the message for bindings of one schema and selection. */
function changeData({ key, at }: Change, event: EventName, binding: Binding, row?: ReadRow): string {
  const { schema, collection, selection } = binding;
  const head = JSON.stringify({ schema, table: collection.name, commit_timestamp: at, type: event });
  const parts = [head.slice(0, -1), `"columns":${selection.typesJson}`];
  const names = event === 'DELETE' ? [] : selection.columns;
  const isTrimmed = names.some(name => typeof row?.values[name] !== 'string');
  const sent = isTrimmed
    ? names.filter(name => typeof row?.values[name] === 'string' && !collection.namedBy?.includes(name))
    : names;
  if (event !== 'DELETE') {
    parts.push(`"record":{${sent.map(name => `${JSON.stringify(name)}:${row?.values[name]}`).join()}}`);
  }
  if (event !== 'INSERT') {
    // A bigint is a number in JSON, as Postgres writes it; other keys are texts.
    const isNumber =
      postgresType(collection.columns[collection.primaryKey]?.type.postgres ?? 'text').kind === 'number';
    parts.push(`"old_record":${JSON.stringify({ [collection.primaryKey]: isNumber ? Number(key) : key })}`);
  }
  parts.push(`"errors":${isTrimmed ? JSON.stringify(['Error 413: Payload Too Large']) : 'null'}`);
  return `${parts.join()}}`;
}
