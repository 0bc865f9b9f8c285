import { describe, expect, it } from 'vitest';
import { checkValue } from '../../../functions/rest/plan/check-value.ts';
import { findTimeZone } from '../../../functions/rest/plan/time-zone.ts';
import type { Operation } from '../../../functions/rest/request/request.ts';
import { graphics } from '../../../schema/graphics.ts';
import { notifications } from '../../../schema/notifications.ts';
import { quotes } from '../../../schema/quotes.ts';

const columns = { ...graphics.columns, ...quotes.columns, ...notifications.columns };
const check = (name: keyof typeof columns, operation: Operation) =>
  checkValue({ column: name, type: columns[name].type, path: [] }, operation);
const checkTime = (value: string) => check('created_at', { operator: 'gt', value });

it('the word null is refused with a hint in a filter of a column that has no such value', () => {
  const hint = 'Compare with null by is: unit_price=is.null, or unit_price=not.is.null.';
  expect(check('unit_price', { operator: 'isdistinct', value: 'NULL' })).toMatchObject({ hint });
  expect(check('unit_price', { operator: 'in', values: ['1', 'null'] })).toMatchObject({ hint });
});

it('the word null is a value of a text, of JSON, behind a path, of is, and in an array to compare with', () => {
  for (const name of ['sport', 'status', 'customization'] as const) {
    expect(check(name, { operator: 'eq', value: 'null' })).toBeUndefined();
  }
  const { type } = columns.width;
  const field = { column: 'width', type, path: [{ arrow: '->', operand: 'a' } as const] };
  expect(checkValue(field, { operator: 'eq', value: 'null' })).toBeUndefined();
  expect(check('deleted_at', { operator: 'is', value: 'null' })).toBeUndefined();
  expect(check('width', { operator: 'eq', quantifier: 'any', value: '{1,null}' })).toBeUndefined();
});

it.each([
  ['width', 'like', 'null'],
  ['width', 'sl', 'null'],
  ['created_at', 'sl', '[2026-01-01,2026-02-01)'],
] as const)('a value is left to Postgres where the operator is none of the column’s type: %s=%s.%s', (name, operator, value) => {
  expect(check(name, { operator, value })).toBeUndefined();
});

describe('a number in a filter', () => {
  const checkNumber = (value: string) => check('unit_price', { operator: 'gt', value });

  it.each(['-1.5', '1E+999', '1e-007', ' 2e3 '])('may be %j', value => {
    expect(checkNumber(value)).toBeUndefined();
  });

  it.each(['1e-16383', '1E+1000', ' 1e1000 ', '9'.repeat(101)])('may not be %j', value => {
    expect(checkNumber(value)).toMatchObject({ is: 'invalid value', sqlstate: '22P02' });
  });
});

describe('a time in a filter', () => {
  it.each([
    ...['2026-05-20', '20260520', '2026-5-2', '2026-05-20T10:00:00Z', '2026-05-20t10:00:00.123456+02:00'],
    ...['2026-05-20 9:30', '2026-05-20 10:00:00,5', '2026-05-20 10:00:00 -0730'],
    ...['20260520T100000Z', '2026-05-20 10:00 Europe/Berlin', '2026-05-20 10:00 europe/berlin'],
    ...['0044-03-15 12:00:00+00 BC', '12026-01-01T00:00:00Z', 'now', 'now()', 'Today', '-infinity'],
  ])('may be %s', value => {
    expect(checkTime(value)).toBeUndefined();
  });

  it.each([
    ...['', 'soon', '1-1-1+aaaa1', '2026-05-20 10:00 aaaa1', '2026-05-20 10:00aaaa1', '2026-05-20 10:00xUTC'],
    ...['2026-05-20 10:00 UTC+5', '2026-05-20 10:00 <aa>5', '2026-05-20aaaa1', 'aaaa1 2026-05-20'],
    ...['aaaa1 2026-05-20 10:00', '2026-05-20 aaaa1 10:00', '2026-05-20 10:00 aaaa1+02', 'aaaa1 now'],
    ...['now aaaa1', '2026-05-20 aaaa1', '2026-05-20 10:00+1:2:3:4'],
  ])('is refused with an invented zone, which Postgres would keep, or in another format: %s', value => {
    expect(checkTime(value)).toMatchObject({ is: 'invalid value', sqlstate: '22007' });
  });

  it('is checked in lists and arrays too', () => {
    const bad = '2026-05-20 10:00 aaaa1';
    const good = '2026-05-20';
    expect(check('event_date', { operator: 'in', values: [good, bad] })).toMatchObject({ sqlstate: '22007' });
    expect(check('event_date', { operator: 'in', values: [good] })).toBeUndefined();
    for (const value of [`{${good},"${bad}"}`, `{"${good}\\\\",${good}}`, '{{2026-05-20}}']) {
      const failure = { sqlstate: '22007' };
      expect(check('created_at', { operator: 'eq', quantifier: 'any', value })).toMatchObject(failure);
    }
    const value = `{"${good}", ${good},null}`;
    expect(check('created_at', { operator: 'eq', quantifier: 'any', value })).toBeUndefined();
  });
});

describe('a filter value of another type than text', () => {
  it.each(['id', 'width', 'type'] as const)('has at most 100 characters: %s', name => {
    expect(check(name, { operator: 'eq', value: '1'.repeat(100) })).toBeUndefined();
    expect(check(name, { operator: 'eq', value: '1'.repeat(101) })).toMatchObject({ sqlstate: '22P02' });
  });

  it('is left to Postgres when it is text or JSON', () => {
    expect(check('company', { operator: 'eq', value: 'x'.repeat(9999) })).toBeUndefined();
    expect(check('customization', { operator: 'cs', value: '{}'.repeat(999) })).toBeUndefined();
  });
});

describe('the operand for an array', () => {
  it.each([
    ['animal,sport', 'tags=cs.{animal,sport}'],
    ['x'.repeat(5000), 'tags=cs.{a,b}'],
  ])('cs.%s is refused with a hint of how it is written', (value, example) => {
    expect(check('tags', { operator: 'cs', value })).toMatchObject({
      is: 'invalid value',
      sqlstate: '22P02',
      hint: `Write an array in braces: ${example}.`,
    });
  });

  it.each(['{}', ' {animal}', '[1:2]={a,b}'])('is left to Postgres when it is an array: %s', value => {
    expect(check('tags', { operator: 'cs', value })).toBeUndefined();
  });

  it('is no array for other operators, and several for others', () => {
    expect(check('tags', { operator: 'like', value: 'a' })).toBeUndefined();
    expect(check('tags', { operator: 'eq', quantifier: 'any', value: '{{a}}' })).toBeUndefined();
  });
});

it.each([
  ...[['europe/berlin'], ['Etc/GMT+5'], ['+05:30', '5.5'], ['-0330', '-3.5'], ['+14', '14'], ['+00:00', '0']],
  ...[
    ['5:30', '5.5'],
    ['0530', '5.5'],
    ['5', '5'],
  ],
])('%s is a time zone; an offset without a sign is east of Greenwich', (name = '', zone = name) => {
  expect(findTimeZone(name)).toBe(zone);
});

it.each([
  ...['aaaa1', 'UTC+5', '<aa>5', '', "'", 'Europe/Berlin1', '+05:31', '15', '2026', '5.5', '+1:2:3'],
])('%j is not a time zone, although Postgres may read it as one', name => {
  expect(findTimeZone(name)).toBeUndefined();
});
