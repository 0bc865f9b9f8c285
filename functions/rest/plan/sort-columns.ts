/**
 * The columns of a body, by what their caller may do. What changes nothing is no offence: a column that the caller must not write is
 * accepted with the value that the row has, or that a new row gets.
 */
import type { Collection } from '../../../schema/collection.ts';
import type { Caller } from '../../caller/caller.ts';
import type { Body } from '../request/request.ts';
import { isDefault } from './resolve-field.ts';
import { validateRows } from './validate-rows.ts';
import type { BodyUse } from './write.ts';

interface SortedColumns {
  /** Columns that are written. */
  columns: string[];
  /** Columns that the statement compares: with the stored row, and with the defaults of a new row. */
  unchanged: string[];
  /** Columns with values that are refused. */
  refused: string[];
}

/** Sorts the columns of a body; all of them exist. */
export function sortColumns(
  body: Body,
  names: string[],
  use: BodyUse,
  collection: Collection,
  { audience }: Caller,
): SortedColumns {
  const { privilege, conflict } = use;
  const isUpdate = privilege === 'update';
  const mayFindRows = isUpdate || conflict?.columns.every(name => names.includes(name)) === true;
  const columns: string[] = [];
  const unchanged: string[] = [];
  const refused: string[] = [];
  for (const name of names) {
    const privileges = collection.columns[name]?.privileges[audience] ?? [];
    const isWritten = privileges.includes(privilege);
    const isKept =
      conflict?.resolution === 'merge' && !privileges.includes('update') && !conflict.columns.includes(name);
    if (isWritten) {
      columns.push(name);
    }
    if (isWritten && !isKept) {
      continue;
    }
    const isStrange = body.rows.some(row => !isDefault(row, name, collection));
    if (!isWritten && !(privileges.includes('select') && mayFindRows)) {
      // A stored value that the caller can't read is not compared, since the response would reveal it.
      refused.push(...(isStrange ? [name] : []));
    } else if (isUpdate || isKept || isStrange) {
      unchanged.push(name);
    }
  }
  const issues = validateRows(body, unchanged, { ...use, privilege: 'update' }, collection);
  const invalid = unchanged.filter(name => issues.some(({ path }) => path.split('.', 1)[0] === name));
  return { columns, unchanged, refused: [...refused, ...invalid] };
}
