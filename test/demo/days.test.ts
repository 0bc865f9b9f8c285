import { afterAll, describe, expect, it } from 'vitest';
import { dayOf, endOf, localDay, noonOf } from '../../functions/demo/days.ts';
import { day } from '../../functions/demo/format.ts';

const zone = process.env['TZ'];
afterAll(() => {
  process.env['TZ'] = zone;
});
const days = Array.from({ length: 800 }, (_, n) =>
  new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10),
);

describe.each(['America/Los_Angeles', 'Asia/Tokyo', 'Africa/Cairo'])('in %s', TZ => {
  it('every day is stored and read as the same day, however often', () => {
    process.env['TZ'] = TZ;
    for (const one of days) {
      expect(dayOf(noonOf(dayOf(noonOf(one) ?? '')) ?? '')).toBe(one);
    }
  });

  it('an offer that ends with a day ends on that day', () => {
    process.env['TZ'] = TZ;
    expect(days.map(one => localDay(new Date(endOf(one) ?? '')))).toEqual(days);
  });

  it('a stored day is shown as the day that was typed', () => {
    process.env['TZ'] = TZ;
    expect([day('2026-12-06'), day('2026-12-06T12:00:00+00:00')]).toEqual(['Dec 6, 2026', 'Dec 6, 2026']);
  });
});
