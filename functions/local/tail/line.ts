/** An entry → one aligned line for the terminal. */
import { stripVTControlCharacters } from 'node:util';
import type { Entry, RequestEntry } from './entry.ts';
import { countsOf } from './sweep-counts.ts';

const colours = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };
export type Paint = (colour: keyof typeof colours, text: string) => string;

/** Returns a function that colours a text, or leaves it as it is. */
export const painter = (coloured: boolean): Paint =>
  coloured ? (colour, text) => `\x1b[${colours[colour]}m${text}\x1b[0m` : (_, text) => text;

/** The headings of the columns. */
export const heading = (paint: Paint): string =>
  paint(
    'dim',
    columns({
      time: 'time',
      method: 'method',
      target: 'collection',
      status: 'status',
      caller: 'caller',
      rows: 'rows',
      total: 'total ms',
      database: 'db ms',
      rest: 'code, request id',
    }),
  );

export function lineOf(entry: Entry, paint: Paint): string {
  switch (entry.is) {
    case 'request':
      return requestLine(entry, paint);
    case 'sweep': {
      const { swept, batches, code } = entry;
      const failure = failureOf(entry);
      const colour = code === undefined ? 'green' : 'red';
      return columns({
        time: paint('dim', clock(entry.time)),
        method: 'cron',
        target: 'sweep',
        status: paint(colour, code === undefined ? 'ok' : 'failed'),
        caller: '',
        rows: String(Object.values(swept).reduce((sum, count) => sum + count, 0)),
        total: milliseconds(entry.total),
        database: '',
        rest: `${failure && `${paint(colour, failure)}  `}${countsOf(swept)}, ${batches} ${batches === 1 ? 'batch' : 'batches'}`,
      });
    }
    case 'live': {
      const { sockets, channels, joining, resuming, told, missed, closed, lag, code } = entry;
      const because = (words?: string): string => (words ? ` (${words})` : '');
      const failure = failureOf(entry);
      const colour = code === undefined && missed === 0 ? 'green' : 'red';
      return columns({
        time: paint('dim', clock(entry.time)),
        method: 'minute',
        target: 'live',
        status: paint(colour, code === undefined ? 'ok' : 'failed'),
        caller: '',
        rows: String(told),
        total: milliseconds(lag),
        database: '',
        rest: [
          `${failure && `${paint(colour, failure)}  `}${sockets} sockets`,
          `${channels} channels`,
          ...[joining && `${joining} joining`, resuming && `${resuming} resuming`],
          `${missed} missed changes${because(entry.missedBecause)}`,
          closed && `${closed} closed${because(entry.closedBecause)}`,
        ]
          .filter(Boolean)
          .join(', '),
      });
    }
    case 'crash':
      return `${paint('dim', clock(entry.time))}  ${paint('red', `crash  ${oneLine(entry.message)}`)}`;
    case 'text':
      return entry.text;
  }
}

function requestLine(entry: RequestEntry, paint: Paint): string {
  const { caller = '', rows = '', id } = entry;
  const colour = colourOf(entry.status);
  const failure = failureOf(entry);
  return columns({
    time: paint('dim', clock(entry.time)),
    method: entry.method,
    target: entry.target,
    status: paint(colour, String(entry.status)),
    caller,
    rows: String(rows),
    total: milliseconds(entry.total),
    database: milliseconds(entry.database),
    rest: [failure && paint(colour, failure), id && paint('dim', id)].filter(Boolean).join('  '),
  });
}

/** The code and the reason of a failure; empty on success. */
const failureOf = ({ code = '', reason, left }: { code?: string; reason?: string; left?: string }): string =>
  [code, reason && `(${oneLine(reason)})`, left && `left ${oneLine(left)}`].filter(Boolean).join(' ');

export function colourOf(status: number): 'green' | 'cyan' | 'yellow' | 'red' {
  return status >= 500 || status < 100 ? 'red' : status >= 400 ? 'yellow' : status >= 300 ? 'cyan' : 'green';
}

interface Columns {
  time: string;
  method: string;
  target: string;
  status: string;
  caller: string;
  rows: string;
  total: string;
  database: string;
  rest: string;
}

function columns({ time, method, target, status, caller, rows, total, database, rest }: Columns): string {
  const left = [pad(time, 12), pad(method, 7), pad(target, 17), pad(status, 6), pad(caller, 8)];
  const right = [pad(rows, -5), pad(total, -8), pad(database, -8)];
  return [...left, ...right, rest].join('  ').trimEnd();
}

/** Pads to a width on the right, or on the left for a negative width. Colour codes do not count. */
function pad(text: string, width: number): string {
  const space = ' '.repeat(Math.max(0, Math.abs(width) - stripVTControlCharacters(text).length));
  return width < 0 ? space + text : text + space;
}

export const milliseconds = (value: number | undefined): string => value?.toFixed(1) ?? '';

/** The local time of day. */
function clock(time: number | undefined): string {
  if (time === undefined) {
    return '';
  }
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${day}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

const oneLine = (text: string): string => stripVTControlCharacters(text).replace(/\s+/g, ' ').trim();
