/** Amounts of money, exact: decimal text such as `41.50`, calculated as whole numbers of the smallest unit that is written. */
import { withPlainDigits } from './text.ts';

/** Whether a JSON number is exactly this amount in every program: 15 digits are. */
export const isExact = (amount: string): boolean => amount.replaceAll(/^[0.]+|\./g, '').length <= 15;

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
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  const significant = decimals.replace(/0+$/, '');
  const isAmount = whole !== '' && significant.length <= scale;
  return isAmount ? BigInt(whole + significant.padEnd(scale, '0')) : undefined;
}

/** Returns an amount as text, with all decimals of the scale: `41.50`. */
export function writeAmount(amount: bigint, scale: number): string {
  const digits = String(amount).padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Digits in groups, the way of `1.234.567`, of `1 234`, and of India's `12,34,567`. */
const grouped = /^[1-9]\d{0,2}([.,'’٬ ])\d{3}(?:\1\d{3})*(?=$|[.,٫])|^[1-9]\d?(,)(?:\d{2},)+\d{3}(?=$|\.)/;

/**
 * Returns the amounts that a person may mean by a text, of any country's way to write them: none if it is no amount, and
 * two for `1.500`, which is 1500 in Berlin and 1.5 in Boston. `isClear` is false where another country's reader may err.
 */
export function readAmounts(text: string, scale: number): { amounts: string[]; isClear: boolean } {
  const typed = withPlainDigits(text).trim();
  const [groups = '', separator = ','] = grouped.exec(typed) ?? [];
  const rest = typed.slice(groups.length);
  const isGrouped = groups !== '' && !rest.startsWith(separator);
  const plain = isGrouped ? [groups.replaceAll(/\D/g, '') + rest.replace(/[,٫]/, '.')] : [];
  const amounts = [...plain, typed.replace(/[,٫]/, '.')]
    .map(number => parseAmount(number, scale))
    .filter(amount => amount !== undefined)
    .map(amount => writeAmount(amount, scale));
  return { amounts, isClear: scale === 0 || !/^[1-9]\d{0,2}[.,]\d{3}$/.test(typed) };
}

/** Returns a total divided by a count, rounded to the smallest unit. */
export const divide = (total: bigint, count: number): bigint =>
  (total * 2n + BigInt(count)) / (BigInt(count) * 2n);

/** Returns the most decimals that one of the amounts has. */
const commonScale = (...amounts: string[]): number =>
  Math.max(...amounts.map(amount => amount.split('.')[1]?.length ?? 0));

/** Whether a total is so many times the price of a piece. */
export function isProduct(total: string, unit: string, count: number): boolean {
  const scale = commonScale(total, unit);
  return parseAmount(total, scale) === (parseAmount(unit, scale) ?? 0n) * BigInt(count);
}
