/** An offer as it is typed: its prices, its end, and the version of the quote that it is for. */
import type { Issue } from '../../../schema/database.ts';
import { divide, isExact, parseAmount, readAmounts, writeAmount } from '../amounts.ts';
import { localDay } from '../days.ts';
import { money, players, point } from '../format.ts';

/** Days that a new offer holds, unless it says otherwise. */
const usualDays = 30;

/** What an offer depends on, with the prices as text. */
interface Priced {
  roster_count: number | null;
  size_breakdown: Record<string, number> | null;
  unit_price: string | null;
  total_price: string | null;
  expires_at: string | null;
  updated_at: string | null;
  submitted_at: string | null;
}

export interface Typed {
  /** The prices, such as `41.50`; empty while what is typed is no amount, or not clear. */
  unit: string;
  total: string;
  /** The one that was typed; the other one follows from it. */
  lead: 'unit' | 'total';
  /** The letters that were typed; null when the price is not from the keyboard. */
  text: string | null;
  /** The last day of the offer, as `2026-11-24`; empty for none. */
  until: string;
  /** The times of the version that it is for. */
  basedOn: Pick<Priced, 'updated_at' | 'submitted_at'>;
  count: number;
}

/** Returns how many pieces are priced; 0 when the quote doesn't say. */
export const countOf = ({
  roster_count,
  size_breakdown,
}: Pick<Priced, 'roster_count' | 'size_breakdown'>): number =>
  roster_count || Object.values(size_breakdown ?? {}).reduce((sum, count) => sum + count, 0);

/** Returns what names the version of a quote, and its submission. */
export const timesOf = ({ updated_at, submitted_at }: Typed['basedOn']) => ({ updated_at, submitted_at });

/** Returns the last day of the offer that stands; undefined when it has none that is still ahead. */
export const lastDayOf = ({ expires_at }: Pick<Priced, 'expires_at'>): string | undefined =>
  expires_at !== null && Date.parse(expires_at) > Date.now() ? localDay(new Date(expires_at)) : undefined;

/** Returns what the form has while nothing is typed. */
export function valuesOf(quote: Priced, scale: number): Typed {
  const write = (price: string | null) => writeAmountIn(parseAmount(price ?? '', scale), scale);
  const usual = new Date();
  usual.setDate(usual.getDate() + usualDays);
  return {
    ...{ unit: write(quote.unit_price), total: write(quote.total_price), lead: 'unit', text: null },
    until: lastDayOf(quote) ?? localDay(usual),
    ...{ basedOn: timesOf(quote), count: countOf(quote) },
  };
}

const writeAmountIn = (amount: bigint | undefined, scale: number): string =>
  amount === undefined ? '' : writeAmount(amount, scale);

/** Returns the values after a price was typed. The other one follows, if it is clear what was typed. */
export function typePrice(previous: Typed, lead: Typed['lead'], text: string, scale: number): Typed {
  const { amounts, isClear } = readAmounts(text, scale);
  const price = isClear ? (amounts[0] ?? '') : '';
  return follow({ ...previous, lead, text, [lead]: price }, scale);
}

/** Returns the values with the other price in step with the leading one, and with the count. */
export function follow(values: Typed, scale: number): Typed {
  const { lead } = values;
  const pieces = values.count || 1;
  const amount = parseAmount(values[lead], scale);
  if (amount === undefined) {
    return values;
  }
  return lead === 'unit'
    ? { ...values, total: writeAmount(amount * BigInt(pieces), scale) }
    : { ...values, unit: writeAmount(divide(amount, pieces), scale) };
}

/** Returns the amounts to choose from when what was typed can be read in two ways. */
export function readingsOf({ lead, text, ...prices }: Typed, scale: number): string[] {
  return text !== null && prices[lead] === '' ? readAmounts(text, scale).amounts : [];
}

/** Says how the total comes about, and when it isn't the product. */
export function explain({ unit, total, count }: Typed, scale: number, currency: string): string {
  const [each, all] = [parseAmount(unit, scale), parseAmount(total, scale)];
  if (count === 0) {
    return 'No players are listed. Type either price: the other one is the same.';
  }
  if (each === undefined || all === undefined) {
    return `For ${players(count)}. Type either price: the other one follows.`;
  }
  const product = each * BigInt(count);
  const sum = `${count} × ${money(unit, currency)} = ${money(writeAmount(product, scale), currency)}`;
  return product === all ? sum : `${sum}. The total that is offered is ${money(total, currency)}.`;
}

/** Returns what is no amount, or not clear. The service checks the rest. */
export function check(values: Typed, scale: number): Issue[] {
  const example = writeAmount((4250n * 10n ** BigInt(scale)) / 100n, scale).replace('.', point);
  const expected =
    readingsOf(values, scale).length > 0
      ? 'Choose which amount you mean.'
      : `Write ${scale === 0 ? 'a whole amount' : 'an amount'} such as ${example}, of at most 15 digits.`;
  return Object.entries({ unit_price: values.unit, total_price: values.total })
    .filter(([, price]) => price === '' || !isExact(price))
    .map(([path, received]) => ({ path, expected, received, message: expected }));
}
