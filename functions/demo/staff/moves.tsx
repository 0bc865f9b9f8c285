/** What the staff can do next with a quote. */
import { type ReactNode, useState } from 'react';
import { problemOf, useProblem } from '../problem.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSession } from '../use-session.ts';
import { type Change, changeQuote, type OnDone, type Opened } from './queries.ts';

interface Move {
  label: string;
  change: Change;
  /** What is said when it is done. */
  done: string;
  kind?: 'primary' | 'danger';
  /** What is asked before. */
  question?: { title: string; text: ReactNode };
}

/** The next step, by the status, or by how far an order is. */
const steps: Record<string, Move> = {
  approved: {
    ...{ label: 'Place the order', change: { status: 'ordered' } },
    done: 'The order is placed.',
  },
  ordered: {
    ...{ label: 'Start the review', change: { fulfillment_status: 'reviewing' } },
    done: 'The order is being reviewed.',
  },
  reviewing: {
    ...{ label: 'Start preparing', change: { fulfillment_status: 'preparing' } },
    done: 'The order is being prepared.',
  },
  preparing: { label: 'Ship it', change: { fulfillment_status: 'shipping' }, done: 'The order is shipping.' },
  shipping: {
    ...{ label: 'Mark as delivered', change: { fulfillment_status: 'delivered' } },
    done: 'The order is delivered.',
  },
};

const restore: Move = {
  ...{ label: 'Restore', change: { deleted_at: null }, kind: 'primary' },
  done: 'The quote is restored.',
};

const cancel = (number: string): Move => ({
  ...{ label: 'Cancel the quote', change: { status: 'cancelled' }, kind: 'danger' },
  done: 'The quote is cancelled.',
  question: { title: `Cancel ${number}?`, text: <p>The customer is notified. This can’t be undone.</p> },
});

const isCancellable = (status: string) => ['draft', 'submitted', 'quoted', 'approved'].includes(status);

/** Returns the moves that the rules permit. */
function movesOf({ deleted_at, status, fulfillment_status, quote_number }: Opened): Move[] {
  if (deleted_at) {
    return [restore];
  }
  const step = steps[fulfillment_status ?? status];
  return [
    ...(step ? [{ kind: 'primary', ...step } as const] : []),
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
          dismiss="Keep it"
          kind="danger"
          onConfirm={() => make(asked.move, asked.version)}
          onCancel={() => setAsked(null)}
        >
          {asked.move.question.text}
        </Dialog>
      )}
    </>
  );
}
