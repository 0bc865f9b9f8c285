/** Times in the format of ISO 8601, as bodies have them. */

export const iso8601 =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?[0-5]\d(?::?[0-5]\d)?)?)?)?$/i;

/** The greatest offset from UTC that Postgres reads, in hours. */
const largestOffset = 15;

const firstMoment = new Date(0).setUTCFullYear(1, 0, 1);
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns the numbers of a text that matches the pattern. */
function numbersOf(text: string) {
  const [date = '', rest = ''] = [text.slice(0, 10), text.slice(11)];
  const [, clock = '', sign, offset = ''] = /^([\d:.]*)(?:Z|([+-])(.*))?$/i.exec(rest) ?? [];
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const [hour = 0, minute = 0, second = 0] = clock.split(':').map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = (offset.match(/\d\d/g) ?? []).map(Number);
  return {
    ...{ year, month, day, hour, minute, second },
    hasZone: rest.length > clock.length,
    offsetHours: hours,
    offsetSeconds: (sign === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds),
  };
}

/** Whether the date, the time of day and the offset of a text exist. */
export function isInCalendar(text: string): boolean {
  const { year, month, day, hour, minute, second, offsetHours } = numbersOf(text);
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
  const isClock = hour <= 23 || (hour === 24 && minute === 0 && second === 0);
  return isDay && isClock && minute <= 59 && second <= 60 && offsetHours <= largestOffset;
}

/**
 * Whether a time is within the years 1 to 9999 in UTC, once Postgres has rounded it to microseconds. One without an offset is
 * in the time zone that the request prefers, so it has to be within them in every zone.
 */
export function isWithinYears(text: string): boolean {
  const { year, month, day, hour, minute, second, hasZone, offsetSeconds } = numbersOf(text);
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  const microseconds = Math.round(second * 1e6);
  const time =
    midnight + ((hour * 60 + minute) * 60 - offsetSeconds) * 1000 + Math.floor(microseconds / 1000);
  const margin = hasZone ? 0 : (largestOffset + 1) * 3_600_000;
  return time - margin >= firstMoment && time + margin <= lastMoment;
}
