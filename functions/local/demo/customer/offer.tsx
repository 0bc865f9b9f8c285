/** Where a quote stands: what it costs, until when the price holds, and how far the order is. */
import { ago, date, money, time } from '../format.ts';
import type { Quote } from '../supabase.ts';
import { useEvents } from '../ui/history.tsx';
import { Notice } from '../ui/notice.tsx';
import { useClock } from '../use-clock.ts';
import { useSession } from '../use-session.ts';

const steps = {
  reviewing: 'In review',
  preparing: 'In production',
  shipping: 'Shipped',
  delivered: 'Delivered',
};

export function Offer({ quote }: { quote: Quote }) {
  const { status, submitted_at } = quote;
  switch (status) {
    case 'submitted':
      return (
        <Notice kind="info">
          We are working on your price{submitted_at && `, since ${time(submitted_at)}`}. It appears here, and
          in your notifications.
        </Notice>
      );
    case 'quoted':
    case 'approved':
    case 'ordered':
      return <Price quote={quote} />;
    case 'rejected':
      return <Notice kind="info">You rejected the price. You can ask for another one.</Notice>;
    case 'expired':
      return <Notice kind="warning">The offer has ended. You can ask for a new price.</Notice>;
    case 'cancelled':
      return <Notice kind="info">You cancelled this quote.</Notice>;
    default:
      return null;
  }
}

function Price({ quote }: { quote: Quote }) {
  useClock();
  const { status, unit_price, total_price, currency, roster_count, expires_at, approved_at } = quote;
  const labels = { quoted: 'Your price', approved: 'Approved price', ordered: 'Ordered' } as Record<
    string,
    string
  >;
  if (total_price === null) {
    return null;
  }
  return (
    <section className="card offer" aria-labelledby="offer">
      <h3 id="offer">{labels[status]}</h3>
      <p className="offer-total">{money(total_price, currency)}</p>
      <p className="muted">
        {unit_price !== null &&
          (roster_count
            ? `${roster_count} × ${money(unit_price, currency)}`
            : `${money(unit_price, currency)} each`)}
        {status === 'approved' &&
          approved_at &&
          `, approved on ${date(approved_at)}. We place the order next.`}
      </p>
      {status === 'quoted' && <Changed quote={quote} />}
      {status === 'quoted' && expires_at && (
        <p>
          {Date.parse(expires_at) > Date.now() ? 'Valid until ' : 'It was valid until '}
          <strong>{time(expires_at)}</strong> ({ago(expires_at)})
        </p>
      )}
      {status === 'ordered' && <Progress quote={quote} />}
    </section>
  );
}

/** Says how the price differs from the offer before. */
function Changed({ quote: { id, total_price, currency } }: { quote: Quote }) {
  const { data: events } = useEvents(useSession().customer.client, id);
  const offers = events?.filter(({ event }) => event === 'quote.quoted' || event === 'quote.repriced') ?? [];
  const before = offers.find(
    offer => offer.total_price !== total_price && offer.total_price !== null && offer.currency === currency,
  );
  if (!before?.total_price || total_price === null) {
    return null;
  }
  const difference = total_price - before.total_price;
  return (
    <p>
      {money(Math.abs(difference), currency)} {difference < 0 ? 'less' : 'more'} than the{' '}
      {money(before.total_price, currency)} of {date(before.created_at)}.
    </p>
  );
}

/** Shows how far an order is. */
function Progress({ quote: { fulfillment_status, estimated_delivery_at } }: { quote: Quote }) {
  const names = Object.keys(steps);
  const reached = names.indexOf(fulfillment_status ?? '');
  return (
    <>
      <ol className="steps">
        {Object.entries(steps).map(([name, label], index) => (
          <li
            key={name}
            className={index <= reached ? 'done' : ''}
            aria-current={index === reached ? 'step' : undefined}
          >
            {label}
          </li>
        ))}
      </ol>
      {estimated_delivery_at && <p>Expected on {date(estimated_delivery_at)}.</p>}
    </>
  );
}
