/**
 * The entries of a worker's log: the lines that it wrote, each alone or in an event as `wrangler tail --format json` prints
 * it (https://developers.cloudflare.com/workers/observability/logs/tail-workers/). As lines for the terminal, and their summary.
 */
import { inspect, stripVTControlCharacters } from 'node:util';

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

/** Pads on the right, or on the left for a negative width. */
const pad = (text: string, width: number): string => (width < 0 ? text.padStart(-width) : text.padEnd(width));

const two = '2-digit';
const timeOfDay = { hour: two, minute: two, second: two, fractionalSecondDigits: 3 } as const;

/** The fields of a request that have a column, with its width. */
const columns: [field: string, heading: string, width: number][] = [
  ['method', 'method', 7],
  ['collection', 'collection', 17],
  ['status', 'status', 6],
  ['caller', 'caller', 8],
  ['rows', 'rows', -5],
  ['total_ms', 'total ms', -8],
  ['database_ms', 'db ms', -8],
];

export const heading = ['time'.padEnd(12), ...columns.map(([, name, width]) => pad(name, width))]
  .concat('code, reason, account, request id')
  .join('  ');

/** Returns an entry as a line for the terminal. */
export function lineOf({ event, time, ...fields }: Entry): string {
  if (event === 'text') {
    return String(fields['text']);
  }
  if (event === 'delivery' && fields['delivery'] !== undefined) {
    return lineOfDelivery(time, fields);
  }
  if (event !== 'request') {
    const { stack: _, ...others } = fields;
    const words = Object.entries(others).filter(([, value]) => value !== '');
    return `${clock(time)}  ${event.padEnd(7)}  ${words.map(([name, value]) => `${name} ${oneLine(value)}`).join(', ')}`;
  }
  const cells = columns.map(([field, , width]) => pad(oneLine(fields[field] ?? ''), width));
  const rest = [fields['code'], fields['reason'], fields['account'], fields['request_id']]
    .filter(Boolean)
    .map(oneLine);
  return [clock(time), ...cells, ...rest].join('  ').trimEnd();
}

/** Returns the line of an attempt to deliver: what and where to in the columns of a request's method and collection. */
function lineOfDelivery(time: number | undefined, fields: Record<string, unknown>): string {
  const { delivery, host, outcome, attempt, total_ms, retry_s, reason, id } = fields;
  const [kind = '', to = ''] = [delivery, host].map(oneLine);
  const again = retry_s === undefined ? '' : `again in ${oneLine(retry_s)} s`;
  const rest = [outcome, `attempt ${attempt}`, `${total_ms} ms`, again, reason ?? '', `id ${id}`].map(
    oneLine,
  );
  return [clock(time), pad(kind, 7), pad(to, 17), rest.filter(Boolean).join(', ')].join('  ');
}

/** Returns the local time of day. */
const clock = (time: number | undefined): string =>
  (time === undefined ? '' : new Date(time).toLocaleTimeString('en-GB', timeOfDay)).padEnd(12);

/** Takes out what would move the cursor: clients and exceptions bring it. */
const oneLine = (value: unknown): string =>
  stripVTControlCharacters(String(value)).replace(/\s+/g, ' ').trim();

const slowestShown = 5;

/** Returns how many requests there were, how they ended, and how long they took, in a few lines. */
export function summarise(requests: Entry[]): string[] {
  if (requests.length === 0) {
    return ['requests    none'];
  }
  const times = requests.flatMap(({ time }) => time ?? []).sort((a, b) => a - b);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  const rate =
    seconds > 0 ? ` in ${seconds.toFixed(1)} s, ${(requests.length / seconds).toFixed(1)} a second` : '';
  const kinds = requests.map(({ status }) => `${String(status)[0]}xx`).sort();
  const counts = [...new Set(kinds)].map(kind => `${kind} ${kinds.filter(other => other === kind).length}`);
  const timed = requests
    .filter(({ total_ms }) => total_ms !== undefined)
    .sort((a, b) => Number(a['total_ms']) - Number(b['total_ms']));
  const percentiles = [50, 95, 99].map(percent => `p${percent} ${percentile(timed, percent)}`);
  return [
    `requests    ${requests.length}${rate}`,
    `statuses    ${counts.join('   ')}`,
    ...(timed.length > 0 ? [`total ms    ${percentiles.join('   ')}`, 'slowest'] : []),
    ...timed.slice(-slowestShown).reverse().map(lineOf),
  ];
}

/** Returns the smallest time that at least `percent` of the sorted requests do not exceed. */
const percentile = (sorted: Entry[], percent: number): unknown =>
  sorted[Math.ceil((percent / 100) * sorted.length) - 1]?.['total_ms'];

/** Attempts to deliver → how they ended, in a line; none where there were none. */
export function summariseDeliveries(deliveries: Entry[]): string[] {
  const counts = new Map<string, number>();
  for (const { delivery, outcome } of deliveries) {
    const ended = `${delivery} ${outcome}`;
    counts.set(ended, (counts.get(ended) ?? 0) + 1);
  }
  const parts = [...counts].sort().map(([ended, count]) => `${ended} ${count}`);
  return parts.length === 0 ? [] : [`deliveries  ${parts.join('   ')}`];
}
