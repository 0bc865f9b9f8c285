/** The settings of a request's session that the engine adds: what a write names of its rows, and how rows are read. */
import { empty, keyword, type Sql, sql } from '../../database/sql.ts';
import type { Named } from '../plan/write.ts';
import type { Preferences } from '../request/preferences.ts';

/** Returns what ends a message: a rollback undoes its statements (`Prefer: tx=rollback`). */
export const ending = ({ tx }: Preferences): Sql[] => (tx === 'rollback' ? [keyword('rollback')] : []);

/**
 * Makes Postgres read rows in the order of an index if there is one. It estimates one row for an account that has a hundred
 * thousand, and would sort them all. Before Postgres 18, a sort without an alternative counts as so costly that it would
 * be compiled.
 */
export const withoutSort = keyword(`
  and set_config('enable_sort', 'off', true) is not null and set_config('jit', 'off', true) is not null`);

/** Passes what the write names to the rules of a quote's life. */
export const namedSettings = (names: Named | undefined): Sql =>
  names === undefined
    ? empty
    : sql`${names.version ? versionIsCompared : empty}${names.price ? priceIsCompared : empty}${rowsAre[names.rows]}
  and set_config(${keyword(`'${settings.columns}'`)}, ${names.columns.join()}, true) is not null`;

/** The settings that pass the request to the database's functions. */
export const settings = {
  version: 'request.version',
  price: 'request.price',
  rows: 'request.rows',
  columns: 'request.columns',
} as const;

/** Sets a setting for the rest of the message, as a condition that is true. */
const isSet = (name: keyof typeof settings, value: string): Sql => sql`
  and set_config(${keyword(`'${settings[name]}'`)}, ${keyword(`'${value}'`)}, true) is not null`;

const versionIsCompared = isSet('version', 'compared');
const priceIsCompared = isSet('price', 'compared');
const rowsAre: Record<Named['rows'], Sql> = {
  one: isSet('rows', 'one'),
  keyed: isSet('rows', 'keyed'),
  filtered: isSet('rows', 'filtered'),
};
