/** Money, dates and numbers in the reader's language. */
import { isProduct } from './amounts.ts';
import { dayOf } from './days.ts';

/** Returns an amount, as text such as `41.5`, in a currency. It has further decimals where the text does. */
export const money = (amount: string, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 20 }).format(
    amount as `${number}`,
  );

/** The decimal separator of the reader's language, as far as it can be typed into a price. */
export const point = (1.5).toLocaleString().includes(',') ? ',' : '.';

/** Returns what a total is made of: "3 × $41.50"; "3 players, $33.33 each" where that is not exactly the total. */
export function makeup(count: number, unit: string, total: string, currency: string): string {
  const each = money(unit, currency);
  return count > 0 && isProduct(total, unit, count)
    ? `${count} × ${each}`
    : [count > 0 && players(count), `${each} each`].filter(Boolean).join(', ');
}

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const hours = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: 'numeric' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** Returns a day, which is the same in every time zone. */
export const day = (value: string): string => days.format(new Date(dayOf(value)));

/** Returns the day of a moment where the reader is. */
export const date = (value: string): string => dates.format(new Date(value));

/** Returns day and time of a timestamp. */
export const time = (value: string): string => times.format(new Date(value));

/** Returns the hour of a timestamp. */
export const hour = (value: string): string => hours.format(new Date(value));

/** Whether a moment is past, as far as this device's clock knows. */
export const hasEnded = (value: string | null): boolean => value !== null && Date.parse(value) <= Date.now();

/** Says until when an offer holds, or held. */
export const validity = (expires_at: string): string =>
  `${hasEnded(expires_at) ? 'it was valid' : 'valid'} until ${time(expires_at)}`;

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns how long ago a timestamp is, or how far ahead. */
export function ago(value: string, now = Date.now()): string {
  const distance = new Date(value).getTime() - now;
  for (const [unit, length] of units) {
    if (Math.abs(distance) >= length) {
      return relative.format(Math.round(distance / length), unit);
    }
  }
  return relative.format(0, 'second');
}

/** Returns a value such as `flag_football` in words. */
export const inWords = (value: string): string =>
  value.charAt(0).toUpperCase() + value.slice(1).replaceAll(/[_-]/g, ' ');

/** Returns a number of players, in words. */
export const players = (count: number): string => `${count} ${count === 1 ? 'player' : 'players'}`;
