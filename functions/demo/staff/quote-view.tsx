/** An open quote: what is asked for, what can be done with it, and what has happened to it. */
import { type FormEvent, useCallback, useRef, useState } from 'react';
import { day, inWords, time } from '../format.ts';
import { whoOf } from '../jersey/design.ts';
import { HistoryCard } from '../offers/history-card.tsx';
import { OfferLinks } from '../offers/links.tsx';
import { useRequest } from '../problem.ts';
import { useSession } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { Messages, messageLink } from '../ui/messages.tsx';
import { Badge, Empty, Facts, Notice, Skeleton } from '../ui/pieces.tsx';
import { useKept } from '../use-kept.ts';
import { useLive } from '../use-live.ts';
import { DesignView } from './design-view.tsx';
import { Moves } from './moves.tsx';
import { isPriceable, PriceForm } from './price-form.tsx';
import { addressOf, type OnDone, type Opened, readQuote } from './queries.ts';
import { ArrivalForm, Terms } from './terms.tsx';

const millisecondsOf = (version: string | null): number => new Date(version ?? 0).getTime();

export function QuoteView({ id }: { id: string }) {
  const { client } = useSession().staff;
  const read = useCallback(() => readQuote(client, id), [client, id]);
  const changes = { quotes: `id=eq.${id}`, quote_events: `quote_id=eq.${id}` };
  const { data, error, isLoading } = useLive(client, changes, read);
  const [quote] = data ?? [];
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
      <HistoryCard client={client} history={quote} />
    </>
  );
}

function Price({ quote, onDone }: { quote: Opened; onDone: OnDone }) {
  const { client } = useSession().staff;
  if (quote.total_price === null && !isPriceable(quote)) {
    return null;
  }
  return (
    <section className="card printed" aria-labelledby="price">
      <h3 id="price">Price</h3>
      <Terms quote={quote} />
      <ArrivalForm quote={quote} onDone={onDone} />
      {isShown(quote) && <OfferLinks client={client} id={quote.id} canAnswer={false} />}
      {isPriceable(quote) && <PriceForm quote={quote} onDone={onDone} />}
    </section>
  );
}

/** Whether a link would show the offer. */
const isShown = ({ status, total_price, deleted_at }: Opened): boolean =>
  total_price !== null && !['draft', 'submitted'].includes(status) && !deleted_at;

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
  const { contact_email, contact_phone, delivery_method } = quote;
  const rows = {
    Company: quote.company,
    Name: quote.contact_name,
    'E-mail': contact_email && <a href={`mailto:${encode(contact_email)}`}>{contact_email}</a>,
    Phone: contact_phone && <a href={`tel:${encode(contact_phone)}`}>{contact_phone}</a>,
    'Ship to': addressOf(quote),
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

/** Writes to the customer of a quote. */
function Answer({ quote }: { quote: Opened }) {
  const { client } = useSession().staff;
  const [text, setText] = useKept(`message ${quote.id}`, '');
  const { problem, isBusy, send } = useRequest(quote, quote.status);

  async function write(event: FormEvent) {
    event.preventDefault();
    const { account_id } = quote;
    const message = { account_id, body: text, link: messageLink(quote), channel: 'email' } as const;
    // A message stays with its quote: it does not expire.
    const row = { ...message, dismissed: false, expires_at: null };
    const { error } = await send(client.from('notifications').insert(row));
    if (!error) {
      setText(undefined);
    }
  }

  return (
    <Messages client={client} quote={quote} title="Messages to the customer">
      <form className="desk-form" onSubmit={write} noValidate>
        <TextArea
          label="Message"
          name="body"
          maxLength={3000}
          issues={problem?.issues}
          hint="The customer sees it with the quote, and gets it by e-mail."
          value={text}
          onChange={event => setText(event.target.value)}
        />
        {problem && problem.issues.length === 0 && <Notice kind="error">{problem.sentence}</Notice>}
        <div className="actions">
          <Button type="submit" isBusy={isBusy}>
            Send the message
          </Button>
        </div>
      </form>
    </Messages>
  );
}
