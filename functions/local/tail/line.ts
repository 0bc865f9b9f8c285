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
  if (event !== 'request') {
    const { stack: _, ...told } = fields;
    const words = Object.entries(told).filter(([, value]) => value !== '');
    return `${clock(time)}  ${event.padEnd(7)}  ${words.map(([name, value]) => `${name} ${oneLine(value)}`).join(', ')}`;
  }
  const cells = columns.map(([field, , width]) => pad(oneLine(fields[field] ?? ''), width));
  const rest = [fields['code'], fields['reason'], fields['request_id']].filter(Boolean).map(oneLine);
  return [clock(time), ...cells, ...rest].join('  ').trimEnd();
}

/** Returns the local time of day. */
const clock = (time: number | undefined): string =>
  (time === undefined ? '' : new Date(time).toLocaleTimeString('en-GB', timeOfDay)).padEnd(12);

/** Takes out what would move the cursor: clients and exceptions bring it. */
const oneLine = (value: unknown): string =>
  stripVTControlCharacters(String(value)).replace(/\s+/g, ' ').trim();
