/** Rows of any collection, made from what its schema says, and who reads the rows that belong to no account. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import * as v from 'valibot';
import type { Audience, Collection, Column, Privilege } from '../../schema/collection.ts';
import { everyone } from '../../schema/everyone.ts';
import { insert } from '../sql/roles.ts';
import { aQuote } from './rows.ts';

export type Row = Record<string, unknown>;

/** Whether each row belongs to an account, whose customers alone meet it. */
export const isOwned = ({ columns }: Collection): boolean => 'account_id' in columns;

export interface SharedRow {
  what: string;
  values: Row;
  /** Staff read every row. */
  readBy: Exclude<Audience, 'staff'>[];
}

/** Rows that belong to no account: a collection without `account_id` has all its kinds of rows here. */
const sharedRows: Record<string, SharedRow[]> = {
  graphics: [
    { what: 'an active', values: { is_active: true }, readBy: ['anon', 'customer'] },
    { what: 'an inactive', values: { is_active: false }, readBy: [] },
  ],
  notifications: [{ what: 'a system', values: { account_id: everyone }, readBy: ['customer'] }],
};

export function sharedRowsOf(collection: Collection): SharedRow[] {
  const { name } = collection;
  const rows = sharedRows[name];
  if (rows === undefined && !isOwned(collection)) {
    throw new Error(`test/setup/collection-rows.ts: add to sharedRows who reads which rows of ${name}.`);
  }
  return rows ?? [];
}

/** Values that no two rows may share, of columns without a default. */
function uniqueValuesOf({ name, columns, primaryKey, unique = {} }: Collection): Row {
  const taken = [primaryKey, ...Object.values(unique)].filter(
    column => columns[column]?.default === undefined,
  );
  return Object.fromEntries(
    taken.map(column => {
      const value = [`CODE-${randomUUID().toUpperCase()}`, randomUUID()].find(
        text => columns[column] && v.is(columns[column].type.format, text),
      );
      if (value === undefined) {
        throw new Error(
          `test/setup/collection-rows.ts: add to uniqueValuesOf a text that ${name}.${column} takes.`,
        );
      }
      return [column, value];
    }),
  );
}

/** What a new row must supply: the examples of the schema. */
export function newRow(collection: Collection, account: string, more: Row = {}): Row {
  const required = Object.entries(collection.columns).filter(
    ([, { nullable, default: initial }]) => !nullable && initial === undefined,
  );
  return {
    ...Object.fromEntries(required.map(([name, column]) => [name, exampleOf(collection, name, column)])),
    ...uniqueValuesOf(collection),
    ...(isOwned(collection) && { account_id: account }),
    ...more,
  };
}

/** Returns a new row, after inserting the quote of the account that it belongs to, if it must belong to one. */
export async function newRowOfQuote(
  sql: Sql,
  collection: Collection,
  account: string,
  more: Row = {},
): Promise<Row> {
  const row = newRow(collection, account, more);
  return 'quote_id' in row
    ? { ...row, quote_id: await insert(sql, 'quotes', aQuote(String(row['account_id']))) }
    : row;
}

function exampleOf({ name: table }: Collection, name: string, { example }: Column): unknown {
  if (example === undefined) {
    throw new Error(`schema/${table}.ts: ${name} is required in a new row and needs an example.`);
  }
  return example;
}

/** The columns that take any text. */
export const textColumnsOf = ({ columns }: Collection): string[] =>
  Object.keys(columns).filter(name => {
    const type = columns[name]?.type;
    return /^(?:text|character varying)$/.test(type?.postgres ?? '') && !type?.values && !type?.pattern;
  });

/** A change that customers may make, or staff where customers may make none, or that nobody may make. */
export function changeOf(collection: Collection): Row {
  const audience = (['customer', 'staff'] as const).find(each => may(collection, each, 'update'));
  const change = Object.entries(collection.columns).find(
    ([name, { privileges, example }]) =>
      name !== collection.primaryKey &&
      name !== 'account_id' &&
      example !== undefined &&
      (audience === undefined || privileges[audience].includes('update')),
  );
  if (change === undefined) {
    throw new Error(`schema/${collection.name}.ts: no column that may be changed has an example.`);
  }
  return { [change[0]]: change[1].example };
}

/** Whether anybody writes its rows by requests: the others are written by the database itself. */
export const isWritten = (collection: Collection): boolean => may(collection, 'staff', 'insert');

/** Whether an audience has the privilege for any column at all. */
export const may = ({ columns }: Collection, audience: Audience, privilege: Privilege): boolean =>
  Object.values(columns).some(({ privileges }) => privileges[audience].includes(privilege));
