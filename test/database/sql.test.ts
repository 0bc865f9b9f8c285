/** What a statement refuses to be made of. That values and names reach Postgres unchanged is in message.service.test.ts. */
import { expect, it } from 'vitest';
import { comment, join, type Sql, sql } from '../../functions/database/sql.ts';

it.each(['\0', 'a\0b', "\\'\0"])('a literal cannot hold a NUL: %j', value => {
  expect(() => sql`select ${value}`).toThrow(RangeError);
});

it('a literal with a backslash does not join the word before it', () => {
  expect(sql`cast${'\\'}`.text).toBe(String.raw`cast E'\\'`);
});

it.each([1.5, Number.NaN, 2 ** 53])('a statement refuses a number that is not exact: %s', value => {
  expect(() => sql`limit ${value}`).toThrow(RangeError);
});

it('a statement accepts neither strings nor objects that look like SQL', () => {
  const accept = (statement: Sql) => statement.text;
  // @ts-expect-error a string is not SQL
  accept('select 1');
  // @ts-expect-error nor is an object of the same shape
  accept({ text: 'select 1', strings: ['select 1'], values: [] });
  // @ts-expect-error and none can be interpolated
  expect(() => sql`${{ text: 'select 1' }}`).toThrow();
  // @ts-expect-error nor can a list of texts
  expect(() => join(['a', 'b'])).toThrow();
  expect(accept(sql`select 1`)).toBe('select 1');
});

it('a comment refuses characters that could end it', () => {
  for (const text of ['*/', '/*', "'", '"', ';', '\\', '\n', '\0', '$', 'é']) {
    expect(() => comment(text)).toThrow(RangeError);
  }
});
