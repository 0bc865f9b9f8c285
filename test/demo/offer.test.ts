import { describe, expect, it } from 'vitest';
import { isProduct, parseAmount, readAmounts, scaleOf, writeAmount } from '../../functions/demo/amounts.ts';
import { follow, readingsOf, typePrice, valuesOf } from '../../functions/demo/staff/offer.ts';

const quote = {
  roster_count: 10,
  size_breakdown: null,
  unit_price: '58',
  total_price: '550',
  updated_at: null,
  submitted_at: null,
};
const offer = valuesOf({ ...quote, expires_at: null }, 2);

describe('an offer', () => {
  it('has the prices of its quote, with the decimals of the currency', () => {
    expect([offer.unit, offer.total]).toEqual(['58.00', '550.00']);
  });

  it.each([
    ['each of a total that is not divided evenly', 'total', '0.25', ['0.03', '0.25']],
    ['the total of a price with a comma', 'unit', '41,5', ['41.50', '415.00']],
    ['neither price of what is no amount', 'unit', 'ten', ['', '550.00']],
    ['neither price of what reads two ways', 'total', '1.500', ['58.00', '']],
  ] as const)('calculates %s', (_, lead, text, prices) => {
    const { unit, total } = typePrice(offer, lead, text, 2);
    expect([unit, total]).toEqual(prices);
  });

  it('calculates with what floating point can not add up', () => {
    const { total } = follow({ ...offer, unit: '1234567890123.45', count: 3 }, 2);
    expect(total).toBe('3703703670370.35');
  });

  it.each([
    ['1.500', 2, ['1500.00', '1.50']],
    ['1.505', 2, ['1505.00']],
    ['1,315', 3, ['1315.000', '1.315']],
    ['1500', 2, []],
  ])('asks which amount “%s” with %i decimals is', (text, scale, readings) => {
    expect(readingsOf(typePrice(offer, 'unit', text, scale), scale)).toEqual(readings);
  });
});

it.each([
  ['0.10500', 3, '0.105'],
  ['41,5', 2, '41.50'],
  ['1.234,56', 2, '1234.56'],
  ['1 234,5', 2, '1234.50'],
  ['1’234.50', 2, '1234.50'],
  ['1.234.567', 2, '1234567.00'],
  ['٤١٫٥', 2, '41.50'],
  ['۱٬۵۰۰', 2, '1500.00'],
  ['१,२३,४५६.५', 2, '123456.50'],
  ['１２', 2, '12.00'],
  ['\u200f٤١٫٥٠\u00ad', 2, '41.50'],
])('“%s” with %i decimals is %s in any language', (text, scale, amount) => {
  expect(readAmounts(text, scale)).toEqual({ amounts: [amount], isClear: true });
});

it.each([
  ['12.5', 0],
  ['1,234,56', 2],
  ['-1', 2],
  ['1e3', 2],
])('“%s” with %i decimals is no amount', (text, scale) => {
  expect(readAmounts(text, scale).amounts).toEqual([]);
});

/** Amounts of every length, the same in each run. */
const amounts = Array.from({ length: 200 }, (_, n) => BigInt(n) ** BigInt(1 + (n % 6)) * 7n + BigInt(n));

describe.each([0, 2])('each amount with %i decimals', scale => {
  it('is the same after it was written and read', () => {
    expect(amounts.map(amount => parseAmount(writeAmount(amount, scale), scale))).toEqual(amounts);
  });

  it.each([
    'en-US',
    'de-DE',
    'fr-FR',
    'de-CH',
    'en-IN',
    'hi-IN-u-nu-deva',
    'ar-EG',
    'fa-IR',
    'bn-BD',
  ])('is read as it is written in %s', locale => {
    const format = new Intl.NumberFormat(locale, { minimumFractionDigits: scale });
    for (const amount of amounts) {
      const text = writeAmount(amount, scale);
      expect(readAmounts(format.format(text as `${number}`), scale).amounts).toContain(text);
    }
  });

  it('times a count is that product, and no other amount is', () => {
    for (const amount of amounts) {
      expect(isProduct(writeAmount(amount * 13n, scale), writeAmount(amount, scale), 13)).toBe(true);
      expect(isProduct(writeAmount(amount * 13n + 1n, scale), writeAmount(amount, scale), 13)).toBe(false);
    }
  });
});

it('amounts have the decimals of their currency, or more if stored prices have them', () => {
  expect(['USD', 'JPY', 'KWD'].map(currency => scaleOf(currency))).toEqual([2, 0, 3]);
  expect(scaleOf('USD', '0.1250', null)).toBe(3);
  expect([writeAmount(5n, 2), writeAmount(5n, 0), writeAmount(12_345n, 3)]).toEqual(['0.05', '5', '12.345']);
});
