/** The settings of a request's session that the engine adds: facts about a write, and how rows are read. */
import { limits } from '../../common/limits.ts';
import { empty, keyword, type Sql, sql } from '../../database/sql.ts';
import type { Facts } from '../plan/write.ts';
import type { Preferences } from '../request/preferences.ts';

/** The second run of a statement, whose response was larger than the first one's limit. */
export interface Again {
  /** Milliseconds that the first run took. */
  after: number;
}

/** Memory of a sort or a window that holds two rows of a large response. With less, the window writes its page to a file. */
const largeWorkMemory = keyword("'16MB'");

/** Gives a second run what the first one left of a statement's time. */
export const againSettings = (again: Again | undefined): Sql =>
  again === undefined
    ? empty
    : sql`
  and set_config('work_mem', ${largeWorkMemory}, true) is not null
  and set_config('statement_timeout', ${String(Math.max(1, limits.database.statementTimeout - again.after))}, true) is not null`;

/** Returns what ends a message: a rollback undoes its statements (`Prefer: tx=rollback`). */
export const ending = ({ tx }: Preferences): Sql[] => (tx === 'rollback' ? [keyword('rollback')] : []);

/**
 * Makes Postgres read rows in the order of an index if there is one. It estimates one row for an account that has a hundred
 * thousand, and would sort them all. Before Postgres 18, a sort without an alternative counts as so costly that it would
 * be compiled.
 */
export const withoutSort = keyword(`
  and set_config('enable_sort', 'off', true) is not null and set_config('jit', 'off', true) is not null`);

/** Passes the facts about a write to the rules of the database. They are values: as text, each filter would be another statement. */
export const factSettings = (facts: Facts | undefined): Sql =>
  facts === undefined
    ? empty
    : sql`
  and ${setting('compared', facts.compared.join())}
  and ${setting('rows', facts.rows)}
  and ${setting('columns', facts.columns.join())}`;

/** The settings that pass the request to the database's functions. */
export const settings = {
  compared: 'request.compared',
  rows: 'request.rows',
  columns: 'request.columns',
} as const;

/** Sets a setting for the rest of the message, as a condition that is true. */
const setting = (name: keyof typeof settings, value: string): Sql =>
  sql`set_config(${keyword(`'${settings[name]}'`)}, ${value}, true) is not null`;
