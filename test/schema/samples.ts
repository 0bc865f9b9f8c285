/** Values that the types of columns accept, and values that they refuse. */
import type { ColumnType } from '../../schema/column-type.ts';
import { counts, jsonObject, smallObject } from '../../schema/json-types.ts';
import * as types from '../../schema/types.ts';
import { link, url } from '../../schema/web-address.ts';

type Samples = { taken: readonly unknown[]; refused: readonly unknown[] };
const id = '11111111-1111-4111-8111-111111111111';
const badNumbers = ['QT-2026-0001', 'QT-26-00001', 'QT-2026-000001', 'qt-2026-00001', 'QT-2026-00001\n', ''];
const badCodes = ['', 'Main-Logo', 'MAIN LOGO', 'MAIN.LOGO', 'É', 'A\n', 'A\nB'];
const badCounts = [{ M: -1 }, { M: 1.5 }, { M: '7' }, { M: null }, { M: [1] }];
/** Each size has eleven bytes, as Postgres writes it. */
const sizes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`.padStart(4, 'S'), 1]));
const time = '2026-02-28 10:00:00';
/** Objects of so many bytes, as Postgres writes them. */
const objects = (bytes: number) => [
  { a: 'é'.repeat(100).padEnd(bytes - 109, 'x') },
  { a: [{ b: ',:'.repeat(5).padEnd(bytes - 18, 'x') }] },
];
const samples: [type: ColumnType, taken: unknown[], refused: unknown[]][] = [
  [types.quoteNumber, ['QT-2026-00001', 'QT-0000-99999'], badNumbers],
  [types.graphicCode, ['MAIN-LOGO', 'MAIN_LOGO', 'A', '2026', '-', '_'], badCodes],
  [types.currency, ['USD', 'EUR'], ['', 'US', 'usd', 'USDT', 'US1', 'ÄÖÜ', 'USD ']],
  [types.count, [0, 2147483647, '12'], [-1, 2147483648, 1.5, 'many', '']],
  [types.integer, [0, -2147483648, ' 7 '], [2147483648, -2147483649, 1.5, 'x']],
  [types.bigint, [1_000_000, '9007199254740991'], ['x', 1.5, '1e30']],
  [types.price, [0, 58, '1.50', 1e-9, '1e3'], [-0.01, '-1', 'free', '']],
  [types.uuid, [id, id.replaceAll('-', '')], ['', 'x', '1']],
  [url, ['https://a.test/x?y#z', 'HTTP://a'], ['', '/a.png', 'javascript:alert(1)', 'https://a b']],
  [link, ['/quotes/1', 'https://a.test'], ['', '//a.test', 'javascript:alert(1)', 'quotes/1']],
  [types.boolean, [true, false, 'yes', '0'], ['maybe', 2, '']],
  [types.eventDate, ['2026-02-28', '2028-02-29'], ['2026-02-29', '2026-13-01', '1899-12-31', 'soon', '']],
  [types.timestamptz, [`${time}Z`, `${time}.123456+02:00`], ['2026-02-30T10:00:00Z', 'soon', '']],
  [jsonObject, [{}, { deep: [1, null] }], [[], 'x', 1, true]],
  [
    smallObject,
    [{}, { primary: { hex: '#fff', name: 'a, b: "c"' }, zip: 62701, trim: [null] }, ...objects(2000)],
    [[], 'x', 1, ...objects(2001)],
  ],
  [counts, [{}, { M: 7, XXL: 0 }, sizes(720)], [...badCounts, sizes(900), ...[[], 'x', 1, true]]],
];

/** Listed values are their own samples; a type that accepts every text has none. */
export function samplesOf(type: ColumnType): Samples {
  if (type.values !== undefined) {
    const [first = ''] = type.values;
    return { taken: type.values, refused: ['', 'other', first.toUpperCase(), `${first} `, `${first}\n`] };
  }
  const [, taken = [], refused = []] = samples.find(([sampled]) => sampled === type) ?? [];
  return { taken, refused };
}
