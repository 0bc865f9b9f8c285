/**
 * The entries of a worker's log: the lines that it wrote, each alone or in an event as `wrangler tail --format json` prints
 * it (https://developers.cloudflare.com/workers/observability/logs/tail-workers/).
 */
import { inspect } from 'node:util';

/** An entry has the fields of a log line; `time` is in milliseconds since 1970. */
export type Entry = Record<string, unknown> & { event: string; time?: number };

interface TailEvent {
  logs: { message: unknown[]; timestamp: number }[];
  exceptions?: { name: string; message: string }[];
  outcome: string;
  event?: { request?: { method: string; url: string }; response?: { status: number } };
  eventTimestamp?: number;
}

/** Returns the entries of a piece of the input: a JSON object, or a line of text. */
export function entriesOf(piece: string): Entry[] {
  const value = parse(piece);
  if (isTailEvent(value)) {
    return entriesOfEvent(value);
  }
  return [isEntry(value) ? value : { event: 'text', text: piece }];
}

function entriesOfEvent({
  logs,
  exceptions = [],
  outcome,
  event,
  eventTimestamp: time = 0,
}: TailEvent): Entry[] {
  const { method = '', url = '' } = event?.request ?? {};
  const request = { time, method, collection: url && new URL(url).pathname };
  const written = logs.map(({ message, timestamp }) =>
    isEntry(message[0])
      ? { ...message[0], time: timestamp }
      : { event: 'text', text: message.map(textOf).join(' ') },
  );
  const thrown = exceptions.map(({ name, message }) => `${name}: ${message}`);
  const crashes = thrown.length === 0 && outcome !== 'ok' ? [outcome] : thrown;
  const entries = [...written, ...crashes.map(message => ({ event: 'crash', message, ...request }))];
  // Health checks and preflights are not logged. A call of the pool has no request.
  const isUnlogged = entries.length === 0 && event?.request !== undefined;
  return isUnlogged ? [{ event: 'request', ...request, status: event.response?.status ?? 0 }] : entries;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isTailEvent = (value: unknown): value is TailEvent =>
  Array.isArray((value as Partial<TailEvent> | null | undefined)?.logs);

const isEntry = (value: unknown): value is Entry =>
  typeof (value as Partial<Entry> | null | undefined)?.event === 'string';

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : inspect(value, { breakLength: Infinity });
