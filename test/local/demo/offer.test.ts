import { describe, expect, it } from 'vitest';
import { changeOffer } from '../../../functions/local/demo/staff/offer.ts';
import { parseAmount, scaleOf, writeAmount } from '../../../functions/local/demo/staff/prices.ts';

const offer = {
  unit: '58.00',
  total: '550.00',
  lead: 'unit',
  until: '2026-12-24',
  basedOn: null,
  count: 10,
} as const;
const pricesOf = (change: object, scale = 2) => {
  const { unit, total } = changeOffer(offer, change, scale);
  return [unit, total];
};

describe('an offer', () => {
  it.each([
    ['a total that is not divided evenly', { total: '0.25', lead: 'total' }, ['0.03', '0.25']],
    ['a count', { count: 3 }, ['58.00', '174.00']],
    ['an end, and nothing else', { until: '2027-01-01' }, ['58.00', '550.00']],
    ['no price', { unit: 'ten', lead: 'unit' }, ['ten', '550.00']],
  ])('with %s has the other price in step', (_, change, prices) => {
    expect(pricesOf(change)).toEqual(prices);
  });

  it('calculates with what floating point can not add up', () => {
    expect(pricesOf({ unit: '1234567890123.45', lead: 'unit', count: 3 })).toEqual([
      '1234567890123.45',
      '3703703670370.35',
    ]);
  });
});

it.each([
  [' 7. ', 2, 700n],
  ['0.10500', 3, 105n],
  ['12', 0, 12n],
  ['12.5', 0, undefined],
  ['-1', 2, undefined],
  ['1e3', 2, undefined],
  ['', 2, undefined],
  ['12345678901234', 2, undefined],
])('“%s” with %i decimals is %s of the smallest unit', (text, scale, amount) => {
  expect(parseAmount(text, scale)).toBe(amount);
});

it('amounts are written with the decimals of their currency, or more if stored prices have them', () => {
  expect(['USD', 'JPY', 'KWD'].map(currency => scaleOf(currency))).toEqual([2, 0, 3]);
  expect(scaleOf('USD', '0.1250', null)).toBe(3);
  expect([writeAmount(5n, 2), writeAmount(5n, 0), writeAmount(12_345n, 3)]).toEqual(['0.05', '5', '12.345']);
});
