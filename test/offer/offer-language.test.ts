/** The language of an offer's page, and how it writes amounts and times. */
import { expect, it } from 'vitest';
import { chooseLanguage, formatPrice, formatTime } from '../../functions/offer/offer-language.ts';

it.each([
  [undefined, '', 'en'],
  ['de-AT,en', '', 'de-AT'],
  ['fr, de;q=0.2, en-gb;q=0.9', '', 'en-GB'],
  ['de-Latn-CH', '', 'de-CH'],
  ['de;q=0, de;q=x, *', '', 'en'],
  [`${'fr,'.repeat(5000)}de`, '', 'en'],
  ['de', '?language=en-US', 'en-US'],
  ['de', '?language=fr', 'de'],
  ['de', '?language=en-%00', 'de'],
])('Accept-Language %s with %s chooses a language that Intl knows', (accepted, query, tag) => {
  const headers = new Headers(accepted === undefined ? {} : { 'accept-language': accepted });
  expect(chooseLanguage({ headers, url: `http://host.test/offer${query}` } as Request).tag).toBe(tag);
});

it('an amount has its currency and all of its decimals', () => {
  expect(formatPrice('en', 1234.5, 'USD')).toBe('$1,234.50');
  expect(formatPrice('de', 0.125, 'EUR')).toBe('0,125\u00a0€');
  expect(formatPrice('en', 1500, 'JPY')).toBe('¥1,500');
});

it('a time has the name of its zone, and is in UTC if the zone is unknown', () => {
  const time = '2026-07-01T10:00:00+00:00';
  expect(formatTime('de', time, 'America/New_York')).toBe('1. Juli 2026 um 06:00 (America/New York)');
  expect(formatTime('de', time, 'Mars/Olympus')).toBe('1. Juli 2026 um 10:00 (UTC)');
  expect(formatTime('de', 'infinity', 'UTC')).toBeUndefined();
});
