/** One quote: its design, roster and contact, the offer, and what has happened to it. */
import { useState } from 'react';
import { players as countOf } from '../format.ts';
import { countUnits, type Design, describeLooks } from '../jersey/design.ts';
import { Jerseys } from '../jersey/jersey.tsx';
import { HistoryCard } from '../offers/history-card.tsx';
import { useSession } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/field.tsx';
import { Messages } from '../ui/messages.tsx';
import { Badge, Empty, focusHeading, Notice, Skeleton } from '../ui/pieces.tsx';
import { listPlace } from '../use-hash.ts';
import { useLogo } from '../use-library.ts';
import { ActionBar } from './action-bar.tsx';
import { ContactForm } from './contact-form.tsx';
import { DesignForm } from './design-form.tsx';
import type { Draft } from './draft.ts';
import { Offer } from './offer.tsx';
import { Roster } from './roster.tsx';
import { stateOf } from './states.ts';
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
  const { quote, history, draft, problem, edit, canEditDesign, canEditContact } = state;
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
        <Badge {...(quote ? stateOf(quote) : { status: 'new' })} />
        <span className="muted">
          {[quote?.quote_number, count > 0 && countOf(count)].filter(Boolean).join(' · ')}
        </span>
      </div>
      <div className="builder">
        <div className="standing">
          {quote && <Offer quote={quote} history={history} />}
          {quote && <Messages client={client} quote={quote} title="Messages from us" />}
        </div>
        <Preview design={design} />
        <div className="sections">
          {canEditDesign && (
            <DesignForm design={design} {...shared} onDesign={next => edit({ design: next })} />
          )}
          <Roster
            id={id}
            players={design.players}
            counts={count > 0 ? (quote?.size_breakdown ?? null) : null}
            isReadOnly={!canEditDesign}
            issues={shared.issues}
            onChange={next => edit({ design: { ...design, players: next } })}
          />
          <ContactForm {...shared} isReadOnly={!canEditContact} isDraft={canEditDesign} />
          {history && <HistoryCard client={client} history={history} />}
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

/** Shows the jersey from both sides, as one of the players wears it. */
function Preview({ design }: { design: Design }) {
  const graphic = useLogo(useSession().customer.client, design.graphic);
  const [player, setPlayer] = useState(0);
  const { players } = design;
  const worn = Math.min(player, players.length - 1);
  const customization = { jersey: { text: design.chestText, pattern: design.pattern }, players };
  return (
    <section className="preview card" aria-label="Preview">
      <Jerseys customization={customization} colors={design} logo={graphic?.file_url} player={worn} />
      <p className="muted">{describeLooks(design, graphic?.name)}</p>
      {players.length > 1 && (
        <Choice
          label="Worn by"
          name="wearer"
          options={Object.fromEntries(
            players.map(({ name, number }, at) => [at, `${number} ${name}`.trim() || `Player ${at + 1}`]),
          )}
          value={worn}
          onChange={({ target }) => setPlayer(Number(target.value))}
        />
      )}
    </section>
  );
}
