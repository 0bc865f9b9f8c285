/** What the customer can do with a quote now, and whether all is saved. */
import { type ReactNode, useEffect, useState } from 'react';
import { hasEnded, inWords, money } from '../format.ts';
import { Button, Menu } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { IssueLink } from '../ui/field.tsx';
import { focusHeading, Notice, Time, useClock } from '../ui/pieces.tsx';
import { listPlace, placeOf } from '../use-hash.ts';
import { useKept } from '../use-kept.ts';
import type { Quote } from './details.ts';
import { forgetDraft } from './draft.ts';
import { Approve, AskAgain, endings } from './questions.tsx';
import { endedAsDraft } from './states.ts';
import type { QuoteState } from './use-quote.ts';

type Ending = keyof typeof endings;
type Question = 'approve' | 'ask again' | Ending;

export function ActionBar({ id, state }: { id: string; state: QuoteState }) {
  const { quote, status, isNew, isBusy, problem, hasChanges, canEditContact, save, move } = state;
  useClock();
  /** What is asked, of the version that was seen then: another price may have come since. */
  const [asked, ask] = useState<{ question: Question; seen: Quote | undefined }>();
  const [note, keepNote] = useKept(`note ${id}`, '');
  const close = () => ask(undefined);
  useEffect(() => {
    const fields = problem?.issues.map(({ path }) => `[name="${CSS.escape(path)}"]`) ?? [];
    if (fields.length > 0) {
      document.querySelector<HTMLElement>(fields.join())?.focus();
    }
  }, [problem]);
  // The button that was pressed may be gone in another status.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the status decides which buttons there are.
  useEffect(() => focusHeading(document.querySelector('.page-head h2')), [status]);

  async function saveAnd(next?: 'submitted') {
    const isSaved = await save(next);
    if (isSaved && isNew) {
      history.replaceState(null, '', placeOf(id));
      dispatchEvent(new HashChangeEvent('hashchange'));
    }
  }

  async function moveTo(next: Quote['status'], note?: string) {
    close();
    return await move(next, (asked?.seen ?? quote)?.updated_at ?? null, note);
  }

  async function end(ending: Ending) {
    close();
    if (ending === 'reject' || ending === 'cancel') {
      await moveTo(ending === 'reject' ? 'rejected' : 'cancelled');
    } else if (ending === 'discard' || (await state.remove())) {
      forgetDraft(id);
      location.hash = listPlace;
    }
  }

  const isDraft = status === 'draft';
  const isOpen = status === 'quoted' && !hasEnded(quote?.expires_at ?? null);
  const asking = isOpen ? 'Ask for changes' : 'Ask again';
  const isDraftEnded = endedAsDraft(status, state.history);
  const button = (label: string, onClick: () => void, kind: 'primary' | 'quiet' | 'danger' = 'quiet') => (
    <Button key={label} kind={kind} isBusy={isBusy} onClick={onClick}>
      {label}
    </Button>
  );
  const question = (name: Question) => () => ask({ question: name, seen: quote });
  const ending = (name: Ending) => button(endings[name].action, question(name), 'danger');
  const isWithUs = status === 'submitted' || status === 'approved';
  const canCancel = isWithUs || status === 'quoted';
  if (status === 'ordered') {
    return null;
  }
  return (
    <footer className="action-bar">
      {problem && (
        <Notice kind="error">
          <span>{problem.sentence}</span>
          {problem.issues.map(issue => (
            <IssueLink key={issue.path} issue={issue} />
          ))}
        </Notice>
      )}
      {quote && isWithUs && <Next quote={quote} />}
      <p role="status" className="muted">
        {savedState(state)}
      </p>
      <div className="actions">
        <Menu>
          {isOpen && ending('reject')}
          {ending(isNew ? 'discard' : canCancel ? 'cancel' : 'delete')}
        </Menu>
        {status === 'submitted' && button('Withdraw to edit', () => moveTo('draft'))}
        {['rejected', 'expired'].includes(status) &&
          button('Change the design', () => moveTo('draft'), isDraftEnded ? 'primary' : 'quiet')}
        {canEditContact && (isDraft || hasChanges) && button('Save', () => saveAnd())}
        {['quoted', 'rejected', 'expired'].includes(status) &&
          !isDraftEnded &&
          button(asking, question('ask again'), isOpen ? 'quiet' : 'primary')}
        {isDraft && button('Submit for a price', () => saveAnd('submitted'), 'primary')}
        {isOpen &&
          quote?.total_price != null &&
          button(`Approve ${money(quote.total_price, quote.currency)}`, question('approve'), 'primary')}
      </div>
      {asked?.question === 'approve' && quote && <Approve quote={quote} state={state} onClose={close} />}
      {asked?.question === 'ask again' && (
        <AskAgain
          title={asking}
          notes={state.draft.details.customer_notes}
          text={note}
          onType={keepNote}
          onCancel={close}
          onAsk={async () => {
            if (await moveTo('submitted', note)) {
              keepNote(undefined);
            }
          }}
        />
      )}
      {asked && asked.question !== 'approve' && asked.question !== 'ask again' && (
        <Dialog
          {...endings[asked.question]}
          kind="danger"
          onCancel={close}
          onConfirm={() => end(asked.question as Ending)}
        />
      )}
    </footer>
  );
}

/** Says what happens next, where the button was pressed. */
function Next({ quote: { status, contact_email } }: { quote: Quote }) {
  const next =
    status === 'submitted'
      ? `We send the price${contact_email ? ` to ${contact_email}` : ''}, and it appears here.`
      : 'We place the order next.';
  return (
    <Notice kind="good">
      <strong>{inWords(status)}</strong>
      <span>{next}</span>
    </Notice>
  );
}

function savedState({ quote, isNew, isBusy, hasChanges }: QuoteState): ReactNode {
  const unsaved = isNew
    ? 'Not saved yet. What you type stays on this device.'
    : hasChanges && 'Changes are not saved yet. They stay on this device.';
  if (isBusy || unsaved) {
    return <span>{isBusy ? 'Saving…' : unsaved}</span>;
  }
  return (
    quote?.updated_at && (
      <>
        <span>Saved </span>
        <Time value={quote.updated_at} />
      </>
    )
  );
}
