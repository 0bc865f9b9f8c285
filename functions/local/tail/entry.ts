/**
 * Parses a worker's log lines (written by log.ts, sweep.ts, report.ts and app.ts), either alone or inside the events that
 * `wrangler tail --format json` prints (https://developers.cloudflare.com/workers/observability/logs/tail-workers/).
 */
import { inspect } from 'node:util';
import { sweepJobs } from '../../../schema/sweep-jobs.ts';

/** All durations in milliseconds; `time` in milliseconds since 1970. */
export type Entry =
  | RequestEntry
  | {
      is: 'sweep';
      time?: number;
      /** The number of rows of each job that the line has, by log field. */
      swept: Record<string, number>;
      batches: number;
      total: number;
      code?: string;
      reason?: string;
      /** The ids of the rows that failed alone. */
      left?: string;
    }
  | {
      is: 'live';
      time?: number;
      sockets: number;
      channels: number;
      /** Joins that wait, and channels that are told what they missed. */
      joining: number;
      resuming: number;
      /** Changes that were told. */
      told: number;
      /** Channels that were told to read again, and sockets that were closed, with the reasons. */
      missed: number;
      closed: number;
      missedBecause?: string;
      closedBecause?: string;
      /** The longest time from the beginning of a transaction until it was told. */
      lag: number;
      code?: string;
      reason?: string;
    }
  | { is: 'crash'; time?: number; message: string }
  | { is: 'text'; text: string };

export interface RequestEntry {
  is: 'request';
  time?: number;
  method: string;
  /** The collection or function; for a request that the service does not log, the path. */
  target: string;
  status: number;
  caller?: string;
  rows?: number;
  total?: number;
  database?: number;
  code?: string;
  reason?: string;
  id?: string;
}

type Fields = Record<string, unknown>;

const loggedSweeps = Object.fromEntries(sweepJobs.map(({ logged }) => [logged, logged]));

/** The entries of a JSON object; undefined when it is neither a tail event nor a log line. */
export function entriesOf(object: Fields): Entry[] | undefined {
  if (!Array.isArray(object['logs'])) {
    const entry = logged(object, timeOf(object['timestamp']));
    return entry && [entry];
  }
  const { logs, exceptions, outcome, event, eventTimestamp } = object as unknown as TailEvent;
  const time = timeOf(eventTimestamp);
  const written = logs.map(
    ({ message, timestamp }) => logged(message[0], timeOf(timestamp)) ?? textOf(message),
  );
  const thrown = (exceptions ?? []).map(({ name, message }) =>
    crash(`${name}: ${message}${placeOf(event)}`, time),
  );
  const entries = [...written, ...thrown];
  if (outcome !== 'ok' && thrown.length === 0) {
    return [...entries, crash(`${outcome}${placeOf(event)}`, time)];
  }
  return entries.length === 0 ? unlogged(event, time) : entries;
}

interface TailEvent {
  logs: { message: unknown[]; timestamp: number }[];
  exceptions?: { name: string; message: string }[];
  outcome: string;
  event?: { request?: { method: string; url: string }; response?: { status: number } };
  eventTimestamp?: number;
}

function logged(line: unknown, time: { time?: number }): Entry | undefined {
  const fields = (line ?? {}) as Fields;
  switch (fields['event']) {
    case 'request':
      return {
        is: 'request',
        ...time,
        method: String(fields['method']),
        target: String(fields['collection'] ?? '-'),
        status: Number(fields['status']),
        ...texts(fields, { caller: 'caller', code: 'code', reason: 'reason', request_id: 'id' }),
        ...numbers(fields, { rows: 'rows', total_ms: 'total', database_ms: 'database' }),
      };
    case 'sweep':
      return {
        is: 'sweep',
        ...time,
        swept: numbers(fields, loggedSweeps),
        batches: Number(fields['batches']),
        total: Number(fields['total_ms']),
        ...texts(fields, { code: 'code', reason: 'reason', left: 'left' }),
      };
    case 'live':
      return {
        is: 'live',
        ...time,
        sockets: Number(fields['sockets']),
        channels: Number(fields['channels']),
        told: Number(fields['told']),
        joining: Number(fields['joining']),
        resuming: Number(fields['resuming']),
        missed: Number(fields['missed']),
        closed: Number(fields['closed']),
        lag: Number(fields['lag_ms']),
        ...texts(fields, {
          missed_because: 'missedBecause',
          closed_because: 'closedBecause',
          code: 'code',
          reason: 'reason',
        }),
      };
    case 'crash':
      return crash(String(fields['message']), time);
    default:
      return undefined;
  }
}

const crash = (message: string, time: { time?: number }): Entry => ({ is: 'crash', ...time, message });

const textOf = (message: unknown[]): Entry => ({
  is: 'text',
  text: message
    .map(part => (typeof part === 'string' ? part : inspect(part, { breakLength: Infinity })))
    .join(' '),
});

/** The entry of a health check or preflight, which the service does not log. A call of the pool has no request. */
const unlogged = (event: TailEvent['event'], time: { time?: number }): Entry[] =>
  event?.request
    ? [
        {
          is: 'request',
          ...time,
          method: event.request.method,
          target: new URL(event.request.url).pathname,
          status: event.response?.status ?? 0,
        },
      ]
    : [];

const placeOf = (event: TailEvent['event']): string =>
  event?.request ? ` (${event.request.method} ${new URL(event.request.url).pathname})` : '';

function timeOf(value: unknown): { time?: number } {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? { time } : {};
}

/** The fields that are present, under their new names. */
const texts = (fields: Fields, names: Record<string, string>): Record<string, string> =>
  picked(fields, names, value => (typeof value === 'string' ? value : undefined));
const numbers = (fields: Fields, names: Record<string, string>): Record<string, number> =>
  picked(fields, names, value => (typeof value === 'number' ? value : undefined));

function picked<T>(fields: Fields, names: Record<string, string>, read: (value: unknown) => T | undefined) {
  const entries = Object.entries(names).flatMap(([from, to]) => {
    const value = read(fields[from]);
    return value === undefined ? [] : [[to, value] as const];
  });
  return Object.fromEntries(entries) as Record<string, T>;
}
