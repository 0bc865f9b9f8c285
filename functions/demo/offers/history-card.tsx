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

type Event = History['quote_events'][number];

interface HistoryCardProps {
  client: Client;
  history: History;
}

/** Shows the events of a quote, if there are any, with its offers. */
export function HistoryCard({ client, history }: HistoryCardProps) {
  const { quote_events: events, quote_offers: offers } = history;
  const [opened, open] = useState<OfferRow>();
  const before = opened && offers[offers.findIndex(({ number }) => number === opened.number) + 1];
  if (events.length === 0) {
    return null;
  }
  return (
    <section className="card" aria-labelledby="history">
      <h3 id="history">History</h3>
      <ol className="history">
        {events.map((event, index) => {
          const { id, signer, said, created_as, created_at } = event;
          const isNews = isOffered(event, events[index + 1]);
          const offer = isNews ? offers.find(({ number }) => number === event.offer) : undefined;
          return (
            <li key={id}>
              <strong>{nameOf(event, offers)}</strong>{' '}
              {offer && (
                <button type="button" className="link" onClick={() => open(offer)}>
                  {[`Offer ${offer.number}`, offer.total_price && money(offer.total_price, offer.currency)]
                    .filter(Boolean)
                    .join(' · ')}
                </button>
              )}
              {said && <blockquote className="keep-lines">{said}</blockquote>}
              <small>
                {signer === null ? actors[created_as] : `by ${signer}, by a link`},{' '}
                <Time value={created_at} />
              </small>
            </li>
          );
        })}
      </ol>
      {opened && <OffersDialog {...{ client, before }} after={opened} onClose={() => open(undefined)} />}
    </section>
  );
}

/** Returns what happened, in words. */
const nameOf = ({ event, created_at }: Event, offers: OfferRow[]): string =>
  event === 'quote.submitted' && offers.some(offer => offer.created_at < created_at)
    ? 'Asked for another price'
    : (names[event] ?? event);

/** Whether an event is about its offer: it was made, sent or approved. */
const isOffered = ({ event, offer }: Event, before?: Event): boolean =>
  event === 'quote.quoted' || event === 'quote.approved' || offer !== before?.offer;
