/** What the customer can do with a quote now, and whether all is saved. */
import { type ReactNode, useEffect, useState } from 'react';
import { hasEnded, money } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { focusHeading, Time } from '../ui/pieces.tsx';
import { useClock } from '../use-clock.ts';
import { AskAgain } from './ask-again.tsx';
import { forgetDraft } from './draft.ts';
import { listPlace, placeOf } from './place.ts';
import type { QuoteState } from './use-quote.ts';

type Question = 'reject' | 'cancel' | 'delete' | 'ask again';

/** The ways to give a quote up, with the questions before them. */
const endings = {
  cancel: {
    title: 'Cancel this quote?',
    action: 'Cancel the quote',
    dismiss: 'Keep it',
    children: <p>It can’t be reopened. You can begin a new design at any time.</p>,
  },
  delete: { title: 'Delete this quote?', action: 'Delete', children: <p>It disappears from your quotes.</p> },
  discard: { title: 'Discard this design?', action: 'Discard', children: <p>It was never saved.</p> },
};

export function ActionBar({ id, state }: { id: string; state: QuoteState }) {
  const { quote, draft, status, isNew, isBusy, problem, hasChanges, canEditContact, save, move } = state;
  useClock();
  const [asked, setAsked] = useState<{ question: Question; version: string | null }>();
  const question = asked?.question;
  /** A note that could not be sent. */
  const [unsent, setUnsent] = useState('');
  const version = quote?.updated_at ?? null;
  const ask = (next: Question) => setAsked({ question: next, version });
  const close = () => setAsked(undefined);
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

  async function moveTo(
    next: Parameters<typeof move>[0],
    // What was seen when the question was asked: another price may have come since.
    shown: Parameters<typeof move>[1] = { updated_at: asked ? asked.version : version },
    note?: string,
  ) {
    close();
    return await move(next, shown, note);
  }

  async function leave(remove: () => Promise<boolean>) {
    close();
    if (await remove()) {
      forgetDraft(id);
      location.hash = listPlace;
    }
  }

  const isDraft = status === 'draft';
  const isOpen = status === 'quoted' && !hasEnded(quote?.expires_at ?? null);
  const button = (label: string, onClick: () => void, kind: 'primary' | 'quiet' | 'danger' = 'quiet') => (
    <Button key={label} kind={kind} isBusy={isBusy} onClick={onClick}>
      {label}
    </Button>
  );
  const buttons: ReactNode[] = [
    status === 'submitted' && button('Withdraw to edit', () => moveTo('draft')),
    isOpen && button('Reject', () => ask('reject')),
    ['quoted', 'rejected', 'expired'].includes(status) &&
      button('Ask again', () => ask('ask again'), isOpen ? 'quiet' : 'primary'),
    canEditContact && (isDraft || hasChanges) && button('Save', () => saveAnd()),
    isDraft && button('Submit for a price', () => saveAnd('submitted'), 'primary'),
    isOpen &&
      quote?.total_price != null &&
      button(
        `Approve ${money(quote.total_price, quote.currency)}`,
        () => moveTo('approved', { total_price: quote.total_price, currency: quote.currency }),
        'primary',
      ),
  ];
  const end = ['submitted', 'quoted', 'approved'].includes(status) ? 'cancel' : 'delete';
  if (status === 'ordered') {
    return null;
  }
  return (
    <footer className="action-bar">
      {problem && (
        <Notice kind="error">
          {problem.sentence}{' '}
          {problem.issues
            .filter(isHidden)
            .map(({ message }) => message)
            .join(' ')}
        </Notice>
      )}
      <p role="status" className="muted">
        {savedState(state)}
      </p>
      {button(endings[isNew ? 'discard' : end].action, () => ask(end), 'danger')}
      <div className="actions">{buttons}</div>
      {question === 'ask again' && (
        <AskAgain
          notes={draft.details.customer_notes}
          unsent={unsent}
          onCancel={close}
          onAsk={async note => {
            const isSent = await moveTo('submitted', undefined, note);
            setUnsent(isSent ? '' : note);
          }}
        />
      )}
      {question === 'reject' && (
        <Dialog
          title="Reject this price?"
          action="Reject"
          kind="danger"
          onCancel={close}
          onConfirm={() => moveTo('rejected')}
        >
          <p>You can still ask for another price afterwards.</p>
        </Dialog>
      )}
      {(question === 'cancel' || question === 'delete') && (
        <Dialog
          {...endings[isNew ? 'discard' : question]}
          kind="danger"
          onCancel={close}
          onConfirm={() =>
            question === 'cancel' ? moveTo('cancelled') : leave(isNew ? async () => true : state.remove)
          }
        />
      )}
    </footer>
  );
}

/** Whether no field of the page shows this issue. */
const isHidden = ({ path }: { path: string }): boolean => !document.getElementsByName(path).length;

function savedState({ quote, isNew, isBusy, hasChanges }: QuoteState): ReactNode {
  if (isBusy) {
    return 'Saving…';
  }
  if (isNew) {
    return 'Not saved yet. What you type stays on this device.';
  }
  if (hasChanges) {
    return 'Changes are not saved yet. They stay on this device.';
  }
  return (
    quote?.updated_at && (
      <>
        Saved <Time value={quote.updated_at} />
      </>
    )
  );
}
