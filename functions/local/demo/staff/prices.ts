/** Amounts of money, exact: whole numbers of the smallest unit that is written. */

/** Digits of an amount, at most: JSON's numbers are exact up to here in every program. */
const mostDigits = 15;

/** Returns how many decimals a currency has: 2 for USD, 0 for JPY, 3 for KWD. */
const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** Returns the decimals to calculate with: those of the currency, or more if stored prices have more. */
export const scaleOf = (currency: string, ...prices: (string | null)[]): number =>
  Math.max(
    decimalsOf(currency),
    ...prices.map(price => price?.split('.')[1]?.replace(/0+$/, '').length ?? 0),
  );

/** Returns the amount in a text such as `41.5`; undefined if it isn't one, or has more decimals than the scale. */
export function parseAmount(text: string, scale: number): bigint | undefined {
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d*))?$/.exec(text.trim()) ?? [];
  const significant = decimals.replace(/0+$/, '');
  const isAmount = whole !== '' && significant.length <= scale && whole.length + scale <= mostDigits;
  return isAmount ? BigInt(whole + significant.padEnd(scale, '0')) : undefined;
}

/** Returns an amount as text, with all decimals of the scale: `41.50`. */
export function writeAmount(amount: bigint, scale: number): string {
  const digits = String(amount).padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Returns a total divided by a count, rounded to the smallest unit. */
export const divide = (total: bigint, count: number): bigint =>
  (total * 2n + BigInt(count)) / (BigInt(count) * 2n);
