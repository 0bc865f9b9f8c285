/** What the staff can do next with a quote. */
import { useState } from 'react';
import { useRequest } from '../problem.ts';
import { useSession } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/pieces.tsx';
import { addressOf, type Change, changeQuote, type OnDone, type Opened } from './queries.ts';

interface Move {
  label: string;
  change: Change;
  /** What is said when it is done. */
  done: string;
  /** What the customer gets, with # for the number of the quote. */
  mail: string;
  kind?: 'danger';
  /** What is asked before; by default, the label. */
  title?: string;
  dismiss?: string;
  warning?: string;
}

/** Returns a step of an order, with the ends of what is said and sent. */
const step = (label: string, change: Change, done: string, mail = done): Move => ({
  ...{ label, change, done: `The order ${done}.`, mail: `Your order # ${mail}.` },
});

const fulfillment = (name: NonNullable<Opened['fulfillment_status']>) => ({ fulfillment_status: name });

/** The next step, by the status, or by how far an order is. */
const steps: Record<string, Move> = {
  approved: step('Place the order', { status: 'ordered' }, 'is placed'),
  ordered: step('Start the review', fulfillment('reviewing'), 'is being reviewed'),
  reviewing: step('Start preparing', fulfillment('preparing'), 'is being prepared'),
  preparing: step('Ship it', fulfillment('shipping'), 'is on its way'),
  shipping: step('Mark as delivered', fulfillment('delivered'), 'is delivered', 'has been delivered'),
};

const restore: Move = {
  ...{ label: 'Restore', title: 'Restore the quote?', change: { deleted_at: null } },
  ...{ done: 'The quote is restored.', mail: 'Your quote # was restored by us.' },
};

const cancel: Move = {
  ...{ label: 'Cancel the quote', change: { status: 'cancelled' }, kind: 'danger', title: 'Cancel #?' },
  ...{ done: 'The quote is cancelled.', mail: 'Your quote # was cancelled by us.', dismiss: 'Keep it' },
  warning: 'This can’t be undone.',
};

const noAddress = {
  title: 'Order without an address?',
  warning: 'Nobody has said where it goes. Ask the customer for it now: nobody else can add it to an order.',
};

const isCancellable = (status: string) => ['draft', 'submitted', 'quoted', 'approved'].includes(status);

/** Returns the moves that the rules permit. */
function movesOf(quote: Opened): Move[] {
  const { deleted_at, status, fulfillment_status } = quote;
  if (deleted_at) {
    return [restore];
  }
  const next = steps[fulfillment_status ?? status];
  const isUnaddressed =
    status === 'approved' && quote.delivery_method !== 'pickup' && addressOf(quote) === '';
  return [
    ...(next ? [{ ...next, ...(isUnaddressed && noAddress) }] : []),
    ...(isCancellable(status) ? [cancel] : []),
  ];
}

export function Moves({ quote, onDone }: { quote: Opened; onDone: OnDone }) {
  const { client } = useSession().staff;
  const [asked, setAsked] = useState<{ move: Move; version: string | null } | null>(null);
  const { problem, isBusy, send } = useRequest(quote, quote.fulfillment_status ?? quote.status);
  const moves = movesOf(quote);
  const named = (text: string) => text.replace('#', quote.quote_number);

  /** Changes the version that it was asked about. */
  async function make({ change, done }: Move, version: string | null) {
    setAsked(null);
    const { data } = await send(changeQuote(client, quote.id, version, change));
    if (data) {
      onDone({ message: done, version: data.updated_at });
    }
  }

  return (
    <>
      {problem && <Notice kind="error">{problem.sentence}</Notice>}
      {moves.length > 0 && (
        <div className="actions">
          {moves.toReversed().map(move => (
            <Button
              key={move.label}
              kind={move.kind ?? 'primary'}
              isBusy={isBusy}
              onClick={() => setAsked({ move, version: quote.updated_at })}
            >
              {move.label}
            </Button>
          ))}
        </div>
      )}
      {asked && (
        <Dialog
          title={named(asked.move.title ?? `${asked.move.label}?`)}
          action={asked.move.label}
          dismiss={asked.move.dismiss ?? 'Not yet'}
          kind={asked.move.kind ?? 'primary'}
          onConfirm={() => make(asked.move, asked.version)}
          onCancel={() => setAsked(null)}
        >
          {asked.move.warning && <p>{asked.move.warning}</p>}
          <Mail text={named(asked.move.mail)} />
        </Dialog>
      )}
    </>
  );
}

/** Says what the customer will get. */
export const Mail = ({ text }: { text: string }) =>
  text === '' ? (
    <p>Nothing changes, so the customer gets no message.</p>
  ) : (
    <>
      <p>The customer gets this in the application and by e-mail:</p>
      <blockquote className="keep-lines">{text}</blockquote>
    </>
  );
