/** What has happened to a quote, and when. */
import { useCallback, useState } from 'react';
import { money } from '../format.ts';
import { OffersDialog } from '../offers/offers.tsx';
import type { Client } from '../supabase.ts';
import { useLive } from '../use-live.ts';
import { Notice, Skeleton, Time } from './pieces.tsx';

const names: Record<string, string> = {
  'quote.draft': 'Taken back to change it',
  'quote.submitted': 'Submitted',
  'quote.quoted': 'Priced',
  'quote.repriced': 'Price changed',
  'quote.changed': 'Changed',
  'quote.amended': 'Order changed',
  'quote.approved': 'Approved',
  'quote.rejected': 'Rejected',
  'quote.expiring': 'The offer ends soon',
  'quote.expired': 'Expired',
  'quote.cancelled': 'Cancelled',
  'quote.ordered': 'Ordered',
  'quote.reviewing': 'In review',
  'quote.preparing': 'In production',
  'quote.shipping': 'Shipped',
  'quote.delivered': 'Delivered',
  'quote.deleted': 'Deleted',
  'quote.restored': 'Restored',
};

const actors = {
  customer: 'by the customer',
  staff: 'by the staff',
  service: 'by a connected system',
  sweep: 'automatically',
} as const;
const offered = ['quoted', 'rejected', 'expired'];

/** Returns what happened, in words. */
const nameOfEvent = (event: string): string => names[event] ?? event;

/** Returns the events of a quote, kept up to date, the newest first. */
export function useEvents(client: Client, quoteId: string) {
  const read = useCallback(
    () =>
      client
        .from('quote_events')
        .select('id, event, previous_status, total_price::text, currency, offer, created_at, created_as')
        .eq('quote_id', quoteId)
        .order('id', { ascending: false })
        .limit(100),
    [client, quoteId],
  );
  return useLive(client, 'quote_events', read, { filter: `quote_id=eq.${quoteId}` });
}

type Event = NonNullable<ReturnType<typeof useEvents>['data']>[number];

/** Returns the names of the offers that the events mention, the newest first: "Offer 2 · $597.00". */
const nameOffers = (events: Event[]): Map<number, string> =>
  new Map(
    events
      .filter(({ offer }) => offer !== null)
      .map(({ offer, total_price, currency }) => [
        Number(offer),
        [`Offer ${offer}`, total_price && money(total_price, currency)].filter(Boolean).join(' · '),
      ]),
  );

interface HistoryProps {
  client: Client;
  quoteId: string;
}

/** Shows the events of a quote, if there are any, with its offers. */
export function History({ client, quoteId }: HistoryProps) {
  const { data: events, error } = useEvents(client, quoteId);
  const [compared, compare] = useState<[before: number, after: number]>();
  const names = nameOffers(events ?? []);
  if (events?.length === 0) {
    return null;
  }
  return (
    <section className="card" aria-labelledby="history">
      <h3 id="history">History</h3>
      {!events && !error && <Skeleton />}
      {!events && error && <Notice kind="warning">The history can’t be read at the moment.</Notice>}
      <ol className="history">
        {events?.map((event, index) => (
          <Line
            key={event.id}
            {...event}
            name={isOffered(event, events[index + 1]) && names.get(event.offer ?? 0)}
            onOpen={offer => compare([[...names.keys()].find(other => other < offer) ?? 0, offer])}
          />
        ))}
      </ol>
      {compared && (
        <OffersDialog {...{ client, quoteId }} numbers={compared} onClose={() => compare(undefined)} />
      )}
    </section>
  );
}

/** Whether an event is about its offer: it was made, sent or approved. */
const isOffered = ({ event, offer }: Event, before?: Event): boolean =>
  event === 'quote.quoted' || event === 'quote.approved' || offer !== before?.offer;

type LineProps = Event & { name: string | false | undefined; onOpen: (offer: number) => void };

const Line = ({ event, previous_status, offer, name, created_at, created_as, onOpen }: LineProps) => (
  <li>
    <strong>
      {event === 'quote.submitted' && offered.includes(previous_status ?? '')
        ? 'Asked for another price'
        : nameOfEvent(event)}
    </strong>{' '}
    {name && offer !== null && (
      <button type="button" className="link" onClick={() => onOpen(offer)}>
        {name}
      </button>
    )}
    <small>
      {actors[created_as]}, <Time value={created_at} />
    </small>
  </li>
);
