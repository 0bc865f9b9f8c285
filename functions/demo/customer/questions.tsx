/** Questions before a quote moves: what is approved, what should be different, and whether it is given up. */
import { useState } from 'react';
import { day, money, time } from '../format.ts';
import { Whole } from '../offers/offers.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import { useLogo } from '../use-library.ts';
import { AddressFields } from './contact-form.tsx';
import { missingAddress, type Quote } from './details.ts';
import type { QuoteState } from './use-quote.ts';

interface ApproveProps {
  /** The version that is approved, with a price. */
  quote: Quote;
  state: QuoteState;
  onApprove: () => void;
  onCancel: () => void;
}

/** Shows what is ordered at which price, and asks for the address that it is sent to where there is none. */
export function Approve({ quote, state, onApprove, onCancel }: ApproveProps) {
  const { details, design } = state.draft;
  const [isTried, setTried] = useState(false);
  const missing = missingAddress(details);
  const [first] = missing;
  const [isAsked] = useState(first !== undefined);
  function complain(path: string) {
    setTried(true);
    document.querySelector<HTMLElement>(`dialog [name="${path}"]`)?.focus();
  }
  const { total_price, currency, expires_at, event_date } = quote;
  return (
    <Dialog
      title="Approve this offer?"
      action={`Approve ${money(total_price ?? '', currency)}`}
      dismiss="Not yet"
      onCancel={onCancel}
      onConfirm={() => (first ? complain(first.path) : onApprove())}
    >
      <Whole
        offer={{ ...quote, design, logo: useLogo(state.client, design.graphic) }}
        more={{
          'Needed by': event_date && day(event_date),
          'Valid until': expires_at && time(expires_at),
        }}
      />
      {isAsked && (
        <fieldset>
          <legend>Where do we send it?</legend>
          <AddressFields
            details={details}
            issues={isTried ? missing : []}
            onChange={next => state.edit({ details: next })}
          />
        </fieldset>
      )}
    </Dialog>
  );
}

interface AskAgainProps {
  title: string;
  /** What the customer wrote before, to which the note is added. */
  notes: string;
  /** A note that could not be sent. */
  unsent: string;
  onAsk: (note: string) => void;
  onCancel: () => void;
}

/** Asks for another price, with a note of what should be different. */
export function AskAgain({ title, notes, unsent, onAsk, onCancel }: AskAgainProps) {
  const [text, setText] = useState(unsent);
  return (
    <Dialog title={title} action="Ask for it" onCancel={onCancel} onConfirm={() => onAsk(text)}>
      <TextArea
        label="What should be different?"
        name="note"
        value={text}
        rows={5}
        hint={notes && 'It is added above your notes.'}
        onChange={event => setText(event.target.value)}
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
