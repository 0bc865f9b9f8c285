import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addSizes, describeSizes, isSize, readSize, sizes } from '../../functions/demo/jersey/sizes.ts';

it.each([
  ['2XL', ['2X', '2XL', 'XXL', 'xx-large', '2 xl', '2X-Large', 'Extra extra large', 'Adult 2XL', 'XX']],
  ['3XL', ['XXXL', '3x', 'xxx large']],
  ['XL', ['xl', 'X-Large', 'XLG', 'extra large', 'AXL', '1X']],
  ['L', ['L', 'LG', 'large', 'Lrg', 'LGE', 'Adult L', 'AL']],
  ['M', ['m', 'Med', 'MD', 'Medium', ' M ']],
  ['S', ['s', 'SM', 'Small', 'Sml']],
  ['XS', ['x-small', 'xs', 'Extra Small']],
  ['YM', ['YM', 'Youth M', 'Youth Medium', 'M (Youth)', 'Y-M', 'y.m.', 'Yth Med']],
  ['YXL', ['Youth XL', 'YXL', 'XL youth']],
])('the spellings of the size %s are read as one', (size, spellings) => {
  expect(spellings.map(readSize)).toEqual(spellings.map(() => size));
});

it.each([
  '10-12',
  'Custom',
  'S/M',
  'L/XL',
  'Women’s M',
  'X',
  '2L',
  '0XL',
  'XM',
  '2XXL',
  'y',
  'Tall XL',
])('the size "%s", which is not known, stays as it was typed', size => {
  expect(readSize(size)).toBe(size);
  expect(isSize(size)).toBe(false);
});

it('a size that was read is read the same again, and any text ends', () => {
  const part = fc.constantFrom(
    'x',
    'X',
    'extra',
    'y',
    'youth',
    'l',
    'large',
    'm',
    's',
    '2',
    '-',
    ' ',
    '(',
    ')',
    'ü',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 12 }).map(parts => parts.join('')),
  );
  fc.assert(fc.property(text, size => readSize(readSize(size)) === readSize(size)));
  expect(readSize(' '.repeat(100_000))).toBe('');
  expect(readSize('x '.repeat(100_000))).toHaveLength(199_999);
});

it('sizes are in their order, youth first, and those that are not known last', () => {
  const all: [string, number][] = [...sizes, '2XS', '10XL', 'Custom', '10', '9'].map(size => [size, 1]);
  const order = 'YXS YS YM YL YXL 2XS XS S M L XL 2XL 3XL 4XL 5XL 10XL 9 10 Custom';
  expect(
    addSizes(all.toReversed())
      .map(([size]) => size)
      .join(' '),
  ).toBe(order);
});

it('sizes that are spelled in several ways are counted together', () => {
  expect(describeSizes([], { '2X': 2, XXL: 3, 'Youth M': 1, L: 0, Custom: 1 })).toBe(
    '1 × YM, 5 × 2XL, 1 × Custom',
  );
  expect(describeSizes([{ size: '' }], { LG: 1 })).toBe('1 × L');
  expect(describeSizes([{ size: 'LG' }, { size: '' }, { size: 'L' }], { S: 9 })).toBe(
    '2 × L, 1 without a size',
  );
});
