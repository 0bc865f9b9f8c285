/** Where a quote stands: what it costs, until when the price holds, and how far the order is. */
import { ago, date, day, hasEnded, inWords, makeup, money, time } from '../format.ts';
import type { History } from '../offers/history.ts';
import { OfferLinks } from '../offers/links.tsx';
import { useSession } from '../supabase.ts';
import { IssueLink } from '../ui/field.tsx';
import { Notice, useClock } from '../ui/pieces.tsx';
import { detailsOf, missingAddress, type Quote } from './details.ts';
import { endedAsDraft, endOf, steps } from './states.ts';

interface OfferProps {
  quote: Quote;
  history: History | undefined;
}

export function Offer({ quote, history }: OfferProps) {
  switch (quote.status) {
    case 'quoted':
    case 'approved':
    case 'ordered':
      return <Price quote={quote} history={history} />;
    case 'expired':
    case 'rejected':
    case 'cancelled':
      return <Ended quote={quote} history={history} />;
    default:
      return null;
  }
}

/** Says what has ended, and who ended it, as far as the history knows. Without a price there was no offer. */
function Ended({ quote: { status, total_price }, history }: OfferProps) {
  const { signer = null, created_as = 'sweep' } = endOf(status, history) ?? {};
  const by = signer ?? { customer: 'You', staff: 'We', service: 'We', sweep: '' }[created_as];
  const what = status === 'rejected' && total_price !== null ? 'price' : 'quote';
  if (endedAsDraft(status, history)) {
    return <Notice kind="warning">This draft has ended. Change the design to go on with it.</Notice>;
  }
  return (
    <Notice kind={status === 'expired' ? 'warning' : 'info'}>
      {status === 'expired'
        ? `${total_price === null ? 'This quote' : 'The offer'} has ended.`
        : by
          ? `${by} ${status} this ${what}${signer === null ? '' : ', by a link'}.`
          : `This ${what} was ${status}.`}
      {status !== 'cancelled' && ' Ask again, or change the design.'}
    </Notice>
  );
}

function Price({ quote, history }: OfferProps) {
  useClock();
  const { client } = useSession().customer;
  const { status, unit_price, total_price, currency, expires_at, approved_at, fulfillment_status } = quote;
  const labels: Record<string, string> = { quoted: 'Your price', approved: 'Approved price' };
  const isOver = hasEnded(expires_at);
  const signer = endOf(status, history)?.signer;
  const before = history?.quote_offers[1];
  if (total_price === null) {
    return null;
  }
  return (
    <section className="card offer" aria-labelledby="offer">
      <h3 id="offer">{labels[status] ?? inWords(fulfillment_status ? steps[fulfillment_status] : status)}</h3>
      <p className="offer-total">{money(total_price, currency)}</p>
      <p className="muted">
        {[
          unit_price !== null && makeup(quote.roster_count ?? 0, unit_price, total_price, currency),
          status === 'approved' && approved_at && `approved on ${date(approved_at)}`,
          status === 'approved' && signer && `by ${signer}, by a link`,
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      {status === 'approved' &&
        missingAddress(detailsOf(quote))
          .slice(0, 1)
          .map(issue => (
            <Notice key={issue.path} kind="warning">
              <IssueLink issue={issue} />
            </Notice>
          ))}
      {status === 'quoted' && before?.total_price && before.total_price !== total_price && (
        <p>{`It was ${money(before.total_price, before.currency)} before, on ${date(before.created_at)}.`}</p>
      )}
      {status === 'quoted' && expires_at && (
        <p>
          <span>{isOver ? 'It was valid until ' : 'Valid until '}</span>
          <strong>{time(expires_at)}</strong> <span className="muted">{ago(expires_at)}</span>
        </p>
      )}
      {status === 'quoted' && isOver && <p>You can ask for a new price.</p>}
      {status === 'ordered' && <Progress quote={quote} />}
      <OfferLinks client={client} id={quote.id} canAnswer={status === 'quoted' && !isOver} />
    </section>
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
            {inWords(label)}
          </li>
        ))}
      </ol>
      {estimated_delivery_at && fulfillment_status !== 'delivered' && (
        <p>Expected on {day(estimated_delivery_at)}.</p>
      )}
    </>
  );
}
