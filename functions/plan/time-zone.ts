/**
 * Which time zones may be named. Postgres takes any text of the form `abc1` for a zone of its own rules, and keeps each
 * it has met for as long as the connection lives, some 15 KB: only zones that exist reach it.
 */

/** Offsets that clocks somewhere have, in quarters of an hour: each is a zone that Postgres keeps. */
const offset = /^([+-])(\d\d?)(?::?(00|15|30|45))?$/;

/** The zone as Postgres takes it, or nothing when there is none of the name. */
export function findTimeZone(name: string): string | undefined {
  const [, sign, hours = '', minutes = '0'] = offset.exec(name) ?? [];
  if (sign === undefined) {
    return isZoneName(name) ? name : undefined;
  }
  const total = Number(hours) + Number(minutes) / 60;
  return total <= 14 ? `${sign === '-' ? -total : total}` : undefined;
}

const known = new Set<string>();

/** As the tz database names it, in any case; abbreviations that it has no zone for are none. */
export function isZoneName(name: string): boolean {
  const key = name.toLowerCase();
  if (known.has(key)) {
    return true;
  }
  if (!/^[a-z][a-z0-9_+/-]{1,39}$/.test(key)) {
    return false;
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    known.add(key);
    return true;
  } catch {
    return false;
  }
}
