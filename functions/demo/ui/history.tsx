/** What has happened to a quote, and when. */
import { useCallback, useState } from 'react';
import { money } from '../format.ts';
import { Approved, type OfferNames, OffersDialog } from '../offers/offers.tsx';
import type { Client } from '../supabase.ts';
import { useLive } from '../use-live.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Skeleton, Time } from './pieces.tsx';

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
const nameOffers = (events: Event[]): OfferNames =>
  new Map(
    events.flatMap(({ offer, total_price, currency }) =>
      offer === null
        ? []
        : [
            [
              offer,
              [`Offer ${offer}`, total_price && money(total_price, currency)].filter(Boolean).join(' · '),
            ],
          ],
    ),
  );

interface HistoryProps {
  client: Client;
  quoteId: string;
  /** Who reads it. */
  reader: 'customer' | 'staff';
}

/** Shows the events of a quote, if there are any, with its offers, and the offer that was approved last. */
export function History({ client, quoteId, reader }: HistoryProps) {
  const { data: events, error } = useEvents(client, quoteId);
  const [compared, compare] = useState<[before: number, after: number]>();
  const names = nameOffers(events ?? []);
  const [newest = 0, last = 0] = names.keys();
  const approval = events?.find(({ event }) => event === 'quote.approved');
  const shared = { client, quoteId, names };
  if (events?.length === 0) {
    return null;
  }
  return (
    <>
      {approval?.offer && (
        <Approved {...shared} number={approval.offer} title={titleOf(approval, reader)}>
          {newest !== approval.offer && (
            <Button onClick={() => compare([approval.offer ?? 0, newest])}>
              Compare with offer {newest}
            </Button>
          )}
        </Approved>
      )}
      <section className="card" aria-labelledby="history">
        <div className="card-head">
          <h3 id="history">History</h3>
          {last > 0 && <Button onClick={() => compare([last, newest])}>Compare the last two offers</Button>}
        </div>
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
      </section>
      {compared && <OffersDialog {...shared} numbers={compared} onClose={() => compare(undefined)} />}
    </>
  );
}

/** Whether an event is about its offer: it was made, sent or approved. */
const isOffered = ({ event, offer }: Event, before?: Event): boolean =>
  event === 'quote.quoted' || event === 'quote.approved' || offer !== before?.offer;

/** Staff may approve for a customer. */
function titleOf({ created_as }: Event, reader: HistoryProps['reader']): string {
  const who = reader === 'customer' ? 'you' : 'the customer';
  return `What ${created_as === 'customer' ? who : 'was'} approved`;
}

type LineProps = Event & { name: string | false | undefined; onOpen: (offer: number) => void };

const Line = ({ event, previous_status, offer, name, created_at, created_as, onOpen }: LineProps) => (
  <li>
    <strong>
      {event === 'quote.submitted' && offered.includes(previous_status ?? '')
        ? 'Asked for another price'
        : nameOfEvent(event)}
    </strong>{' '}
    {name && offer !== null && (
      <button type="button" className="offers-link" onClick={() => onOpen(offer)}>
        {name}
      </button>
    )}
    <small>
      {actors[created_as]}, <Time value={created_at} />
    </small>
  </li>
);
