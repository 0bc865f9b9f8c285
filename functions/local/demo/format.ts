/** Money, dates and numbers in the reader's language. */

/** Returns an amount in a currency, with further decimals where it has them. The service sends decimals as numbers or text. */
export const money = (amount: number | string, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 20 }).format(
    Number(amount),
  );

const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** Returns the day of a date. A date without a time is that day in every time zone. */
export const date = (value: string): string =>
  days.format(new Date(value.length === 10 ? `${value}T00:00` : value));

const closeDays = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** Returns the day of a date, without its year if it is less than 300 days from now. */
export function shortDate(value: string): string {
  const day = new Date(`${value}T00:00`);
  return Math.abs(day.getTime() - Date.now()) < 300 * 86_400_000 ? closeDays.format(day) : days.format(day);
}

/** Returns day and time of a timestamp. */
export const time = (value: string): string => times.format(new Date(value));

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

/** Returns a number of players, in words. */
export const players = (count: number): string => `${count} ${count === 1 ? 'player' : 'players'}`;
