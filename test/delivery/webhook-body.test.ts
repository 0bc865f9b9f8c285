import { expect, it } from 'vitest';
import { webhookBody, webhookId } from '../../functions/delivery/call-webhook.ts';
import { quotes } from '../../schema/quotes.ts';

const row = {
  id: 7,
  event: 'quote.quoted',
  created_at: '2026-11-24T00:00:00.123456+00:00',
  quote_id: 'e0000000-0000-4000-8000-000000000002',
  quote_number: 'QT-2026-00002',
  account_id: 'c0000000-0000-4000-8000-000000000001',
  status: 'quoted',
  previous_status: 'submitted',
  fulfillment_status: null,
  updated_at: '2026-11-24T00:00:00.123456+00:00',
};

const { event: type, created_at: timestamp, ...data } = row;

it('a body is the event’s type, its time and what it is about', () => {
  expect(JSON.parse(webhookBody(row))).toEqual({ type, timestamp, data });
});

it('a body tells nothing else, whatever a row has: no prices, notes or contacts', () => {
  const others = Object.keys(quotes.columns).filter(name => !(name in row));
  expect(others).toEqual(expect.arrayContaining(['total_price', 'internal_notes', 'contact_email']));
  const whole = { ...Object.fromEntries(others.map(name => [name, 'private'])), ...row };
  expect(webhookBody(whole)).toBe(webhookBody(row));
});

it('the id of a call is that of its event, and has no dot, which the signature is made with', () => {
  expect(webhookId(row)).toBe('evt_7');
  expect(webhookId({ id: row.quote_id })).toBe(`evt_${row.quote_id}`);
});
