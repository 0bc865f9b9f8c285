/** What the desk reads and writes. */
import type { Database } from '../../../schema/database.ts';
import { fieldsOf, wordOf } from '../jersey/design.ts';
import { historyColumns, readWithHistory, termColumns } from '../offers/history.ts';
import type { Client } from '../supabase.ts';
import type { Place } from './place.ts';
import { nameOfState, type StateName, stateOf } from './states.ts';

export const pageSize = 25;

/** Of `customization`, which may have a megabyte, the parts that are shown. */
const listed =
  'id, quote_number, status, fulfillment_status, sport, jersey:customization->jersey, team:customization->team, colors, company, contact_name, contact_email, roster_count, rush_order, event_date, submitted_at, quoted_at, approved_at, created_at, updated_at, deleted_at, total_price::text, currency' as const;

const opened =
  `id, account_id, quote_number, status, fulfillment_status, customer_notes, internal_notes, submitted_at, quoted_at, approved_at, expires_at, deleted_at, estimated_delivery_at, updated_at, contact_name, contact_email, contact_phone, company, shipping_address, event_date, delivery_method, ${termColumns}` as const;

/** What a search looks through. */
const searched = [
  ...['quote_number', 'company', 'contact_name', 'contact_email', 'sport'],
  ...['customization->jersey->>text', 'customization->>team'],
];

/** What limits the queue beside the state. */
type Filter = Pick<Place, 'q' | 'rush'>;

interface Filterable {
  filter(column: string, operator: string, value: unknown): this;
  or(filters: string): this;
}

/** Returns the value of `or` that finds a text anywhere in a quote's names. */
function searchFilter(text: string): string {
  // In a pattern of `ilike`, %, _ and \ are special, and PostgREST takes * for %: a star is searched for as any character.
  const pattern = text.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '_');
  // Inside of quotes, commas and parentheses are text, and \ and " are escaped once more.
  const quoted = `"%${pattern.replaceAll(/[\\"]/g, '\\$&')}%"`;
  return searched.map(column => `${column}.ilike.${quoted}`).join(',');
}

/** Limits a query to what the filters of a place leave. */
function narrow<Q extends Filterable>(query: Q, { q, rush }: Filter): Q {
  const text = q.trim();
  const found = text === '' ? query : query.or(searchFilter(text));
  return rush ? found.filter('rush_order', 'is', true) : found;
}

/** Limits a query to a state. Only a filter on `deleted_at` finds deleted quotes. */
function inState<Q extends Filterable>(query: Q, name: StateName): Q {
  const { status, fulfillment } = stateOf(name);
  if (name === 'deleted') {
    return query.filter('deleted_at', 'not.is', null);
  }
  const found = status === undefined ? query : query.filter('status', 'eq', status);
  return fulfillment === undefined
    ? found
    : found.filter('fulfillment_status', fulfillment === null ? 'is' : 'eq', fulfillment);
}

/** Reads a page of the queue, and how many quotes there are on all pages. */
export async function readQueue(client: Client, place: Place) {
  const { order, newestFirst = false } = stateOf(place.state);
  const first = (place.page - 1) * pageSize;
  const all = client.from('quotes').select(listed, { count: 'exact' });
  const { data, count, error } = await inState(narrow(all, place), place.state)
    // As the indexes are ordered.
    .order(order, { ascending: !newestFirst, nullsFirst: newestFirst })
    .order('id')
    .range(first, first + pageSize - 1);
  // Quotes have left the queue, and this page is behind its end.
  const isBehindEnd = error?.code === 'PGRST103';
  return { data: { rows: data ?? [], total: count, place }, error: isBehindEnd ? null : error };
}

export type Listed = Awaited<ReturnType<typeof readQueue>>['data']['rows'][number];

/** Reads how many quotes are in each state, of those that the filters leave. */
export async function readCounts(client: Client, filter: Filter) {
  const [grouped, deleted] = await Promise.all([
    narrow(client.from('quotes').select('status, fulfillment_status, count()'), filter),
    inState(narrow(client.from('quotes').select('id', { count: 'exact', head: true }), filter), 'deleted'),
  ]);
  const rows = grouped.data ?? [];
  const counts: Partial<Record<StateName, number>> = {
    all: rows.reduce((sum, { count }) => sum + count, 0),
    deleted: deleted.count ?? 0,
  };
  for (const { count, ...quote } of rows) {
    const name = nameOfState(quote);
    if (name) {
      counts[name] = count;
    }
  }
  return { data: counts, error: grouped.error ?? deleted.error };
}

const deletedOrNot = 'deleted_at.is.null,deleted_at.not.is.null';

/** Reads a quote, also a deleted one. */
export const readQuote = (client: Client, id: string) =>
  readWithHistory(() =>
    client.from('quotes').select(`${opened}, ${historyColumns}`).eq('id', id).or(deletedOrNot),
  );

export type Opened = NonNullable<Awaited<ReturnType<typeof readQuote>>['data']>[number];

export type Change = Database['public']['Tables']['quotes']['Update'];

/** Returns where an order goes, as one line; empty for nowhere. Other applications may have stored anything. */
export function addressOf({ shipping_address }: Opened): string {
  const [street, city, state, zip, country] = ['street', 'city', 'state', 'zip', 'country'].map(key =>
    wordOf(fieldsOf(shipping_address)[key]),
  );
  return [street, [city, state, zip].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
}

/** Changes a quote if it is still the version that was read, also a deleted one. Otherwise the error is `PGRST116`. */
export const changeQuote = (client: Client, id: string, updated_at: string | null, change: Change) =>
  client
    .from('quotes')
    .update(change)
    .match({ id, updated_at })
    .or(deletedOrNot)
    .select('updated_at, total_price::text, currency')
    .single();

/** Prices a quote as it was read: its times are those that were read, and the service refuses others. */
export const priceQuote = (
  client: Client,
  id: string,
  read: Pick<Change, 'updated_at' | 'submitted_at'>,
  offer: Change,
) =>
  client
    .from('quotes')
    .update({ ...offer, ...read })
    .eq('id', id)
    .select('updated_at, total_price::text, currency')
    .single();

/** Called after a change, with what was done and the quote's new version. */
export type OnDone = (done: { message: string; version: string | null }) => void;
