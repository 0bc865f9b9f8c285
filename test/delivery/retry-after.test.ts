import { expect, it } from 'vitest';
import { retryAfterOf } from '../../functions/delivery/call-webhook.ts';

const now = Date.parse('2026-11-24T00:00:00.500Z');
const secondsOf = (text?: string) =>
  retryAfterOf(new Headers(text === undefined ? {} : { 'retry-after': text }), now);

it.each([
  ['120', 120],
  [' 120 ', 120],
  ['86400', 86_400],
  ['86401', 86_400],
  ['9'.repeat(400), 86_400],
  ['Tue, 24 Nov 2026 00:02:00 GMT', 120],
  ['Wed, 25 Nov 2099 00:00:00 GMT', 86_400],
])('%j is a wait of %i s', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

it.each([
  undefined,
  '',
  '0',
  '-5',
  '1.5',
  '1e3',
  '0x10',
  '5 minutes',
  '120, 60',
  'Mon, 23 Nov 2026 00:00:00 GMT',
  'Tue, 99 Nov 2026 00:02:00 GMT',
  'Xxx, 24 Xxx 2026 00:02:00 GMT',
  '2026-11-24T00:02:00Z',
  'Tuesday, 24-Nov-26 00:02:00 GMT',
])('%j asks for no wait', text => {
  expect(secondsOf(text)).toBeUndefined();
});
