/** An offer as it is typed: its prices, its end, and the version of the quote that it is for. */
import type { Issue } from '../../../../schema/database.ts';
import { money, players } from '../format.ts';
import { dayOf } from './days.ts';
import { divide, parseAmount, writeAmount } from './prices.ts';

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
}

export interface Typed {
  unit: string;
  total: string;
  /** The one that was typed; the other one follows from it. */
  lead: 'unit' | 'total';
  /** The last day of the offer, as `2026-11-24`; empty for none. */
  until: string;
  basedOn: string | null;
  count: number;
}

/** Returns how many pieces are priced; 0 when the quote doesn't say. */
export const countOf = ({
  roster_count,
  size_breakdown,
}: Pick<Priced, 'roster_count' | 'size_breakdown'>): number =>
  roster_count || Object.values(size_breakdown ?? {}).reduce((sum, count) => sum + count, 0);

/** Returns what the form has while nothing is typed. */
export function valuesOf(quote: Priced, scale: number): Typed {
  const { unit_price, total_price, expires_at, updated_at } = quote;
  const write = (price: string | null) => {
    const amount = parseAmount(price ?? '', scale);
    return amount === undefined ? (price ?? '') : writeAmount(amount, scale);
  };
  const isAhead = expires_at !== null && new Date(expires_at).getTime() > Date.now();
  const last = isAhead ? new Date(expires_at) : new Date();
  if (!isAhead) {
    last.setDate(last.getDate() + usualDays);
  }
  return {
    ...{ unit: write(unit_price), total: write(total_price), lead: 'unit', until: dayOf(last) },
    ...{ basedOn: updated_at, count: countOf(quote) },
  };
}

/** Returns the values after a change. Of a new price or count, the price that wasn't typed follows. */
export function changeOffer(previous: Typed, change: Partial<Typed>, scale: number): Typed {
  const values = { ...previous, ...change };
  const { lead } = values;
  const pieces = values.count || 1;
  const amount = parseAmount(values[lead], scale);
  const isPriced = change.lead !== undefined || values.count !== previous.count;
  if (!isPriced || amount === undefined) {
    return values;
  }
  return lead === 'unit'
    ? { ...values, total: writeAmount(amount * BigInt(pieces), scale) }
    : { ...values, unit: writeAmount(divide(amount, pieces), scale) };
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

/** Returns what is no amount. The service checks the rest. */
export function check({ unit, total }: Typed, scale: number): Issue[] {
  const expected =
    scale === 0
      ? 'a whole amount such as 42'
      : `an amount such as ${writeAmount((4250n * 10n ** BigInt(scale)) / 100n, scale)}`;
  return Object.entries({ unit_price: unit, total_price: total })
    .filter(([, text]) => parseAmount(text, scale) === undefined)
    .map(([path, received]) => ({ path, expected, received, message: `Write ${expected}.` }));
}
