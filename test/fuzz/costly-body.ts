/** Bodies of up to a megabyte in every format, whose processing may need more than their size. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { newRow } from '../setup/collection-rows.ts';
import { sometimes, text, weighted } from './arbitraries.ts';
import type { Scope } from './costly-query.ts';
import { jsons, made, makersOf, repeated } from './costly-values.ts';

export interface CostlyBody {
  contentType: string;
  body: string;
}

const megabyte = 1024 * 1024;

const anyLength = weighted(
  [6, fc.nat(2000)],
  [3, fc.nat(60_000)],
  [2, fc.nat(300_000)],
  [1, fc.constant(megabyte - 3000)],
);

/** Where a row goes: a new one has all columns that it needs. */
interface Target extends Scope {
  account: string;
  isNew: boolean;
}

export function costlyBody(target: Target): fc.Arbitrary<CostlyBody> {
  const long = anyLength.chain(length => row(target, length));
  // What a form encodes takes three times the room.
  const inForm = anyLength.chain(length => row(target, length / 3));
  const of = (contentType: string, body: fc.Arbitrary<string>) => body.map(body => ({ contentType, body }));
  return weighted(
    [12, of('application/json', anyJson(long, row(target, 20), target.isNew))],
    [2, of('text/csv', anyCsv(long))],
    [2, of('application/x-www-form-urlencoded', anyForm(inForm))],
  );
}

type Entries = [name: string, written: string][];
type Row = fc.Arbitrary<Entries>;

/** One of the texts, repeated to some length. */
const repetition = (...parts: string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...parts), anyLength).map(([part, length]) => repeated(part, length));

const anyJson = (long: Row, short: Row, isNew: boolean): fc.Arbitrary<string> =>
  weighted(
    [12, long.map(inJson)],
    [4, manyRows(short, isNew)],
    [1, repetition('{},', '[],', '1,', '"a",', '{"sport":"a"},').map(items => `[${items.slice(0, -1)}]`)],
    [1, repetition('[', '{"a":', '[{"customization":', '\\', '"', ' ')],
    [1, made(jsons, anyLength)],
  );

const inJson = (entries: Entries): string =>
  `{${entries.map(([name, written]) => `"${name}":${written}`).join(',')}}`;

/** The columns of a row with their values as JSON, some of them long. */
function row({ collection, audience, account, isNew }: Target, length: number): Row {
  const needed: Entries = Object.entries(isNew ? newRow(collection, account) : {}).map(([name, value]) => [
    name,
    JSON.stringify(value),
  ]);
  const all = Object.keys(collection.columns);
  const writable = all.filter(name =>
    collection.columns[name]?.privileges[audience].includes(isNew ? 'insert' : 'update'),
  );
  const any = weighted(
    [98, fc.constantFrom(...(writable.length > 0 ? writable : all))],
    [2, fc.constantFrom(...all)],
  );
  const name = collection.name === 'quotes' ? fc.oneof(fc.constant('customization'), any) : any;
  const entries = fc.constantFrom(1, 1, 1, 3, 10).chain(count => {
    const entry = fc.tuple(name, fc.nat(), fc.boolean()).map(([column, n, isPlain]): [string, string] => {
      const postgres = collection.columns[column]?.type.postgres ?? 'text';
      const makers = makersOf(postgres);
      const value = makers[n % makers.length]?.(length / count, n) ?? '';
      const isJson = /json/.test(postgres) || (/int|numeric/.test(postgres) && isPlain);
      return [column, isJson ? value : JSON.stringify(value.toWellFormed())];
    });
    return fc.array(entry, { minLength: count, maxLength: count });
  });
  return entries.map(values => [...new Map([...needed, ...values])]);
}

/** The same row again and again, mostly with keys where rows are changed. */
const manyRows = (short: Row, isNew: boolean): fc.Arbitrary<string> =>
  fc
    .tuple(short.map(inJson), anyLength, sometimes(isNew ? 0 : 70, fc.constant('keyed')))
    .map(([one, length, keyed]) => {
      const count = Math.max(1, Math.floor(length / (one.length + 50)));
      const withKey = () => (keyed ? one.replace('{', `{"id":"${randomUUID()}",`) : one);
      return `[${Array.from({ length: count }, withKey).join(',')}]`;
    });

/** A value as CSV and forms contain it: a text without JSON quotes. */
const textOf = (written: string): string => (written.startsWith('"') ? String(JSON.parse(written)) : written);
const inCsv = (value: string): string => `"${value.replaceAll('"', '""')}"`;

function anyCsv(long: Row): fc.Arbitrary<string> {
  const asRow = long.map(entries => {
    const line = entries.map(([, written]) => inCsv(textOf(written))).join(',');
    return `${entries.map(([name]) => name).join(',')}\n${line}`;
  });
  const columns = anyLength.map(
    length => `${repeated('sport', length / 2, ',')}\n${repeated('a', length / 2, '\n')}`,
  );
  const spaces = anyLength.map(length => `${repeated('"x', length / 2)}${' '.repeat(length / 2)}`);
  return weighted(
    [3, asRow],
    [1, text`${spaces}${fc.constantFrom(',', '\n', '')}`],
    [1, text`sport,company\n${repetition('a,b\n')}`],
    [2, repetition('"', '"x', ',', '\n', '\r', 'a\r', '"\n', '",')],
    [1, columns],
  );
}

function anyForm(row: Row): fc.Arbitrary<string> {
  const asRow = row.map(entries =>
    entries
      .map(([name, written]) => `${name}=${encodeURIComponent(textOf(written).toWellFormed())}`)
      .join('&'),
  );
  const fields = anyLength.map(length => Array.from({ length: length / 8 }, (_, n) => `a${n}=1`).join('&'));
  return weighted(
    [2, asRow],
    [1, fields],
    [1, text`sport=${repetition('%41', '+')}`],
    [1, repetition('&', '=', '%', '%%', 'sport=a&')],
  );
}
