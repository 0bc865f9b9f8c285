/** schema/README.md says who writes which column of a quote, as schema/quotes.ts does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Column } from '../../schema/collection.ts';
import { quotes } from '../../schema/quotes.ts';
import { root } from '../setup/files.ts';

const mayWrite = (privileges: readonly string[]): boolean => privileges.some(one => one !== 'select');

/** Returns who decides the value: a time that a customer may send is replaced by the database's clock. */
function writerOf({ type, privileges }: Column): string {
  const isStamp = type.postgres === 'timestamp with time zone' && mayWrite(privileges.customer);
  return isStamp ? 'database' : mayWrite(privileges.customer) ? 'customer' : 'staff';
}

const page = readFileSync(join(root, 'schema/README.md'), 'utf8');

it.each([
  ['staff', 'nobody but staff'],
  ['database', 'the database'],
])('schema/README.md lists the columns that are written by %s', (writer, row) => {
  const columns = Object.entries<Column>(quotes.columns).filter(([, column]) => writerOf(column) === writer);
  const listed = page.split('\n').find(line => line.startsWith(`| ${row} |`)) ?? '';
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(columns.map(([name]) => name));
});
