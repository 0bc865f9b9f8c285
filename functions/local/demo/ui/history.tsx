/** What has happened to a quote, and when. */
import { useCallback } from 'react';
import { money } from '../format.ts';
import type { Client } from '../supabase.ts';
import { useLive } from '../use-live.ts';
import { Notice } from './notice.tsx';
import { Skeleton, Time } from './pieces.tsx';

const names: Record<string, string> = {
  'quote.draft': 'Taken back to change it',
  'quote.submitted': 'Submitted',
  'quote.quoted': 'Priced',
  'quote.repriced': 'Price changed',
  'quote.amended': 'Changed',
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
  customer: 'customer',
  staff: 'staff',
  service: 'a program',
  sweep: 'automatically',
} as const;
const offered = ['quoted', 'rejected', 'expired'];
const priced = ['quote.quoted', 'quote.repriced', 'quote.approved'];

/** Returns what happened, in words. */
export const nameOfEvent = (event: string): string => names[event] ?? event;

/** Returns the events of a quote, kept up to date, the newest first. */
export function useEvents(client: Client, quoteId: string) {
  const read = useCallback(
    () =>
      client
        .from('quote_events')
        .select('id, event, previous_status, total_price::text, currency, created_at, created_as')
        .eq('quote_id', quoteId)
        .order('id', { ascending: false })
        .limit(100),
    [client, quoteId],
  );
  return useLive(client, 'quote_events', read, { filter: `quote_id=eq.${quoteId}` });
}

/** Shows the events of a quote, if there are any. */
export function History({ client, quoteId }: { client: Client; quoteId: string }) {
  const { data: events, error } = useEvents(client, quoteId);
  if (events?.length === 0) {
    return null;
  }
  return (
    <section className="card" aria-labelledby="history">
      <h3 id="history">History</h3>
      {!events && !error && <Skeleton />}
      {!events && error && <Notice kind="warning">The history can’t be read at the moment.</Notice>}
      <ol className="history">
        {events?.map(event => (
          <Event key={event.id} {...event} />
        ))}
      </ol>
    </section>
  );
}

type EventProps = NonNullable<ReturnType<typeof useEvents>['data']>[number];

const Event = ({ event, previous_status, total_price, currency, created_at, created_as }: EventProps) => (
  <li>
    <strong>
      {event === 'quote.submitted' && offered.includes(previous_status ?? '')
        ? 'Asked for another price'
        : nameOfEvent(event)}
    </strong>
    {priced.includes(event) && total_price !== null && ` at ${money(total_price, currency)}`}
    <small>
      {actors[created_as]}, <Time value={created_at} />
    </small>
  </li>
);
