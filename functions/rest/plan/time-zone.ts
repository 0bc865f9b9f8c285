/**
 * Checks names of time zones, so that only existing ones reach Postgres. Postgres accepts any text like `abc1` as a POSIX
 * time zone, and keeps every zone, some 15 KB each, until the connection closes.
 */

import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { memoize } from '../../common/memoize.ts';
import type { Preferences } from '../request/preferences.ts';

/** UTC offsets in quarters of an hour, east unless they begin with `-`. Few are possible, since each is a zone that Postgres keeps. */
const offset = /^([+-]?)(\d\d?)(?::?(00|15|30|45))?$/;

/** Returns the zone that a request prefers, UTC by default, in Postgres's spelling. */
export function planTimeZone({ timezone = 'UTC' }: Preferences): Result<string> {
  const zone = findTimeZone(timezone);
  return zone === undefined
    ? fail<Failure>({
        is: 'invalid value',
        of: 'a time zone',
        sqlstate: '22023',
        message: `invalid value for parameter "TimeZone": "${timezone}"`,
        hint: 'Use a name from the tz database, such as Europe/Berlin, or an offset from UTC in quarters of an hour, such as +05:30 for India.',
      })
    : ok(zone);
}

/** Returns the zone in Postgres's spelling; undefined for an unknown name. */
export function findTimeZone(name: string): string | undefined {
  const [, sign, hours = '', minutes = '0'] = offset.exec(name) ?? [];
  if (sign === undefined) {
    return isZoneName(name) ? name : undefined;
  }
  const total = Number(hours) + Number(minutes) / 60;
  return total <= 14 ? `${sign === '-' ? -total : total}` : undefined;
}

/** Whether the tz database has a zone of this name, in upper or lower case. */
export const isZoneName = memoize(name => {
  if (!/^[a-z][a-z0-9_+/-]{1,39}$/i.test(name)) {
    return false;
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
});
