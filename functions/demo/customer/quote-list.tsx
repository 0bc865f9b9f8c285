/** The customer's quotes, the newest first, and designs that were begun on this device and never saved. */
import { useCallback, useState } from 'react';
import { money, players } from '../format.ts';
import { columnsOf } from '../jersey/design.ts';
import { Jersey } from '../jersey/jersey.tsx';
import { type Client, useSession } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Badge, Empty, focusHeading, Notice, Skeleton, Time } from '../ui/pieces.tsx';
import { beginDesign, placeOf } from '../use-hash.ts';
import { useLive } from '../use-live.ts';
import { listUnsaved } from './draft.ts';
import { stateOf } from './states.ts';

const pageSize = 24;

/** Of `customization`, which may have a megabyte, the part that is shown. */
const columns =
  `id, quote_number, status, fulfillment_status, updated_at, expires_at, roster_count, total_price::text, currency, colors,
  jersey:customization->jersey` as const;

/** Reads the newest quotes, first those with a price that can be approved. */
async function readQuotes(client: Client, limit: number) {
  const now = new Date().toISOString();
  const isOpen = `and(status.eq.quoted,or(expires_at.is.null,expires_at.gt."${now}"))`;
  const isOther = `status.neq.quoted,expires_at.lte."${now}"`;
  const read = (condition: string) =>
    client
      .from('quotes')
      .select(columns)
      .or(condition)
      .order('created_at', { ascending: false })
      .order('id')
      .limit(limit + 1);
  const [open, others] = await Promise.all([read(isOpen), read(isOther)]);
  return { data: [...(open.data ?? []), ...(others.data ?? [])], error: open.error ?? others.error };
}

type Listed = Awaited<ReturnType<typeof readQuotes>>['data'][number];

export function QuoteList() {
  const { client } = useSession().customer;
  const [limit, setLimit] = useState(pageSize);
  const read = useCallback(() => readQuotes(client, limit), [client, limit]);
  const { data: quotes, error, isLoading } = useLive(client, { quotes: '' }, read);
  const unsaved = listUnsaved();
  return (
    <main className="page">
      <div className="page-head">
        <h2 tabIndex={-1} ref={focusHeading}>
          My quotes
        </h2>
        <Button kind="primary" onClick={beginDesign}>
          New design
        </Button>
      </div>
      {error && <Notice kind="warning">The quotes can’t be read at the moment. Trying again…</Notice>}
      {!quotes && !error && <Skeleton lines={6} />}
      {quotes?.length === 0 && unsaved.length === 0 && <NoQuotes />}
      <ul className="quotes">
        {unsaved.map(({ id, draft: { design } }) => (
          <li key={id}>
            <a className="quote-card" href={placeOf(id, false)}>
              <Jersey {...columnsOf(design)} side="front" />
              <span className="quote-name">{design.chestText || 'Untitled design'}</span>
              <span className="muted">On this device only</span>
              <span className="badge">not saved</span>
            </a>
          </li>
        ))}
        {quotes?.slice(0, limit).map(quote => (
          <li key={quote.id}>
            <QuoteCard {...quote} />
          </li>
        ))}
      </ul>
      {quotes && quotes.length > limit && (
        <Button isBusy={isLoading} onClick={() => setLimit(limit + pageSize)}>
          Show more
        </Button>
      )}
    </main>
  );
}

function QuoteCard({ id, quote_number, updated_at, jersey, colors, ...quote }: Listed) {
  const { text } = (jersey ?? {}) as { text?: unknown };
  return (
    <a className="quote-card" href={placeOf(id)}>
      <Jersey customization={{ jersey }} colors={colors} side="front" />
      <span className="quote-name">{typeof text === 'string' && text ? text : 'Untitled design'}</span>
      <span className="muted">{`${quote_number} · ${players(quote.roster_count ?? 0)}`}</span>
      <span className="quote-state">
        <Badge {...stateOf(quote)} />
        <span className="muted">
          {quote.total_price === null
            ? updated_at && <Time value={updated_at} />
            : money(quote.total_price, quote.currency)}
        </span>
      </span>
    </a>
  );
}

const NoQuotes = () => (
  <Empty title="Design your first uniform">
    <Jersey customization={{ jersey: { text: 'Your team' } }} colors={null} side="front" />
    <p>Pick colors, a logo and your roster. We send you a price, and you decide.</p>
    <Button kind="primary" onClick={beginDesign}>
      Start designing
    </Button>
  </Empty>
);
