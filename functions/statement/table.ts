import type { Collection } from '../../schema/collection.ts';
import { identifier, type Sql } from './sql.ts';

export const tableOf = ({ name }: Collection): Sql => identifier('builder', name);

/** Whether rows belong to accounts. */
export const hasAccounts = ({ columns }: Collection): boolean => Object.hasOwn(columns, 'account_id');
