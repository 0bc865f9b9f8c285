/**
 * Changes → messages to those who see them. What a caller sees, Postgres decides, as that caller; one message reads for
 * several. A reading belongs to everybody: each caller has a share of its time. A caller over its share is retried alone and
 * last; if that takes too long as well, its clients must read again.
 */
import { everyone } from '../../schema/everyone.ts';
import { postgresType } from '../../schema/postgres-types.ts';
import type { Failure } from '../common/failure/failure.ts';
import { ok, type Result } from '../common/failure/result.ts';
import { causeOf } from '../common/failure/sqlstates.ts';
import { kib, mib } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';
import type { SendMessage } from '../database/execute.ts';
import { concerns, type LiveCaller } from './accounts.ts';
import type { Channel, Channels } from './channel.ts';
import { type Change, type EventName, lockTimeout } from './feed.ts';
import type { Report } from './live-report.ts';
import type { Sockets } from './sockets.ts';
import { type ReadingLimits, type RowReading, readMessage } from './statements.ts';
import { type Binding, meetsKeys } from './subscription.ts';

/** Live updates: changes. */
export const publishLimits = {
  /** Record that is sent whole; of a larger one, only the short values are sent */
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

const { linesAtOnce, callerShare, readingTime, aloneTime, aloneTimeOfRound } = publishLimits;

interface PublishParts {
  ask: SendMessage;
  channels: Channels;
  sockets: Sockets;
  report: Report;
}

/** A caller, its channels, and the changes that may concern it and are not read yet, in order. */
interface Unread {
  caller: LiveCaller;
  channels: Channel[];
  changes: Change[];
}

/** Milliseconds of reading: for one caller, and for all. */
type Times = Pick<ReadingLimits, 'share' | 'total'>;

/**
 * Sends the channels that are live now these changes, in their order. Fails when the database can't be reached; some may
 * have been sent then.
 */
export async function publish(changes: Change[], parts: PublishParts): Promise<Result<void>> {
  const channels = parts.channels.all.filter(({ isLive }) => isLive);
  for (let at = 0; at < changes.length; at += linesAtOnce) {
    const callers = unreadOf(changes.slice(at, at + linesAtOnce), channels);
    const published = await publishSome(callers, parts);
    if (!published.ok) {
      return published;
    }
  }
  parts.report.published(changes.map(({ at }) => at));
  return ok(undefined);
}

async function publishSome(callers: Unread[], parts: PublishParts): Promise<Result<void>> {
  const deferred: Unread[] = [];
  for (const group of groupsOf(callers)) {
    const published = await publishGroup(group, deferred, parts);
    if (!published.ok) {
      return published;
    }
  }
  const until = monotonicNow() + aloneTimeOfRound;
  for (const unread of deferred) {
    const published = monotonicNow() > until ? ok(false) : await publishAlone(unread, parts);
    if (!published.ok) {
      return published;
    }
    if (!published.value) {
      parts.channels.miss(unread.channels, 'time');
    }
  }
  return ok(undefined);
}

/** Reads for these callers, in as many messages as it takes. Those over their share are deferred. */
async function publishGroup(group: Unread[], deferred: Unread[], parts: PublishParts): Promise<Result<void>> {
  for (let rest = group; rest.length > 0; ) {
    const read = await readAndSend(rest, { share: callerShare, total: readingTime }, parts);
    if (!read.ok) {
      return read;
    }
    const { costly, unreached } = read.value;
    deferred.push(...costly);
    if (unreached.length === rest.length) {
      // There was no time even for the first.
      deferred.push(...unreached.splice(0, 1));
    }
    rest = unreached;
  }
  return ok(undefined);
}

/** Reads for one caller as long as that may take. Resolves to whether it was read for to the end. */
async function publishAlone(unread: Unread, parts: PublishParts): Promise<Result<boolean>> {
  const until = monotonicNow() + aloneTime;
  let rest = unread;
  for (let left = aloneTime; left > 0; left = until - monotonicNow()) {
    const total = Math.min(left, readingTime);
    const read = await readAndSend([rest], { share: total, total }, parts);
    if (!read.ok) {
      return read;
    }
    const { costly, unreached } = read.value;
    const [next] = [...costly, ...unreached];
    if (next === undefined || next.changes.length === rest.changes.length) {
      return ok(next === undefined);
    }
    rest = next;
  }
  return ok(false);
}

/** What a message had no time for: changes of callers over their share, and callers that were not reached. */
type Left = Record<'costly' | 'unreached', Unread[]>;

/** Reads changes for callers of one audience, and sends them, in their order, to their channels. */
async function readAndSend(callers: Unread[], times: Times, parts: PublishParts): Promise<Result<Left>> {
  const read = await readChanges(callers, times, parts.ask);
  if (!read.ok && isCostly(read.failure)) {
    parts.report.failed(read.failure);
    // Postgres does not say whose part it was.
    return ok({ costly: callers, unreached: [] });
  }
  if (!read.ok) {
    return read;
  }
  const left: Left = { costly: [], unreached: [] };
  for (const [index, unread] of callers.entries()) {
    const outcome = read.value[index];
    if (outcome === undefined) {
      left.unreached.push(unread);
      continue;
    }
    for (const { change, row } of outcome.seen) {
      send(change, row, unread.channels, parts);
    }
    const channels = unread.channels.filter(({ isLive }) => isLive);
    if (channels.length > 0 && outcome.unread.length > 0) {
      left.costly.push({ ...unread, channels, changes: outcome.unread });
    }
  }
  return ok(left);
}

/** Whether Postgres refused or stopped a message for what it asks, and would again; a lock is no such reason. */
const isCostly = (failure: Failure): boolean =>
  failure.is === 'database' && causeOf(failure.sqlstate) !== 'busy';

function send(change: Change, row: ReadRow | undefined, channels: Channel[], parts: PublishParts): void {
  for (const channel of channels) {
    for (const message of changeMessages(change, channel.bindings, row)) {
      const bytes = channel.sendChange(message);
      if (bytes > 0 && !parts.sockets.countBytes(channel.asked.socket, bytes)) {
        parts.channels.miss([channel], 'bytes');
      }
    }
  }
}

/** Returns the callers whom the changes may concern, those with the least to read first. */
function unreadOf(changes: Change[], channels: Channel[]): Unread[] {
  const open = channels.filter(({ isLive }) => isLive);
  return [...Map.groupBy(open, channel => channel.caller)]
    .map(([caller, own]) => {
      const bound = new Set(own.flatMap(({ bindings }) => bindings.map(({ collection }) => collection.name)));
      const isWanted = (change: Change) => bound.has(change.collection) && concerns(change, caller);
      return { caller, channels: own, changes: changes.filter(isWanted) };
    })
    .filter(unread => unread.changes.length > 0)
    .sort((a, b) => a.changes.length - b.changes.length);
}

/**
 * Divides callers into groups of one audience that one message asks for. A condition that several have counts for each,
 * which makes a group smaller than it could be.
 */
function groupsOf(callers: Unread[]): Unread[][] {
  const groups: Unread[][] = [];
  for (const ofAudience of Map.groupBy(callers, ({ caller }) => caller.caller.audience).values()) {
    let conditions = Number.POSITIVE_INFINITY;
    for (const unread of ofAudience) {
      const bindings = unread.channels.flatMap(channel => channel.bindings);
      const own = bindings.reduce((sum, { filter }) => sum + filter.conditions.size, 0);
      conditions += own;
      if (conditions > publishLimits.conditions || groups.at(-1)?.length === publishLimits.callers) {
        groups.push([]);
        conditions = own;
      }
      groups.at(-1)?.push(unread);
    }
  }
  return groups;
}

/** A row as it was read; none of a row that is deleted. */
interface ReadRow {
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

/**
 * Reads for callers of one audience. Resolves to what each sees; undefined of one that was not reached. What is the same for
 * everyone is read once, as a customer without accounts.
 */
async function readChanges(
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
  const questions: [claims: object, numbers: number[]][] = [
    [{}, changes.filter(isShared).map(numberOf)],
    ...callers.map(({ caller: { caller }, changes: own }): [object, number[]] => [
      caller.claims ?? {},
      own.filter(change => !isShared(change)).map(numberOf),
    ]),
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
  const none: Answer = { seen: new Map(), end: Number.POSITIVE_INFINITY };
  const answers = new Map(questions.map(question => [question, question[1].length > 0 ? undefined : none]));
  const rows = new Map<number, ReadRow>();
  for (const row of result.value) {
    const question = asked[Number(row['caller']) - 1];
    if (question) {
      const lines: number[] = JSON.parse(row['seen'] ?? '[]');
      const seen = new Map(lines.map(line => [Math.abs(line), line]));
      const end = row['partial'] === 'true' ? Math.max(0, ...seen.keys()) : none.end;
      answers.set(question, { seen, end });
    } else if (row['record']) {
      const [values, met] = [JSON.parse(row['record']), JSON.parse(row['met'] ?? '[]')];
      rows.set(Number(row['line']), { values, met: new Set(met) });
    }
  }
  const [ofAll, ...ofCallers] = questions.map(question => answers.get(question));
  const outcomes = callers.map(({ changes: wanted }, index) => {
    const own = ofCallers[index];
    if (!ofAll || !own) {
      return undefined;
    }
    const isRead = (change: Change) => numberOf(change) <= Math.min(ofAll.end, own.end);
    const seen = wanted.filter(isRead).flatMap(change => {
      const line = own.seen.get(numberOf(change)) ?? ofAll.seen.get(numberOf(change));
      return line === undefined ? [] : [{ change, row: rows.get(line) }];
    });
    return { seen, unread: wanted.filter(change => !isRead(change)) };
  });
  return ok(outcomes);
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
function changeMessages(change: Change, bindings: readonly Binding[], row?: ReadRow): string[] {
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
  const whole = names.filter(name => typeof row?.values[name] === 'string');
  if (event !== 'DELETE') {
    parts.push(`"record":{${whole.map(name => `${JSON.stringify(name)}:${row?.values[name]}`).join()}}`);
  }
  if (event !== 'INSERT') {
    // A bigint is a number in JSON, as Postgres writes it; other keys are texts.
    const isNumber =
      postgresType(collection.columns[collection.primaryKey]?.type.postgres ?? 'text').kind === 'number';
    parts.push(`"old_record":${JSON.stringify({ [collection.primaryKey]: isNumber ? Number(key) : key })}`);
  }
  const isTrimmed = whole.length < names.length;
  parts.push(`"errors":${isTrimmed ? JSON.stringify(['Error 413: Payload Too Large']) : 'null'}`);
  return `${parts.join()}}`;
}
