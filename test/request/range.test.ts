import { describe, expect, it } from 'vitest';
import { parseRange } from '../../functions/request/range.ts';

const page = (offset: number, limit?: number) => ({
  ok: true,
  value: { offset, ...(limit !== undefined && { limit }) },
});
const refused = (details: string) => ({ ok: false, failure: { is: 'invalid range', details } });

describe('the range of a page', () => {
  it('is everything by default', () => {
    expect(parseRange()).toEqual(page(0));
    expect(parseRange(undefined, undefined, null)).toEqual(page(0));
  });

  it.each([
    ['3', undefined, page(0, 3)],
    [undefined, '8', page(8)],
    ['2', '3', page(3, 2)],
    ['0', undefined, page(0, 0)],
    ['0', '0', page(0, 0)],
    ['25', '100', page(100, 25)],
    [' 3 ', undefined, page(0, 3)],
  ])('comes from limit=%s and offset=%s', (limit, offset, range) => {
    expect(parseRange(limit, offset)).toEqual(range);
  });

  it.each([
    ['x', undefined],
    ['', ''],
    ['1.5', '2.5'],
    ['1e3', '0x10'],
    [undefined, '-5'],
  ])('ignores values that are not numbers: limit=%s and offset=%s', (limit, offset) => {
    expect(parseRange(limit, offset)).toEqual(page(0));
  });

  it('refuses a negative limit', () => {
    expect(parseRange('-1')).toEqual(refused('Limit should be greater than or equal to zero.'));
  });

  it.each([
    ['0-2', page(0, 3)],
    ['25-49', page(25, 25)],
    ['7-', page(7)],
    ['5-5', page(5, 1)],
    ['abc', page(0)],
    ['', page(0)],
    ['-5', page(0)],
    ['items=0-2', page(0)],
    ['0-2,4-6', page(0)],
  ])('comes from the header Range: %s', (header, range) => {
    expect(parseRange(undefined, undefined, header)).toEqual(range);
  });

  it('refuses a header that ends before it begins', () => {
    expect(parseRange(undefined, undefined, '5-2')).toEqual(
      refused('The lower boundary must be lower than or equal to the upper boundary in the Range header.'),
    );
  });

  it.each([
    ['2', undefined, '0-5', page(0, 2)],
    ['2', '3', '2-3', page(3, 1)],
    ['5', undefined, '2-', page(2, 3)],
    [undefined, '4', '2-9', page(4, 6)],
    [undefined, '4', '9-', page(9)],
  ])('is the intersection of limit=%s, offset=%s and Range: %s', (limit, offset, header, range) => {
    expect(parseRange(limit, offset, header)).toEqual(range);
  });

  it('is refused when limit and header have no row in common', () => {
    expect(parseRange('2', undefined, '5-9')).toEqual(
      refused('Limit, offset and the Range header have no row in common.'),
    );
  });

  it.each([
    ['99999999999999999999', undefined, null],
    [undefined, '99999999999999999999', null],
    ['9007199254740993', '9007199254740993', null],
    [undefined, undefined, '99999999999999999999-'],
    [undefined, undefined, '0-99999999999999999999'],
  ])('stays an exact integer however large: limit=%s, offset=%s, Range: %s', (limit, offset, header) => {
    const range = parseRange(limit, offset, header);
    expect(range.ok && Number.isSafeInteger(range.value.offset)).toBe(true);
    expect(range.ok && Number.isSafeInteger(range.value.limit ?? 0)).toBe(true);
  });
});
