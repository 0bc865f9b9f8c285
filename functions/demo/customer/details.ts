/** The fields of a quote beside its design: who asks, for when, and where to. Each by the path that the service names it by. */
import type { Issue } from '../../../schema/database.ts';
import { localDay } from '../days.ts';
import { fieldsOf, wordOf } from '../jersey/design.ts';
import { type History, historyColumns, readWithHistory, termColumns } from '../offers/history.ts';
import type { Client } from '../supabase.ts';

export const columns =
  `id, account_id, quote_number, status, fulfillment_status, customer_notes, submitted_at, quoted_at, approved_at, expires_at, estimated_delivery_at, updated_at, contact_name, contact_email, contact_phone, company, shipping_address, event_date, delivery_method, ${termColumns}` as const;

export const readQuote = (client: Client, id: string) =>
  readWithHistory(() => client.from('quotes').select(`${columns}, ${historyColumns}`).eq('id', id));

export type Quote = Omit<NonNullable<Awaited<ReturnType<typeof readQuote>>['data']>[number], keyof History>;

const texts = [
  'contact_name',
  'contact_email',
  'contact_phone',
  'company',
  'delivery_method',
  'customer_notes',
] as const;
const address = ['street', 'city', 'state', 'zip', 'country'] as const;

export type DetailName =
  | (typeof texts)[number]
  | `shipping_address.${(typeof address)[number]}`
  | 'sport'
  | 'event_date';

/** What is in the fields, as text. */
export type Details = Record<DetailName, string>;

/** Returns the fields of a quote; of one that isn't saved yet, empty ones. */
export function detailsOf(quote?: Quote): Details {
  const shipping = fieldsOf(quote?.shipping_address);
  return {
    ...(Object.fromEntries([
      ...texts.map(name => [name, quote?.[name] ?? '']),
      ...address.map(name => [`shipping_address.${name}`, wordOf(shipping[name])]),
    ]) as Details),
    sport: quote?.sport ?? 'baseball',
    event_date: quote?.event_date ?? '',
  };
}

/** Returns the columns that stay the customer's when a quote is submitted. */
export function contactColumns(details: Details) {
  const shipping = Object.fromEntries(
    address.map(name => [name, details[`shipping_address.${name}`] || null]),
  );
  const method = details.delivery_method as 'standard' | 'express' | 'pickup' | '';
  return {
    contact_name: details.contact_name || null,
    contact_email: details.contact_email || null,
    contact_phone: details.contact_phone || null,
    company: details.company || null,
    customer_notes: details.customer_notes || null,
    delivery_method: method || null,
    shipping_address: Object.values(shipping).some(Boolean) ? shipping : null,
  };
}

/** Returns what is missing of the address that an order is sent to. */
export const missingAddress = (details: Details): Issue[] =>
  (['street', 'city'] as const)
    .filter(name => details.delivery_method !== 'pickup' && !details[`shipping_address.${name}`].trim())
    .map(name => missing(`shipping_address.${name}`, `Write the ${name}, or choose to pick the order up.`));

/** Returns an issue of the page itself. */
export const missing = (path: string, message: string): Issue => ({
  ...{ path, message, expected: message, received: '' },
});

/** Returns all columns of the fields, for a quote that is a draft. */
export const detailColumns = (details: Details) => ({
  ...contactColumns(details),
  sport: details.sport,
  event_date: details.event_date || null,
});

/** Returns the notes with another one above them, under its date. */
export const addNote = (note: string, notes: string): string =>
  note.trim() === ''
    ? notes
    : [`${localDay(new Date())}: ${note.trim()}`, notes].filter(Boolean).join('\n\n');
