/** An entry → a line for the terminal. */
import { stripVTControlCharacters } from 'node:util';
import type { Entry } from './entry.ts';

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
  .concat('code, reason, request id')
  .join('  ');

export function lineOf({ event, time, ...fields }: Entry): string {
  if (event === 'text') {
    return String(fields['text']);
  }
  if (event === 'delivery' && fields['delivery'] !== undefined) {
    return lineOfDelivery(time, fields);
  }
  if (event !== 'request') {
    const { stack: _, ...told } = fields;
    const words = Object.entries(told).filter(([, value]) => value !== '');
    return `${clock(time)}  ${event.padEnd(7)}  ${words.map(([name, value]) => `${name} ${oneLine(value)}`).join(', ')}`;
  }
  const cells = columns.map(([field, , width]) => pad(oneLine(fields[field] ?? ''), width));
  const rest = [fields['code'], fields['reason'], fields['request_id']].filter(Boolean).map(oneLine);
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
