/** What has happened to a quote, and what was mailed about it. */
import { useCallback, useEffect, useState } from 'react';
import { money } from '../format.ts';
import type { Client } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton, Time } from '../ui/pieces.tsx';
import { useLive } from '../use-live.ts';
import { useSession } from '../use-session.ts';
import { type Delivery, readDeliveries, readEvents } from './queries.ts';

const actors = {
  customer: 'the customer',
  staff: 'staff',
  service: 'a program',
  sweep: 'the expiry job',
} as const;

/** Events whose line names the price. */
const priced = ['quote.quoted', 'quote.repriced', 'quote.approved', 'quote.amended'];
const words: Record<string, string> = {
  draft: 'taken back to draft',
  expiring: 'reminded that the offer ends',
};

function titleOf(event: string): string {
  const name = event.replace('quote.', '');
  const text = words[name] ?? name;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export function History({ quote }: { quote: string }) {
  const { staff, showsDeliveries } = useSession();
  const read = useCallback(() => readEvents(staff.client, quote), [staff, quote]);
  const { data: events } = useLive(staff.client, 'quote_events', read, { filter: `quote_id=eq.${quote}` });
  return (
    <section className="card">
      <h3>History</h3>
      {!events && <Skeleton lines={2} />}
      {events?.length === 0 && <p className="hint">Saved, and nothing else yet.</p>}
      <ol className="history">
        {events?.map(({ id, event, total_price, currency, created_at, created_as }) => (
          <li key={id}>
            <strong>{titleOf(event)}</strong>
            {priced.includes(event) && total_price !== null && ` at ${money(total_price, currency)}`}
            <span className="hint">
              {' '}
              by {actors[created_as]}, <Time value={created_at} />
            </span>
          </li>
        ))}
      </ol>
      {showsDeliveries && <Deliveries client={staff.client} quote={quote} events={events} />}
    </section>
  );
}

/** Milliseconds between two reads while something is under way. */
const interval = 3000;

interface DeliveriesProps {
  client: Client;
  quote: string;
  /** The deliveries are read again when these are new. */
  events: unknown;
}

function Deliveries({ client, quote, events }: DeliveriesProps) {
  const [deliveries, setDeliveries] = useState<Delivery[]>([]);
  const isUnderWay = deliveries.some(({ state }) => state === 'waiting' || state === 'sending');
  const read = useCallback(
    () => readDeliveries(client, quote).then(({ data }) => data && setDeliveries(data)),
    [client, quote],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: new events are the reason to read again.
  useEffect(() => void read(), [read, events]);
  useEffect(() => {
    const timer = isUnderWay ? setInterval(() => document.hidden || read(), interval) : undefined;
    return () => clearInterval(timer);
  }, [isUnderWay, read]);
  return (
    <>
      <h3>E-mails and calls</h3>
      {deliveries.length === 0 && <p className="hint">Nothing was sent yet.</p>}
      <ul className="deliveries">
        {deliveries.map(delivery => (
          <li key={delivery.id}>
            <strong className={`delivery ${delivery.state}`}>{describe(delivery)}</strong>{' '}
            {delivery.kind === 'webhook' ? 'Webhook' : `E-mail to ${delivery.recipient ?? 'the customer'}`}
            <span className="hint">
              {delivery.reason && `, ${delivery.reason}`},{' '}
              <Time value={delivery.settled_at ?? delivery.created_at} />
            </span>
            {delivery.state === 'dead' && (
              <Button onClick={() => client.rpc('redeliver', { id: delivery.id }).then(read)}>
                Send again
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const states = { sending: 'Being sent', sent: 'Sent', skipped: 'Skipped', dead: 'Failed' };

const describe = ({ state, attempts }: Delivery): string =>
  state === 'waiting' ? (attempts === 0 ? 'Waiting' : 'Tried again later') : states[state];
