/** Questions before a quote moves: what is approved, what should be different, and whether it is given up. */
import { useState } from 'react';
import { day, hasEnded, money, time } from '../format.ts';
import { compareOffers, offerOf } from '../offers/offer.ts';
import { Whole } from '../offers/offers.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import { Notice } from '../ui/pieces.tsx';
import { type Library, useLibrary } from '../use-library.ts';
import { AddressFields } from './contact-form.tsx';
import { contactColumns, detailsOf, missingAddress, type Quote } from './details.ts';
import { stateOf } from './states.ts';
import type { QuoteState } from './use-quote.ts';

/** Returns the offer that a quote has. */
const offerIn = (quote: Quote, library: Library | null) =>
  offerOf({ ...quote, number: 0, product_id: '', design_id: null, created_at: '' }, library);

interface ApproveProps {
  /** The quote as it is now, with a price. */
  quote: Quote;
  state: QuoteState;
  onClose: () => void;
}

/** Shows what is ordered at which price, and asks for the address that it is sent to. It asks anew when the offer changes. */
export function Approve({ quote, state, onClose }: ApproveProps) {
  const { isBusy, problem, hasChanges, draft } = state;
  const [seen, setSeen] = useState(quote);
  const [isTried, setTried] = useState(false);
  const library = useLibrary(state.client);
  const missing = missingAddress(draft.details);
  const [first] = missing;
  const [isAsked] = useState(first !== undefined || hasChanges);
  const price = money(seen.total_price ?? '', seen.currency);
  const isOver = quote.status !== 'quoted' || hasEnded(quote.expires_at);
  const isOther = differences(seen, quote, library).length > 0;
  const hasChanged = !isBusy && (isOver || isOther);

  async function confirm() {
    setTried(true);
    if (first) {
      document.querySelector<HTMLElement>(`dialog [name="${first.path}"]`)?.focus();
    } else if (await state.approve(seen)) {
      onClose();
    }
  }

  /** Shows the offer as it is now. An address that was typed for the one before is for this one, too. */
  function look() {
    const [before, now] = [seen, quote].map(row => JSON.stringify(contactColumns(detailsOf(row))));
    if (hasChanges && before === now) {
      state.keepMine();
    }
    setSeen(quote);
  }

  return (
    <Dialog
      title="Approve this offer?"
      action={hasChanged ? undefined : `Approve ${price}`}
      dismiss={hasChanged && isOver ? 'Close' : 'Not yet'}
      isBusy={isBusy}
      onCancel={onClose}
      onConfirm={confirm}
    >
      {hasChanged ? (
        <Notice kind="warning">
          {isOver ? (
            <p>{whyOver(quote, price)}</p>
          ) : (
            <>
              <p>{`${price} is not approved. The offer has changed:`}</p>
              <ul>
                {differences(seen, quote, library).map(line => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              <Button onClick={look}>Look at the new offer</Button>
            </>
          )}
        </Notice>
      ) : (
        <>
          {isTried && problem && !first && <Notice kind="error">{problem.sentence}</Notice>}
          <Whole
            offer={offerIn(seen, library)}
            more={{
              'Needed by': seen.event_date && day(seen.event_date),
              'Valid until': seen.expires_at && time(seen.expires_at),
            }}
          />
          {isAsked && (
            <fieldset>
              <legend>Where do we send it?</legend>
              <AddressFields
                details={draft.details}
                issues={isTried ? missing : []}
                onChange={next => state.edit({ details: next })}
              />
            </fieldset>
          )}
        </>
      )}
    </Dialog>
  );
}

/** Says why an offer can't be approved any more. */
const whyOver = (quote: Quote, price: string): string =>
  quote.approved_at
    ? 'It is approved already.'
    : `${price} is not approved. The state is now “${stateOf(quote).label}”.`;

/** Returns what differs between the offers of two versions, in words. */
function differences(seen: Quote, now: Quote, library: Library | null): string[] {
  const [was, is] = [seen, now].map(({ expires_at }) => (expires_at ? time(expires_at) : ''));
  const found = compareOffers(offerIn(seen, library), offerIn(now, library));
  const lines = [...found, ...(was === is ? [] : [['Valid until', was, is]])].map(
    ([label, before, after]) => `${label}: ${after || 'none'} instead of ${before || 'none'}`,
  );
  return lines.length > 0 || seen.quoted_at === now.quoted_at ? lines : ['It was made anew.'];
}

interface AskAgainProps {
  title: string;
  /** What the customer wrote before, to which the note is added. */
  notes: string;
  text: string;
  onType: (text: string) => void;
  onAsk: () => void;
  onCancel: () => void;
}

/** Asks for another price, with a note of what should be different. */
export function AskAgain({ title, notes, text, onType, onAsk, onCancel }: AskAgainProps) {
  return (
    <Dialog title={title} action="Ask for it" onCancel={onCancel} onConfirm={onAsk}>
      <TextArea
        label="What should be different?"
        name="note"
        value={text}
        rows={5}
        hint={notes && 'It is added above your notes.'}
        onChange={event => onType(event.target.value)}
      />
    </Dialog>
  );
}

/** The ways to give a quote up, with the questions before them. */
export const endings = {
  reject: {
    title: 'Reject this price?',
    action: 'Reject',
    children: <p>You can still ask for another price afterwards.</p>,
  },
  cancel: {
    title: 'Cancel this quote?',
    action: 'Cancel the quote',
    dismiss: 'Keep it',
    children: <p>It can’t be reopened. You can begin a new design at any time.</p>,
  },
  delete: { title: 'Delete this quote?', action: 'Delete', children: <p>It disappears from your quotes.</p> },
  discard: { title: 'Discard this design?', action: 'Discard', children: <p>It was never saved.</p> },
};
