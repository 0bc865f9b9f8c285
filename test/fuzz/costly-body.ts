/** Bodies of up to a megabyte in every format, of which something is to be made that is larger. */
import { randomUUID } from 'node:crypto';
import type { Collection } from '../../schema/collection.ts';
import type { Chance } from './chance.ts';
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

/** `isNew`: with all that a new row needs. */
export function costlyBody(
  collection: Collection,
  account: string,
  isNew: boolean,
  chance: Chance,
): CostlyBody {
  return chance.weighted<CostlyBody>(
    [12, () => ({ contentType: 'application/json', body: anyJson(collection, account, isNew, chance) })],
    [2, () => ({ contentType: 'text/csv', body: anyCsv(chance) })],
    [2, () => ({ contentType: 'application/x-www-form-urlencoded', body: anyForm(chance) })],
  );
}

function anyJson(collection: Collection, account: string, isNew: boolean, chance: Chance): string {
  const json = chance.weighted(
    [6, () => row(collection, account, isNew, anyLength(chance), chance)],
    [2, () => manyRows(collection, account, isNew, chance)],
    [
      1,
      () => `[${repeated(chance.pick(['{}', '[]', '1', '"a"', '{"sport":"a"}']), anyLength(chance), ',')}]`,
    ],
    [1, () => repeated(chance.pick(['[', '{"a":', '[{"customization":', '\\', '"', ' ']), anyLength(chance))],
    [1, () => chance.pick(jsons)(anyLength(chance), chance)],
  );
  return json.slice(0, megabyte);
}

/** One whose values are long, as JSON: numbers are written as they are. */
function row(
  collection: Collection,
  account: string,
  isNew: boolean,
  length: number,
  chance: Chance,
): string {
  const values = new Map<string, string>(isNew ? required(collection, account) : []);
  const columns = Object.entries(collection.columns);
  for (let left = chance.pick([1, 1, 1, 3, 10]); left > 0; left--) {
    const [name, column] =
      chance.percent(50) && collection.name === 'quotes'
        ? (['customization', collection.columns['customization']] as const)
        : chance.pick(columns);
    const postgres = column?.type.postgres ?? 'text';
    const value = chance.pick(makersOf(postgres))(length, chance);
    const isPlain = /json/.test(postgres) || (/int|numeric/.test(postgres) && chance.percent(50));
    values.set(name, isPlain ? value : JSON.stringify(value.toWellFormed()));
  }
  return `{${[...values].map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}

function required(collection: Collection, account: string): [string, string][] {
  const values: Record<string, unknown> =
    collection.name === 'quotes'
      ? {
          account_id: account,
          quote_number: 'QT-2026-00001',
          product_id: account,
          sport: 'golf',
          customization: { a: 1 },
        }
      : collection.name === 'graphics'
        ? {
            name: 'Lion',
            code: `L-${randomUUID().toUpperCase()}`,
            file_url: 'https://cdn.test/l.svg',
            file_format: 'svg',
          }
        : { account_id: account, body: 'Ready', dismissed: false };
  return Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]);
}

function manyRows(collection: Collection, account: string, isNew: boolean, chance: Chance): string {
  const length = anyLength(chance);
  const keyed = !isNew && chance.percent(70);
  const one = row(collection, account, isNew, 20, chance);
  const count = Math.max(1, Math.floor(length / (one.length + 50)));
  const rows = Array.from({ length: count }, () =>
    keyed ? one.replace('{', `{"id":"${randomUUID()}",`) : one,
  );
  return `[${rows.join(',')}]`;
}

const anyCsv = (chance: Chance): string => {
  const length = anyLength(chance);
  return chance.pick([
    () => repeated('"x', length),
    () => repeated('"x"x', length),
    () => `sport,company\n${repeated('a,b', length, '\n')}`,
    () => `sport\n"${repeated('""', length)}"`,
    () => repeated(chance.pick(['"', ',', '\n', '\r', 'a\r', '"\n', '",']), length),
    () => `${repeated('sport', length / 2, ',')}\n${repeated('a', length / 2, '\n')}`,
    () => `customization\n"{""a"":[${repeated('[]', length, ',')}]}"`,
  ])();
};

const anyForm = (chance: Chance): string => {
  const length = anyLength(chance);
  return chance.pick([
    () => repeated('sport=a', length, '&'),
    () => Array.from({ length: length / 8 }, (_, n) => `a${n}=1`).join('&'),
    () => `sport=${repeated('%41', length)}`,
    () => `sport=${'+'.repeat(length)}`,
    () => repeated(chance.pick(['&', '=', '%', '%%']), length),
  ])();
};
