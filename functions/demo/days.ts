/** Days as date inputs have them, `2026-11-24`. */
import type { Issue } from '../../schema/database.ts';

/** Returns what is wrong with the year of a day: browsers take "26" as the year 0026. */
export function issuesOfYear(path: string, day: string): Issue[] {
  const message = 'Write the year with four digits.';
  return day !== '' && day < '1900' ? [{ path, message, expected: message, received: day }] : [];
}

/** Returns the day of a moment where the reader is. */
export const localDay = (value: Date): string =>
  [value.getFullYear(), value.getMonth() + 1, value.getDate()]
    .map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0'))
    .join('-');

/** Returns the last moment of a day where the reader is; null for no day. */
export function endOf(day: string): string | null {
  const end = new Date(`${day}T23:59:59.999`);
  // The service says what is wrong with a day that there is not.
  return day === '' ? null : Number.isNaN(end.getTime()) ? day : end.toISOString();
}

/** Returns the day of a date, also of one that is stored as noon or midnight in UTC; of another moment, its day where the reader is. */
export function dayOf(value: string): string {
  const text = value.length === 10 ? value : new Date(value).toISOString();
  return value.length === 10 || /T(?:00|12):00:00\.000Z$/.test(text)
    ? text.slice(0, 10)
    : localDay(new Date(value));
}

/** Returns the timestamp that stands for a day: noon in UTC, which is on that day nearly everywhere. Null for no day. */
export const noonOf = (day: string): string | null => (day === '' ? null : `${day}T12:00:00Z`);
