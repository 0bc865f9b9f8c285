import { expect, it } from 'vitest';
import { findTimeZone, isZoneName } from '../../functions/plan/time-zone.ts';

it.each([
  'UTC',
  'europe/berlin',
  'Asia/Calcutta',
  'EST5EDT',
  'Etc/GMT+5',
])('%s is a zone of the tz database', name => {
  expect(isZoneName(name)).toBe(true);
  expect(findTimeZone(name)).toBe(name);
});

it.each([
  ...['aaaa1', 'Nowhere/Land', 'UTC+5', '<aa>5', '', 'x', "'", 'Europe/Berlin1', 'a'.repeat(9999)],
])('%j is not a zone, although Postgres may read it as one', name => {
  expect(findTimeZone(name)).toBeUndefined();
});

it.each([
  ['+05:30', '5.5'],
  ['-0330', '-3.5'],
  ['+14', '14'],
  ['-8', '-8'],
  ['+00:00', '0'],
])('the offset %s is %s hours', (name, hours) => {
  expect(findTimeZone(name)).toBe(hours);
});

it.each(['+05:31', '+15', '14', '+1:2:3', '+14:15', '+5:300'])('%s is not a valid offset', name => {
  expect(findTimeZone(name)).toBeUndefined();
});
