/** The e-mails and webhook calls of a quote, and whether they arrived. */
import { useCallback, useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { nameOfEvent, useEvents } from '../ui/history.tsx';
import { Time } from '../ui/pieces.tsx';
import { useSession } from '../use-session.ts';
import { type Delivery, readDeliveries } from './queries.ts';

/** Milliseconds between two reads while something is under way: deliveries have no live updates. */
const interval = 3000;
const states = { sending: 'Being sent', sent: 'Sent', skipped: 'Skipped', dead: 'Failed' };

const describe = ({ state, attempts }: Delivery): string =>
  state === 'waiting' ? (attempts === 0 ? 'Waiting' : 'Tried again later') : states[state];

export function Deliveries({ quote }: { quote: string }) {
  const { client } = useSession().staff;
  const [deliveries, setDeliveries] = useState<Delivery[]>([]);
  const { data: events } = useEvents(client, quote);
  const read = useCallback(
    () => readDeliveries(client, quote).then(({ data }) => data && setDeliveries(data)),
    [client, quote],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: an event is what e-mails and calls are sent for.
  useEffect(() => void read(), [read, events]);
  const isUnderWay = deliveries.some(({ state }) => state === 'waiting' || state === 'sending');
  useEffect(() => {
    const timer = isUnderWay ? setInterval(() => document.hidden || read(), interval) : undefined;
    return () => clearInterval(timer);
  }, [isUnderWay, read]);
  return (
    <section className="card" aria-labelledby="deliveries">
      <h3 id="deliveries">E-mails and calls</h3>
      {deliveries.length === 0 && <p className="muted">Nothing was sent yet.</p>}
      <ul className="desk-deliveries">
        {deliveries.map(delivery => {
          const { id, kind, state, reason, recipient, event_id, created_at, settled_at } = delivery;
          const event = events?.find(({ id }) => id === event_id)?.event;
          return (
            <li key={id}>
              <strong className={state}>{describe(delivery)}</strong>{' '}
              {kind === 'webhook' ? 'Webhook' : `E-mail to ${recipient ?? 'the customer'}`}
              {event && `: ${nameOfEvent(event)}`}{' '}
              <span className="muted">
                {reason && `${reason}, `}
                <Time value={settled_at ?? created_at} />
              </span>
              {state === 'dead' && (
                <Button onClick={() => client.rpc('redeliver', { id }).then(read)}>Send again</Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
