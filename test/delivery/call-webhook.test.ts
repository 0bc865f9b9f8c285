/** What a webhook is sent of an event, and how long its receiver asks to wait. */
import { expect, it } from 'vitest';
import { retryAfterOf, webhookBody } from '../../functions/delivery/call-webhook.ts';
import { quotes } from '../../schema/quotes.ts';

const row = {
  ...{ id: 7, event: 'quote.quoted', created_at: '2026-11-24T00:00:00.123456+00:00' },
  quote_id: 'e0000000-0000-4000-8000-000000000002',
  quote_number: 'QT-2026-00002',
  account_id: 'c0000000-0000-4000-8000-000000000001',
  ...{ status: 'quoted', previous_status: 'submitted', fulfillment_status: null },
  updated_at: '2026-11-24T00:00:00.123456+00:00',
};

it('a webhook body has the type and time of its event and no price, note or contact of the quote', () => {
  const { event: type, created_at: timestamp, ...data } = row;
  const others = Object.keys(quotes.columns).filter(name => !(name in row));
  expect(others).toEqual(expect.arrayContaining(['total_price', 'internal_notes', 'contact_email']));
  const whole = { ...Object.fromEntries(others.map(name => [name, 'private'])), ...row };
  expect(JSON.parse(webhookBody(whole))).toEqual({ type, timestamp, data });
});

it.each<[text: string | undefined, seconds: number | undefined]>([
  [' 120 ', 120],
  ['86401', 86_400],
  ['Tue, 24 Nov 2026 00:02:00 GMT', 120],
  ['Wed, 25 Nov 2099 00:00:00 GMT', 86_400],
  ...[undefined, '', '0', '-5', '1.5', '1e3', '5 minutes', '120, 60', '2026-11-24T00:02:00Z'].map(
    (text): [string | undefined, undefined] => [text, undefined],
  ),
  ['Mon, 23 Nov 2026 00:00:00 GMT', undefined],
])('Retry-After %j is a wait of %j s, at most a day', (text, seconds) => {
  const headers = new Headers(text === undefined ? {} : { 'retry-after': text });
  expect(retryAfterOf(headers, Date.parse('2026-11-24T00:00:00.500Z'))).toBe(seconds);
});
