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
  const object = parseObject(piece);
  if (Array.isArray(object?.['logs'])) {
    return entriesOfEvent(object as unknown as TailEvent);
  }
  return [isEntry(object) ? object : { event: 'text', text: piece }];
}

function entriesOfEvent({
  logs,
  exceptions = [],
  outcome,
  event,
  eventTimestamp: time = 0,
}: TailEvent): Entry[] {
  const { method = '', url = '' } = event?.request ?? {};
  const request = { method, collection: url && new URL(url).pathname };
  const written = logs.map(({ message, timestamp }) =>
    isEntry(message[0])
      ? { ...message[0], time: timestamp }
      : { event: 'text', text: message.map(textOf).join(' ') },
  );
  const crashes = exceptions.map(({ name, message }) => `${name}: ${message}`);
  const ends = crashes.length === 0 && outcome !== 'ok' ? [outcome] : crashes;
  const entries = [...written, ...ends.map(message => ({ event: 'crash', time, message, ...request }))];
  // Health checks and preflights are not logged. A call of the pool has no request.
  const unlogged = event?.request && {
    event: 'request',
    time,
    ...request,
    status: event.response?.status ?? 0,
  };
  return entries.length === 0 && unlogged ? [unlogged] : entries;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return text.startsWith('{') ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

const isEntry = (value: unknown): value is Entry =>
  typeof (value as Entry | null | undefined)?.event === 'string';

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : inspect(value, { breakLength: Infinity });
