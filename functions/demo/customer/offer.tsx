/** Where a quote stands: what it costs, until when the price holds, and how far the order is. */
import { compare } from '../amounts.ts';
import { ago, date, day, hasEnded, makeup, money, time } from '../format.ts';
import { useEvents } from '../ui/history.tsx';
import { Notice } from '../ui/notice.tsx';
import { useClock } from '../use-clock.ts';
import { useSession } from '../use-session.ts';
import type { Quote } from './details.ts';

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
    case 'expired':
      return <Notice kind="warning">The offer has ended. You can ask for a new price.</Notice>;
    case 'rejected':
    case 'cancelled':
      return <Ended quote={quote} />;
    default:
      return null;
  }
}

/** Says who has ended a quote, as far as its history knows. */
function Ended({ quote: { id, status } }: { quote: Quote }) {
  const { data: events } = useEvents(useSession().customer.client, id);
  const by = events?.find(({ event }) => event === `quote.${status}`)?.created_as;
  const what = status === 'rejected' ? 'price' : 'quote';
  return (
    <Notice kind="info">
      {by === 'customer' || by === 'staff'
        ? `${by === 'staff' ? 'We' : 'You'} ${status} this ${what}.`
        : `This ${what} was ${status}.`}
      {status === 'rejected' && ' You can ask for another one.'}
    </Notice>
  );
}

function Price({ quote }: { quote: Quote }) {
  useClock();
  const { status, unit_price, total_price, currency, expires_at, approved_at, fulfillment_status } = quote;
  const labels: Record<string, string> = { quoted: 'Your price', approved: 'Approved price' };
  const isOver = hasEnded(expires_at);
  if (total_price === null) {
    return null;
  }
  return (
    <section className="card offer" aria-labelledby="offer">
      <h3 id="offer">{labels[status] ?? (fulfillment_status ? steps[fulfillment_status] : 'Ordered')}</h3>
      <p className="offer-total">{money(total_price, currency)}</p>
      <p className="muted">
        {unit_price !== null && makeup(quote.roster_count ?? 0, unit_price, total_price, currency)}
        {status === 'approved' &&
          approved_at &&
          `, approved on ${date(approved_at)}. We place the order next.`}
      </p>
      {status === 'quoted' && <Changed quote={quote} />}
      {status === 'quoted' && expires_at && (
        <p>
          {isOver ? 'It was valid until ' : 'Valid until '}
          <strong>{time(expires_at)}</strong> ({ago(expires_at)}){isOver && '. You can ask for a new price.'}
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
  const offer = events?.find(({ offer }) => offer !== null)?.offer ?? 0;
  if (!before?.total_price || total_price === null) {
    return offer > 1 ? <p>This is offer {offer}. The history compares it with the one before.</p> : null;
  }
  const { difference, isLess } = compare(total_price, before.total_price);
  return (
    <p>
      {money(difference, currency)} {isLess ? 'less' : 'more'} than the {money(before.total_price, currency)}{' '}
      of {date(before.created_at)}.
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
      {estimated_delivery_at && fulfillment_status !== 'delivered' && (
        <p>Expected on {day(estimated_delivery_at)}.</p>
      )}
    </>
  );
}
