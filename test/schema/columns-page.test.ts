/** schema/README.md lists the columns of a quote as schema/quotes.ts defines them. */
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

const typeOf = ({ type }: Column): string =>
  type.values ? type.values.map(value => `\`${value}\``).join(' ') : type.postgres;

it('the page lists every column of a quote with its type, who writes it and its meaning', () => {
  const columns: [string, Column][] = Object.entries(quotes.columns);
  const rows = columns.map(
    ([name, column]) => `| \`${name}\` | ${typeOf(column)} | ${writerOf(column)} | ${column.meaning} |`,
  );
  const page = readFileSync(join(root, 'schema/README.md'), 'utf8');
  expect(page.split('\n').filter(line => line.startsWith('| `'))).toEqual(rows);
});
