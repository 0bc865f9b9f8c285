import type { Audience, Collection } from '../../schema/collection.ts';
import { identifier, type Sql, sql } from './sql.ts';

export const tableOf = ({ name }: Collection): Sql => identifier('builder', name);

/** Whether rows belong to accounts. */
export const hasAccounts = ({ columns }: Collection): boolean => Object.hasOwn(columns, 'account_id');

/** Returns what an audience reads and updates: the table, or a view of the same columns under the table's name. */
export function readableOf(collection: Collection, audience: Audience): Sql {
  const view = collection.views?.[audience];
  return view === undefined
    ? tableOf(collection)
    : sql`${identifier('builder', view)} as ${identifier(collection.name)}`;
}
