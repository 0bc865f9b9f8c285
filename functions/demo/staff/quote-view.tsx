/** An open quote: what is asked for, what can be done with it, and what has happened to it. */
import { useCallback, useRef, useState } from 'react';
import { day, inWords, time } from '../format.ts';
import { fieldsOf, whoOf, wordOf } from '../jersey/design.ts';
import { History } from '../ui/history.tsx';
import { Notice } from '../ui/notice.tsx';
import { Badge, Empty, Facts, Skeleton } from '../ui/pieces.tsx';
import { useLive } from '../use-live.ts';
import { useSession } from '../use-session.ts';
import { Answer } from './answer.tsx';
import { DesignView } from './design-view.tsx';
import { Moves } from './moves.tsx';
import { isPriceable, PriceForm } from './price-form.tsx';
import { type OnDone, type Opened, readQuote } from './queries.ts';
import { ArrivalForm, Terms } from './terms.tsx';

const millisecondsOf = (version: string | null): number => new Date(version ?? 0).getTime();

export function QuoteView({ id }: { id: string }) {
  const { client } = useSession().staff;
  const read = useCallback(() => readQuote(client, id), [client, id]);
  const { data: quote, error, isLoading } = useLive(client, 'quotes', read, { filter: `id=eq.${id}` });
  const heading = useRef<HTMLHeadingElement>(null);
  const [done, setDone] = useState<Parameters<OnDone>[0]>();
  const onDone: OnDone = news => {
    setDone(news);
    heading.current?.focus(); // The button that was pressed may be gone.
  };
  if (!quote) {
    return error ? (
      <Notice kind="error">The quote can’t be read now. This page tries again by itself.</Notice>
    ) : isLoading ? (
      <Skeleton lines={10} />
    ) : (
      <Empty title="There is no such quote" />
    );
  }
  const { status, fulfillment_status, rush_order, deleted_at, updated_at } = quote;
  const isNews = done && millisecondsOf(updated_at) <= millisecondsOf(done.version);
  return (
    <>
      <header>
        <div>
          <h2 ref={heading} tabIndex={-1}>
            {quote.quote_number}
          </h2>{' '}
          <Badge status={fulfillment_status ?? status} />{' '}
          {rush_order && <span className="desk-rush">Rush</span>}
          <p className="muted">{describe(quote)}</p>
        </div>
        <Moves quote={quote} onDone={onDone} />
      </header>
      {error && <Notice kind="warning">This may be out of date: the service can’t be reached.</Notice>}
      {deleted_at && <Notice kind="warning">This quote was deleted {time(deleted_at)}.</Notice>}
      {isNews && <Notice kind="good">{done.message}</Notice>}
      <Price quote={quote} onDone={onDone} />
      <DesignView quote={quote} />
      <Contact quote={quote} />
      <Answer quote={quote} />
      <History client={client} quoteId={id} reader="staff" />
    </>
  );
}

function Price({ quote, onDone }: { quote: Opened; onDone: OnDone }) {
  if (quote.total_price === null && !isPriceable(quote)) {
    return null;
  }
  return (
    <section className="card" aria-labelledby="price">
      <h3 id="price">Price</h3>
      <Terms quote={quote} />
      <ArrivalForm quote={quote} onDone={onDone} />
      {isPriceable(quote) && <PriceForm quote={quote} onDone={onDone} />}
    </section>
  );
}

const describe = ({
  customization,
  company,
  contact_name,
  sport,
  event_date,
  estimated_delivery_at,
  submitted_at,
}: Opened) =>
  [
    whoOf(customization, company, contact_name),
    inWords(sport),
    event_date && `event ${day(event_date)}`,
    estimated_delivery_at && `due ${day(estimated_delivery_at)}`,
    submitted_at && `submitted ${time(submitted_at)}`,
  ]
    .filter(Boolean)
    .join(' · ');

/** Encodes what a customer typed for an address of `mailto:` or `tel:`, where `?` begins further fields. */
const encode = (typed: string): string => typed.replace(/[^\w.@+-]+/gu, encodeURIComponent);

function Contact({ quote }: { quote: Opened }) {
  const { contact_email, contact_phone, shipping_address, delivery_method } = quote;
  const [street, city, state, zip, country] = ['street', 'city', 'state', 'zip', 'country'].map(key =>
    wordOf(fieldsOf(shipping_address)[key]),
  );
  const rows = {
    Company: quote.company,
    Name: quote.contact_name,
    'E-mail': contact_email && <a href={`mailto:${encode(contact_email)}`}>{contact_email}</a>,
    Phone: contact_phone && <a href={`tel:${encode(contact_phone)}`}>{contact_phone}</a>,
    'Ship to': [street, [city, state, zip].filter(Boolean).join(' '), country].filter(Boolean).join(', '),
    Delivery: delivery_method && inWords(delivery_method),
    'Note of the customer': quote.customer_notes,
    'Internal note': quote.internal_notes,
  };
  return (
    <section className="card printed desk-facts">
      <h3>Contact and notes</h3>
      {!Object.values(rows).some(Boolean) && <p className="muted">The customer has left no contact yet.</p>}
      <Facts rows={rows} />
    </section>
  );
}
