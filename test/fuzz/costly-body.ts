/** Bodies of up to a megabyte in every format, whose processing may need more than their size. */
import { randomUUID } from 'node:crypto';
import { newRow } from '../setup/collection-rows.ts';
import type { Chance } from './chance.ts';
import type { Scope } from './costly-query.ts';
import { jsons, makersOf, repeated } from './costly-values.ts';

export interface CostlyBody {
  contentType: string;
  body: string;
}

const megabyte = 1024 * 1024;

const anyLength = (chance: Chance): number =>
  chance.weighted(
    [6, () => chance.below(2000)],
    [3, () => chance.below(60_000)],
    [2, () => chance.below(300_000)],
    [1, () => megabyte - 3000],
  );

/** `isNew`: with all columns that a new row needs. */
export function costlyBody(scope: Scope, account: string, isNew: boolean, chance: Chance): CostlyBody {
  return chance.weighted<CostlyBody>(
    [12, () => ({ contentType: 'application/json', body: anyJson(scope, account, isNew, chance) })],
    [2, () => ({ contentType: 'text/csv', body: anyCsv(scope, account, isNew, chance) })],
    [
      2,
      () => ({
        contentType: 'application/x-www-form-urlencoded',
        body: anyForm(scope, account, isNew, chance),
      }),
    ],
  );
}

function anyJson(scope: Scope, account: string, isNew: boolean, chance: Chance): string {
  return chance.weighted(
    [12, () => inJson(row(scope, account, isNew, anyLength(chance), chance))],
    [4, () => manyRows(scope, account, isNew, chance)],
    [
      1,
      () => `[${repeated(chance.pick(['{}', '[]', '1', '"a"', '{"sport":"a"}']), anyLength(chance), ',')}]`,
    ],
    [1, () => repeated(chance.pick(['[', '{"a":', '[{"customization":', '\\', '"', ' ']), anyLength(chance))],
    [1, () => chance.pick(jsons)(anyLength(chance), chance)],
  );
}

type Entries = [name: string, written: string][];

const inJson = (row: Entries): string =>
  `{${row.map(([name, written]) => `"${name}":${written}`).join(',')}}`;

/** The columns of a row with their values as JSON, some of them long. */
function row(scope: Scope, account: string, isNew: boolean, length: number, chance: Chance): Entries {
  const values = new Map<string, string>(isNew ? required(scope, account) : []);
  const { collection, audience } = scope;
  const columns = Object.entries(collection.columns).filter(
    ([, { privileges }]) => privileges[audience].includes(isNew ? 'insert' : 'update') || chance.percent(2),
  );
  const count = chance.pick([1, 1, 1, 3, 10]);
  for (let left = count; left > 0; left--) {
    const [name, column] =
      chance.percent(50) && collection.name === 'quotes'
        ? (['customization', collection.columns['customization']] as const)
        : (chance.pick(columns) ?? ['sport', undefined]);
    const postgres = column?.type.postgres ?? 'text';
    const value = chance.pick(makersOf(postgres))(length / count, chance);
    const isPlain = /json/.test(postgres) || (/int|numeric/.test(postgres) && chance.percent(50));
    values.set(name, isPlain ? value : JSON.stringify(value.toWellFormed()));
  }
  return [...values];
}

const required = ({ collection }: Scope, account: string): [string, string][] =>
  Object.entries(newRow(collection, account)).map(([name, value]) => [name, JSON.stringify(value)]);

function manyRows(scope: Scope, account: string, isNew: boolean, chance: Chance): string {
  const length = anyLength(chance);
  const keyed = !isNew && chance.percent(70);
  const one = inJson(row(scope, account, isNew, 20, chance));
  const count = Math.max(1, Math.floor(length / (one.length + 50)));
  const rows = Array.from({ length: count }, () =>
    keyed ? one.replace('{', `{"id":"${randomUUID()}",`) : one,
  );
  return `[${rows.join(',')}]`;
}

/** A value as CSV and forms contain it: a text without JSON quotes. */
const textOf = (written: string): string => (written.startsWith('"') ? String(JSON.parse(written)) : written);
const inCsv = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const anyCsv = (scope: Scope, account: string, isNew: boolean, chance: Chance): string => {
  const length = anyLength(chance);
  const asRow = () => {
    const entries = row(scope, account, isNew, length, chance);
    const line = entries.map(([, written]) => inCsv(textOf(written))).join(',');
    return `${entries.map(([name]) => name).join(',')}\n${line}`;
  };
  return chance.pick([
    asRow,
    asRow,
    asRow,
    () => repeated('"x', length),
    () => `${repeated('"x', length / 2)}${' '.repeat(length / 2)}${chance.pick([',', '\n', ''])}`,
    () => `sport,company\n${repeated('a,b', length, '\n')}`,
    () => repeated(chance.pick(['"', ',', '\n', '\r', 'a\r', '"\n', '",']), length),
    () => `${repeated('sport', length / 2, ',')}\n${repeated('a', length / 2, '\n')}`,
  ])();
};

const anyForm = (scope: Scope, account: string, isNew: boolean, chance: Chance): string => {
  const length = anyLength(chance);
  const asRow = () =>
    row(scope, account, isNew, length / 3, chance)
      .map(([name, written]) => `${name}=${encodeURIComponent(textOf(written).toWellFormed())}`)
      .join('&');
  return chance.pick([
    asRow,
    asRow,
    () => Array.from({ length: length / 8 }, (_, n) => `a${n}=1`).join('&'),
    () => `sport=${chance.pick([repeated('%41', length), '+'.repeat(length)])}`,
    () => repeated(chance.pick(['&', '=', '%', '%%', 'sport=a&']), length),
  ])();
};
