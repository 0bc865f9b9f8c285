/** What the staff can do next with a quote. */
import { type ReactNode, useState } from 'react';
import { problemOf, useProblem } from '../problem.ts';
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
  kind?: 'primary' | 'danger';
  /** What is asked before. */
  question?: { title: string; dismiss: string; text: ReactNode };
}

const step = (label: string, change: Change, done: string): Move => ({
  label,
  change,
  done,
  kind: 'primary',
});

/** The next step, by the status, or by how far an order is. */
const steps: Record<string, Move> = {
  approved: step('Place the order', { status: 'ordered' }, 'The order is placed.'),
  ordered: step('Start the review', { fulfillment_status: 'reviewing' }, 'The order is being reviewed.'),
  reviewing: step('Start preparing', { fulfillment_status: 'preparing' }, 'The order is being prepared.'),
  preparing: step('Ship it', { fulfillment_status: 'shipping' }, 'The order is shipping.'),
  shipping: step('Mark as delivered', { fulfillment_status: 'delivered' }, 'The order is delivered.'),
};

const restore = step('Restore', { deleted_at: null }, 'The quote is restored.');

const cancel = (number: string): Move => ({
  ...{ label: 'Cancel the quote', change: { status: 'cancelled' }, kind: 'danger' },
  done: 'The quote is cancelled.',
  question: {
    title: `Cancel ${number}?`,
    dismiss: 'Keep it',
    text: <p>The customer is notified. This can’t be undone.</p>,
  },
});

const isCancellable = (status: string) => ['draft', 'submitted', 'quoted', 'approved'].includes(status);

const noAddress = {
  title: 'Order without an address?',
  dismiss: 'Not yet',
  text: (
    <p>Nobody has said where it goes. Ask the customer for it now: nobody else can add it to an order.</p>
  ),
};

/** Returns the moves that the rules permit. */
function movesOf(quote: Opened): Move[] {
  const { deleted_at, status, fulfillment_status, quote_number } = quote;
  if (deleted_at) {
    return [restore];
  }
  const next = steps[fulfillment_status ?? status];
  const isUnaddressed =
    status === 'approved' && quote.delivery_method !== 'pickup' && addressOf(quote) === '';
  return [
    ...(next ? [{ ...next, ...(isUnaddressed && { question: noAddress }) }] : []),
    ...(isCancellable(status) ? [cancel(quote_number)] : []),
  ];
}

export function Moves({ quote, onDone }: { quote: Opened; onDone: OnDone }) {
  const { client } = useSession().staff;
  const [asked, setAsked] = useState<{ move: Move; version: string | null } | null>(null);
  const [running, setRunning] = useState('');
  const [problem, setProblem] = useProblem(quote, quote.fulfillment_status ?? quote.status);
  const moves = movesOf(quote);

  /** Changes the version that was seen: when there is a question, the one that it was asked about. */
  async function make({ label, change, done }: Move, version: string | null) {
    setAsked(null);
    setRunning(label);
    const { data, error } = await changeQuote(client, quote.id, version, change);
    setRunning('');
    setProblem(error && problemOf(error));
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
              kind={move.kind ?? 'quiet'}
              isBusy={running !== ''}
              onClick={() =>
                move.question ? setAsked({ move, version: quote.updated_at }) : make(move, quote.updated_at)
              }
            >
              {move.label}
            </Button>
          ))}
        </div>
      )}
      {asked?.move.question && (
        <Dialog
          title={asked.move.question.title}
          action={asked.move.label}
          dismiss={asked.move.question.dismiss}
          kind={asked.move.kind === 'danger' ? 'danger' : 'primary'}
          onConfirm={() => make(asked.move, asked.version)}
          onCancel={() => setAsked(null)}
        >
          {asked.move.question.text}
        </Dialog>
      )}
    </>
  );
}
