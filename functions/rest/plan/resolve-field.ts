/** A name in the request → a column that the caller may use, or a failure. */
import type { Collection, Column, Privilege } from '../../../schema/collection.ts';
import { issueLimit } from '../../../schema/column-type.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { textOfJson } from '../../common/text.ts';
import type { Body, BodyRow, Field } from '../request/request.ts';
import { nearest } from './nearest.ts';
import type { PlannedField } from './planned.ts';

const actions = { insert: 'set', update: 'change' };

/** Returns the columns on which a caller has a privilege, in the order of the definition. */
export function permittedColumns(collection: Collection, caller: Caller, privilege: Privilege): string[] {
  return Object.keys(collection.columns).filter(name =>
    collection.columns[name]?.privileges[caller.audience].includes(privilege),
  );
}

/** Finds a column by its name. `Object.hasOwn` protects against names like `constructor`. */
export function findColumn(collection: Pick<Collection, 'columns'>, name: string): Column | undefined {
  return Object.hasOwn(collection.columns, name) ? collection.columns[name] : undefined;
}

/**
 * Returns the failure with all fields of a body that the caller must not write, so that a form can mark each. A new row has no
 * values in them, and a row that exists keeps its own.
 */
export function forbiddenFields(
  collection: Collection,
  caller: Caller,
  { rows, isArray }: Pick<Body, 'rows' | 'isArray'>,
  columns: string[],
  privilege: keyof typeof actions,
): Extract<Failure, { is: 'forbidden fields' }> {
  const fields = isArray
    ? rows.flatMap((row, index) =>
        columns
          .filter(name => isRefused(row, name, collection, privilege))
          .map(path => ({ row: index, path })),
      )
    : [];
  return {
    is: 'forbidden fields',
    collection: collection.name,
    fields: (fields.length > 0 ? fields : columns.map(path => ({ path }))).slice(0, issueLimit),
    action: actions[privilege],
    authenticated: caller.kind !== 'anon',
    hint: hints[privilege](collection),
  };
}

const hints: Record<keyof typeof actions, (collection: Collection) => string> = {
  insert: ({ copying }) => ['Omit such a field, or send null.', copying].filter(Boolean).join(' '),
  update: () => 'Send such a field unchanged, or omit it. Its value may have changed: read the row again.',
};

const isRefused = (
  row: BodyRow,
  name: string,
  collection: Collection,
  privilege: keyof typeof actions,
): boolean => Object.hasOwn(row, name) && !(privilege === 'insert' && isDefault(row, name, collection));

/** Whether a row of a body has what a new row gets without it: null, or a default that is a constant. */
export function isDefault(row: BodyRow, name: string, { columns }: Collection): boolean {
  const { default: initial, neverNull, nullable, type }: Partial<Column> = columns[name] ?? {};
  const value = row[name] === '' && nullable && type?.emptyIsNull ? null : (row[name] ?? null);
  if (value === null) {
    return initial === undefined || neverNull === true;
  }
  const text = textOfJson(value);
  return initial === `'${text}'` || initial === text;
}

/** Returns what to use in place of an unknown name: the nearest columns, or a hint. */
export function suggestColumn(
  name: string,
  collection: Collection,
  caller: Caller,
  privilege: Privilege,
): { nearest: string[]; hint?: string } {
  const { elsewhere = {} } = collection;
  const word = name.toLowerCase();
  const hint = Object.hasOwn(elsewhere, word) ? elsewhere[word] : undefined;
  return hint === undefined
    ? { nearest: nearest(name, permittedColumns(collection, caller, privilege)) }
    : { nearest: [], hint };
}

export function resolveField(field: Field, collection: Collection, caller: Caller): Result<PlannedField> {
  const column = findColumn(collection, field.name);
  if (column === undefined) {
    return fail<Failure>({
      is: 'unknown column',
      collection: collection.name,
      column: field.name,
      ...suggestColumn(field.name, collection, caller, 'select'),
    });
  }
  if (!column.privileges[caller.audience].includes('select')) {
    return fail<Failure>({
      is: 'unreadable column',
      collection: collection.name,
      column: field.name,
      authenticated: caller.kind !== 'anon',
    });
  }
  return ok({ column: field.name, type: column.type, path: field.path });
}
