/** One quote: its design, roster and contact, the offer, and what has happened to it. */

import { players as countOf } from '../format.ts';
import { countUnits } from '../jersey/design.ts';
import { Button } from '../ui/button.tsx';
import { History } from '../ui/history.tsx';
import { Messages } from '../ui/messages.tsx';
import { Notice } from '../ui/notice.tsx';
import { Badge, Empty, focusHeading, Skeleton } from '../ui/pieces.tsx';
import { useSession } from '../use-session.ts';
import { ActionBar } from './action-bar.tsx';
import { ContactForm } from './contact-form.tsx';
import { DesignForm } from './design-form.tsx';
import type { Draft } from './draft.ts';
import { Offer } from './offer.tsx';
import { listPlace } from './place.ts';
import { Preview } from './preview.tsx';
import { Roster } from './roster.tsx';
import { type QuoteState, useQuote } from './use-quote.ts';

/** `isBegun`: it was begun on this device, and need not be saved yet. */
export function QuotePage({ id, isBegun }: { id: string; isBegun: boolean }) {
  const state = useQuote(id);
  return (
    <main className="page">
      <a className="back" href={listPlace}>
        ← My quotes
      </a>
      <Content id={id} isBegun={isBegun} state={state} />
    </main>
  );
}

function Content({ id, isBegun, state }: { id: string; isBegun: boolean; state: QuoteState }) {
  if (state.isLoading && !isBegun) {
    return <Skeleton lines={8} />;
  }
  if (state.isNew && !isBegun) {
    return state.readError ? (
      <Notice kind="warning">The quote can’t be read at the moment. Trying again…</Notice>
    ) : (
      <Empty title="This quote doesn’t exist any more">
        <p>It was deleted, or the link is wrong.</p>
      </Empty>
    );
  }
  return <Editor id={id} state={state} />;
}

function Editor({ id, state }: { id: string; state: QuoteState }) {
  const { client } = useSession().customer;
  const { quote, draft, status, problem, edit, canEditDesign, canEditContact } = state;
  const { design, details } = draft;
  const count = countUnits(design.players, quote);
  const shared = {
    details,
    issues: problem?.issues ?? [],
    onChange: (next: Draft['details']) => edit({ details: next }),
  };
  return (
    <>
      <div className="page-head">
        <h2 tabIndex={-1} ref={focusHeading}>
          {design.chestText || 'Untitled design'}
        </h2>
        <Badge status={state.isNew ? 'new' : (quote?.fulfillment_status ?? status)} />
        <span className="muted">
          {[quote?.quote_number, count > 0 && countOf(count)].filter(Boolean).join(' · ')}
        </span>
      </div>
      <div className="builder">
        <div className="standing">
          {quote && <Offer quote={quote} />}
          {quote && <Messages client={client} quote={quote} title="Messages from us" />}
        </div>
        <Preview design={design} />
        <div className="sections">
          {canEditDesign && (
            <DesignForm design={design} {...shared} onDesign={next => edit({ design: next })} />
          )}
          <Roster
            players={design.players}
            counts={count > 0 ? (quote?.size_breakdown ?? null) : null}
            isReadOnly={!canEditDesign}
            issues={shared.issues}
            onChange={next => edit({ design: { ...design, players: next } })}
          />
          <ContactForm {...shared} isReadOnly={!canEditContact} isDraft={canEditDesign} />
          {quote && <History client={client} quoteId={id} reader="customer" />}
        </div>
      </div>
      {state.isOutdated && (
        <Notice kind="warning">
          This quote was changed elsewhere since you began typing.{' '}
          <Button onClick={state.keepMine}>Keep what I typed</Button>{' '}
          <Button onClick={state.discard}>Show the newer version</Button>
        </Notice>
      )}
      <ActionBar id={id} state={state} />
    </>
  );
}
