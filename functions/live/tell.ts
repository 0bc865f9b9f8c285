/** Changes → messages to those who see them. What a caller sees, Postgres says, as that caller. */
import type { Audience } from '../../schema/collection.ts';
import { limits } from '../common/limits.ts';
import { ok, type Result } from '../common/result.ts';
import type { Row } from '../database/database.ts';
import type { Failure } from '../failure/failure.ts';
import { rowsMessage } from '../statement/live.ts';
import type { Message } from '../statement/sql.ts';
import { everyone } from '../token/claims.ts';
import { type Binding, queriesOf, type RowQueries, toRowQueries } from './bindings.ts';
import type { Change } from './changes.ts';
import type { Channel, LiveCaller } from './channels.ts';
import { deliver } from './deliver.ts';
import type { ReadRow } from './payload.ts';

/** Sends a message to the database that only reads. */
export type Ask = (message: Message) => Promise<Result<Row[]>>;

/** A caller, and those of its channels that are told. */
interface Listener {
  caller: LiveCaller;
  channels: Channel[];
}

interface Group {
  audience: Audience;
  listeners: Listener[];
  queries: RowQueries;
}

/**
 * Tells these channels of the changes, in their order. Channels for whose callers Postgres refuses to read are given to
 * `failed`. Fails when the database can't be reached; some may have been told then.
 */
export async function tell(
  changes: Change[],
  channels: Iterable<Channel>,
  callers: LiveCaller[],
  ask: Ask,
  failed: (channels: Channel[]) => void,
): Promise<Result<void>> {
  const told = new Set(channels);
  const listeners = callers.flatMap(caller => {
    const own = [...caller.channels].filter(channel => told.has(channel));
    return own.length > 0 && concerns(changes, caller) ? [{ caller, channels: own }] : [];
  });
  for (const group of groupsOf(listeners)) {
    for (let at = 0; at < changes.length; at += limits.live.linesAtOnce) {
      const some = changes.slice(at, at + limits.live.linesAtOnce);
      const result = await tellGroup(some, group, ask, failed);
      if (!result.ok) {
        return result;
      }
    }
  }
  return ok(undefined);
}

const mayConcern = ({ account }: Change, { caller, accounts }: LiveCaller): boolean =>
  caller.audience === 'staff' || accounts.has(account);

const concerns = (changes: Change[], caller: LiveCaller): boolean =>
  changes.some(change => change.account === everyone || mayConcern(change, caller));

/** Callers of one audience that one message asks for. */
function groupsOf(listeners: Listener[]): Group[] {
  const groups: Group[] = [];
  for (const audience of ['customer', 'staff'] as const) {
    let some: Listener[] = [];
    const close = (): void => {
      groups.push(...(some.length > 0 ? [groupOf(audience, some)] : []));
      some = [];
    };
    let conditions = 0;
    for (const listener of listeners.filter(({ caller }) => caller.caller.audience === audience)) {
      const own = countConditions(listener);
      if (
        some.length >= limits.live.callers ||
        (some.length > 0 && conditions + own > limits.live.conditions)
      ) {
        close();
        conditions = 0;
      }
      some.push(listener);
      conditions += own;
    }
    close();
  }
  return groups;
}

const bindingsOf = (listeners: Listener[]): Binding[] =>
  listeners.flatMap(({ channels }) => channels.flatMap(({ bindings }) => bindings));

const groupOf = (audience: Audience, listeners: Listener[]): Group => ({
  audience,
  listeners,
  queries: queriesOf(bindingsOf(listeners)),
});

/** Conditions that others have as well count again, which makes a group smaller than it could be. */
const countConditions = ({ channels }: Listener): number =>
  channels.reduce(
    (sum, { bindings }) => sum + bindings.reduce((of, { filter }) => of + filter.conditions.length, 0),
    0,
  );

