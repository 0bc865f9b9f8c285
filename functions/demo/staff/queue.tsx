/** A page of the quotes in a state. */
import { useCallback } from 'react';
import { day, inWords, money, players } from '../format.ts';
import { whoOf } from '../jersey/design.ts';
import { Jersey } from '../jersey/jersey.tsx';
import { useSession } from '../supabase.ts';
import { Badge, Empty, Notice, Skeleton, Time } from '../ui/pieces.tsx';
import { useLive } from '../use-live.ts';
import { hashOf, type Place } from './place.ts';
import { type Listed, pageSize, readQueue } from './queries.ts';
import { states } from './states.ts';

/** Milliseconds between two reads, at least. */
const interval = 1000;
const number = new Intl.NumberFormat();

export function Queue({ place }: { place: Place }) {
  const { client } = useSession().staff;
  const listed = hashOf({ ...place, quote: '' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: which quote is open changes nothing in the list.
  const read = useCallback(() => readQueue(client, place), [client, listed]);
  const { data, error } = useLive(client, { quotes: '' }, read, interval);
  if (!data) {
    return error ? <Unreachable /> : <Skeleton lines={8} />;
  }
  const { rows, total } = data;
  const isOld = hashOf({ ...data.place, quote: '' }) !== listed;
  return (
    <div className="desk-queue" aria-busy={isOld}>
      {error && <Unreachable />}
      <p className="muted" role="status">
        {describe(data.place, rows.length, total)}
      </p>
      {rows.length === 0 && <Empty title={titleOf(data.place)} />}
      <ol aria-label={states[data.place.state].label}>
        {rows.map(quote => (
          <Line key={quote.id} quote={quote} place={place} />
        ))}
      </ol>
      <Pager place={place} total={total ?? 0} />
    </div>
  );
}

const Unreachable = () => (
  <Notice kind="error">The quotes can’t be read now. This page tries again by itself.</Notice>
);

function describe({ page }: Place, shown: number, total: number | null): string {
  const first = (page - 1) * pageSize;
  return shown === 0 || total === null
    ? 'No quotes'
    : `${number.format(first + 1)}–${number.format(first + shown)} of ${number.format(total)}`;
}

const titleOf = ({ q, rush, page, state }: Place): string =>
  page === 1 && (q || rush)
    ? 'No quote matches'
    : page === 1 && state === 'submitted'
      ? 'No quote waits for a price'
      : 'No quotes here';

/** Shows a quote in one line, or in two where there is no space. All of it is the link. */
function Line({ quote, place }: { quote: Listed; place: Place }) {
  const { id, quote_number, status, fulfillment_status, event_date, jersey, team, colors } = quote;
  const { order } = states[place.state];
  const isOpen = id === place.quote;
  const isMixed = place.state === 'all' || place.state === 'deleted';
  return (
    <li>
      <a
        id={`line ${id}`}
        className="desk-line"
        href={hashOf({ ...place, quote: id })}
        aria-current={isOpen ? 'true' : undefined}
      >
        <Jersey customization={{ jersey, team }} colors={colors} side="front" />
        <span className="desk-number">
          <strong>{quote_number}</strong>
        </span>
        <span className="desk-who">
          {whoOf({ jersey, team }, quote.company, quote.contact_name, quote.contact_email) || 'No name yet'}
        </span>
        <span className="desk-what">{`${inWords(quote.sport)}, ${players(quote.roster_count ?? 0)}`}</span>
        <span className="desk-event">
          {quote.rush_order && <span className="desk-rush">Rush</span>}{' '}
          {event_date && <span>{`Event ${day(event_date)}`}</span>}
        </span>
        <span className="desk-cost">
          {isMixed && <Badge status={fulfillment_status ?? status} />}
          {quote.total_price !== null && <span>{money(quote.total_price, quote.currency)}</span>}
        </span>
        <span className="desk-time">
          <Time value={quote[order] ?? quote.updated_at ?? ''} />
        </span>
      </a>
    </li>
  );
}

function Pager({ place, total }: { place: Place; total: number }) {
  const { page } = place;
  return (
    <nav className="desk-pager" aria-label="Pages">
      {page > 1 && <a href={hashOf({ ...place, page: page - 1 })}>Previous</a>}
      {page * pageSize < total && <a href={hashOf({ ...place, page: page + 1 })}>Next</a>}
    </nav>
  );
}
