import { describe, expect, it } from 'vitest';
import { parseRange } from '../../functions/request/range.ts';

const page = (offset: number, limit?: number) => ({
  ok: true,
  value: { offset, ...(limit !== undefined && { limit }) },
});
const refused = (details: string) => ({ ok: false, failure: { is: 'invalid range', details } });

describe('the range of a page', () => {
  it.each([
    ['2', '3', page(3, 2)],
    ['0', undefined, page(0, 0)],
    [' 3 ', undefined, page(0, 3)],
    ['', '', page(0)],
    ['1.5', '2.5', page(0)],
    ['1e3', '0x10', page(0)],
    [undefined, '-5', page(0)],
    ['-1', undefined, refused('Limit should be greater than or equal to zero.')],
  ])('comes from limit=%s and offset=%s, where they are numbers', (limit, offset, range) => {
    expect(parseRange(limit, offset)).toEqual(range);
  });

  it.each([
    ['25-49', page(25, 25)],
    ['7-', page(7)],
    ['5-5', page(5, 1)],
    ['-5', page(0)],
    ['items=0-2', page(0)],
    ['0-2,4-6', page(0)],
  ])('comes from the header Range: %s', (header, range) => {
    expect(parseRange(undefined, undefined, header)).toEqual(range);
  });

  it.each([
    ['2', '3', '2-3', page(3, 1)],
    ['5', undefined, '2-', page(2, 3)],
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
    [undefined, undefined, '99999999999999999999-'],
    [undefined, undefined, '0-99999999999999999999'],
  ])('stays an exact integer however large: limit=%s, offset=%s, Range: %s', (limit, offset, header) => {
    const range = parseRange(limit, offset, header);
    expect(range.ok && Number.isSafeInteger(range.value.offset)).toBe(true);
    expect(range.ok && Number.isSafeInteger(range.value.limit ?? 0)).toBe(true);
  });
});
