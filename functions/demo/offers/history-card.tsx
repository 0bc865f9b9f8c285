/** What has happened to a quote, and when. */
import { useState } from 'react';
import { money } from '../format.ts';
import type { Client } from '../supabase.ts';
import { Time } from '../ui/pieces.tsx';
import type { History, OfferRow } from './history.ts';
import { OffersDialog } from './offers.tsx';

const names: Record<string, string> = {
  'quote.draft': 'Taken back to change it',
  'quote.submitted': 'Submitted',
  'quote.quoted': 'Priced',
  'quote.repriced': 'Price changed',
  'quote.changed': 'Changed',
  'quote.amended': 'Order changed',
  'quote.corrected': 'Corrected',
  'quote.end_changed': 'Offered until another day',
  'quote.delivery_changed': 'Delivery date changed',
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

/** Returns what happened, in words. */
const nameOfEvent = (event: string): string => names[event] ?? event;

type Event = History['quote_events'][number];

interface HistoryCardProps {
  client: Client;
  history: History;
}

/** Shows the events of a quote, if there are any, with its offers. */
export function HistoryCard({
  client,
  history: { quote_events: events, quote_offers: offers },
}: HistoryCardProps) {
  const [compared, compare] = useState<number>();
  const opened = offers.findIndex(({ number }) => number === compared);
  const [after, before] = opened < 0 ? [] : offers.slice(opened);
  if (events.length === 0) {
    return null;
  }
  return (
    <section className="card" aria-labelledby="history">
      <h3 id="history">History</h3>
      <ol className="history">
        {events.map((event, index) => (
          <Line
            key={event.id}
            {...event}
            name={
              isOffered(event, events[index + 1]) &&
              nameOf(offers.find(({ number }) => number === event.offer))
            }
            isAnother={event.event === 'quote.submitted' && offers.some(isBefore(event))}
            onOpen={compare}
          />
        ))}
      </ol>
      {after && <OffersDialog {...{ client, after, before }} onClose={() => compare(undefined)} />}
    </section>
  );
}

/** Returns the name of an offer: "Offer 2 · $597.00". */
const nameOf = (offer?: OfferRow): string | undefined =>
  offer &&
  [`Offer ${offer.number}`, offer.total_price && money(offer.total_price, offer.currency)]
    .filter(Boolean)
    .join(' · ');

/** Whether an event is about its offer: it was made, sent or approved. */
const isOffered = ({ event, offer }: Event, before?: Event): boolean =>
  event === 'quote.quoted' || event === 'quote.approved' || offer !== before?.offer;

const isBefore =
  ({ created_at }: Event) =>
  (offer: OfferRow): boolean =>
    offer.created_at < created_at;

interface LineProps extends Event {
  name: string | false | undefined;
  /** Whether it asks for a price although there was one. */
  isAnother: boolean;
  onOpen: (offer: number) => void;
}

const Line = ({ event, offer, name, isAnother, created_at, created_as, signer, said, onOpen }: LineProps) => (
  <li>
    <strong>{isAnother ? 'Asked for another price' : nameOfEvent(event)}</strong>{' '}
    {name && offer !== null && (
      <button type="button" className="link" onClick={() => onOpen(offer)}>
        {name}
      </button>
    )}
    {said && <blockquote className="keep-lines">{said}</blockquote>}
    <small>
      {signer === null ? actors[created_as] : `by ${signer}, by a link`}, <Time value={created_at} />
    </small>
  </li>
);