async function tellGroup(
  changes: Change[],
  group: Group,
  ask: Ask,
  failed: (channels: Channel[]) => void,
): Promise<Result<void>> {
  const asked = askedOf(changes, group);
  if (asked.length === 0) {
    return ok(undefined);
  }
  const rows = await ask(
    rowsMessage({
      audience: group.audience,
      callers: asked.map(({ claims, lines }) => [claims, lines]),
      lines: changes.map(({ line }) => line),
      queries: toRowQueries(group.queries),
    }),
  );
  if (!rows.ok) {
    return tellInParts(changes, group, ask, failed, rows.failure);
  }
  const { seen, read } = readRows(rows.value, changes, group.queries);
  const ofEveryone = asked.findIndex(({ listener }) => listener === undefined);
  for (const [index, { listener }] of asked.entries()) {
    const lines = [...(seen.get(index) ?? []), ...(seen.get(ofEveryone) ?? [])].sort((a, b) => a - b);
    deliver(lines, changes, read, listener?.channels ?? []);
  }
  return ok(undefined);
}

/** What is too much for one message, or refused because of one caller, is asked again in halves. */
async function tellInParts(
  changes: Change[],
  group: Group,
  ask: Ask,
  failed: (channels: Channel[]) => void,
  failure: Failure,
): Promise<Result<void>> {
  if (failure.is !== 'response too large' && failure.is !== 'database') {
    return { ok: false, failure };
  }
  const { audience, listeners } = group;
  const half = <T>(list: T[]): T[][] => {
    const middle = Math.ceil(list.length / 2);
    return [list.slice(0, middle), list.slice(middle)];
  };
  if (changes.length === 1 && listeners.length === 1) {
    failed(listeners.flatMap(({ channels }) => channels));
    return ok(undefined);
  }
  const byChanges = failure.is === 'response too large' ? changes.length > 1 : listeners.length === 1;
  const parts: [Change[], Group][] = byChanges
    ? half(changes).map(some => [some, group])
    : half(listeners).map(some => [changes, groupOf(audience, some)]);
  for (const [some, part] of parts) {
    const told = await tellGroup(some, part, ask, failed);
    if (!told.ok) {
      return told;
    }
  }
  return ok(undefined);
}

/** A caller that is asked for, and the numbers of the lines that may concern it. */
interface Asked {
  /** Undefined: a customer without accounts, who sees of what is addressed to everyone what all customers see. */
  listener: Listener | undefined;
  claims: object;
  lines: number[];
}

function askedOf(changes: Change[], { audience, listeners, queries }: Group): Asked[] {
  const numbersOf = (is: (change: Change) => boolean): number[] =>
    changes.flatMap((change, index) => (queries.has(change.collection) && is(change) ? [index + 1] : []));
  const asked = listeners.map(
    (listener): Asked => ({
      listener,
      claims: listener.caller.caller.claims ?? {},
      lines: numbersOf(change => mayConcern(change, listener.caller)),
    }),
  );
  const shared = audience === 'staff' ? [] : numbersOf(({ account }) => account === everyone);
  const all = shared.length > 0 ? [...asked, { listener: undefined, claims: {}, lines: shared }] : asked;
  return all.some(({ lines }) => lines.length > 0) ? all : [];
}

/** The lines that each caller sees, by its index, and the rows by their line. */
function readRows(rows: Row[], changes: Change[], queries: RowQueries) {
  const seen = new Map<number, number[]>();
  const read = new Map<number, ReadRow>();
  for (const row of rows) {
    const line = Number(row['line']);
    const query = queries.get(changes[line - 1]?.collection ?? '');
    if (row['caller'] !== null) {
      seen.set(Number(row['caller']) - 1, JSON.parse(row['seen'] ?? '[]'));
    } else if (query) {
      const records: string[] = JSON.parse(row['records'] ?? '[]');
      const met: boolean[] = JSON.parse(row['met'] ?? '[]');
      read.set(line, {
        records: new Map([...query.selections.keys()].map((text, index) => [text, records[index] ?? '{}'])),
        met: new Set([...query.conditions.keys()].filter((_, index) => met[index])),
        trimmed: row['trimmed'] === 'true',
      });
    }
  }
  return { seen, read };
}
