import { describe, expect, it } from 'vitest';
import { validateRows } from '../../../functions/rest/plan/validate-rows.ts';
import type { BodyUse } from '../../../functions/rest/plan/write.ts';
import type { BodyRow } from '../../../functions/rest/request/request.ts';
import type { Collection } from '../../../schema/collection.ts';
import { graphics } from '../../../schema/graphics.ts';
import { notifications } from '../../../schema/notifications.ts';
import { quotes } from '../../../schema/quotes.ts';

const update: BodyUse = { privilege: 'update', missing: 'null' };
const insert: BodyUse = { privilege: 'insert', missing: 'null' };

const collections: Record<string, Collection> = { graphics, notifications, quotes };

const issuesIn = (collection: Collection, row: BodyRow, json = '') =>
  validateRows({ json, isArray: false, rows: [row] }, Object.keys(row), update, collection);

/** Issues of a value in a column (`graphics.code`), each as `path SQLSTATE`. */
function issuesOf(name: string, value: unknown): string[] {
  const [table = '', column = ''] = name.split('.');
  const issues = issuesIn(collections[table] ?? quotes, { [column]: value });
  return issues.map(({ path, sqlstate }) => `${path} ${sqlstate}`);
}

const uuid = 'a0000000-0000-4000-8000-000000000001';

/** Which values a type takes is in test/schema, by the table too. */
describe('a value of a body', () => {
  it.each<[string, unknown[]]>([
    ['graphics.name', ['', 5, true]],
    ['graphics.category_id', [uuid.replaceAll('-', ''), `{${uuid}}`, null]],
    ['graphics.tags', [[], ['a', 'b,c'], '{a,b}', null]],
    ['quotes.unit_price', ['.5', '5.', '1e-99', null]],
    ['quotes.created_at', ['9999-12-31T24:00:00+00:01', '0004-02-29T00:00Z', '1800-01-01 00:53:28+00:53:28']],
    ['quotes.event_date', ['1900-01-01', '9999-12-31T23:59:59-05:00']],
  ])('fits the column %s: %j', (column, values) => {
    expect(values.map(value => issuesOf(column, value))).toEqual(values.map(() => []));
  });

  it.each<[string, string, unknown[]]>([
    ['graphics.name', '22P02', [{}, []]],
    ['graphics.width', '22P02', ['', 1.5, '0x10', true, []]],
    ['graphics.tags', '22P02', ['a', [[1]], {}, 5]],
    ['graphics.created_at', '22007', ['now', '31.01.2026', 5]],
    ['graphics.created_at', '22008', ['9999-12-31T23:59:59.9999995Z', '9999-12-31T23:59:59']],
    ['quotes.created_at', '22008', ['0001-02-29T00:00Z']],
    ['quotes.unit_price', '22P02', ['NaN', 'Infinity', '1,5', true, {}]],
    ['quotes.unit_price', '22003', ['1e100', '1e-100', '1E+0000', '0'.repeat(1001)]],
    ['quotes.event_date', '22008', ['0000-01-01', '2026-02-30']],
    ['notifications.id', '22003', ['12345678901234567890']],
    ['notifications.dismissed', '23502', [null]],
  ])('does not fit the column %s (%s): %j', (column, sqlstate, values) => {
    const expected = values.map(() => [`${column.split('.')[1]} ${sqlstate}`]);
    expect(values.map(value => issuesOf(column, value))).toEqual(expected);
  });

  it('names the limit of a count, and the object whose key cannot be stored', () => {
    const expectationsOf = (row: BodyRow) =>
      issuesIn(quotes, row, JSON.stringify(row)).map(({ path, expected }) => `${path}: ${expected}`);
    expect(expectationsOf({ size_breakdown: { M: 1e15 } })).toEqual([
      'size_breakdown.M: a whole number up to 1000000000',
    ]);
    const ofKeys = 'an object whose keys have no NUL characters or unpaired surrogates';
    expect(expectationsOf({ customization: { 'a\0': 1 }, colors: { 'b\ud800': 'c' } })).toEqual([
      `customization: ${ofKeys}`,
      `colors: ${ofKeys}`,
    ]);
    expect(expectationsOf({ customization: { a: '\0' } })).toEqual([
      'customization.a: a text without NUL characters or unpaired surrogates',
    ]);
  });

  it('is shown in the issue, cut when it is long, beside the expectation', () => {
    expect(issuesIn(graphics, { file_format: 'gif', code: 'x'.repeat(100) })).toMatchObject([
      { path: 'file_format', expected: 'one of jpg, png, svg, webp', received: '"gif"', sqlstate: '23514' },
      { path: 'code', received: `"${'x'.repeat(59)}…`, sqlstate: '23514' },
    ]);
  });
});

describe('the rows of a body', () => {
  const columns = ['name', 'code', 'file_url', 'file_format'];
  const good: BodyRow = { name: 'A', code: 'A', file_url: 'https://x', file_format: 'png' };
  const paths = (rows: BodyRow[], names = columns, use = insert) =>
    validateRows({ json: '', isArray: true, rows }, names, use, graphics).map(
      ({ row, path, received }) => `${row}.${path} ${received}`,
    );

  it('must have the columns without a default, but in an update', () => {
    const missing = ['0.code nothing', '0.file_url nothing', '0.file_format nothing'];
    expect(paths([{ name: 'A' }], ['name'])).toEqual(missing);
    expect(paths([{ name: 'A' }], ['name'], update)).toEqual([]);
  });

  it('have null in a named column that they leave out, or its default when the request prefers that', () => {
    const names = [...columns, 'sort_order', 'description'];
    expect(paths([good], names)).toEqual(['0.sort_order nothing']);
    expect(paths([good], names, { ...insert, missing: 'default' })).toEqual([]);
    expect(paths([{ ...good, sort_order: null }], names, { ...insert, missing: 'default' })).toEqual([
      '0.sort_order null',
    ]);
  });

  it('are not checked any further after 100 issues', () => {
    const looked: number[] = [];
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      ...good,
      get name() {
        looked.push(index);
        return null;
      },
    }));
    expect(paths(rows)).toHaveLength(100);
    expect(looked.length).toBeLessThanOrEqual(100);
  });
});

describe('a value with very many errors', () => {
  it('has at most 100 issues, with keys that are cut', () => {
    const keys = Array.from({ length: 125_000 }, (_, index) => [`k${index}`, 'red']);
    const issues = issuesIn(quotes, { size_breakdown: Object.fromEntries(keys) });
    expect(issues).toHaveLength(100);
    expect(issues[99]).toMatchObject({ path: 'size_breakdown.k99', sqlstate: '23514' });
    const [issue] = issuesIn(quotes, { size_breakdown: { ['k'.repeat(2 ** 20)]: 'red' } });
    expect(issue?.path).toBe(`size_breakdown.${'k'.repeat(85)}…`);
  });

  it('has one issue when it is a list of invalid elements, of which only the first is checked', () => {
    let read = 0;
    const tags = new Proxy(Array(100_000).fill({}), {
      get: (list, key) => {
        read += /^\d+$/.test(String(key)) ? 1 : 0;
        return Reflect.get(list, key);
      },
    });
    expect(issuesIn(graphics, { tags })).toMatchObject([{ path: 'tags', received: 'Array' }]);
    expect(read).toBe(1);
  });
});
