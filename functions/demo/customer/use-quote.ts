/** A quote that its customer works on: the saved row, what was typed since, and how it is saved. */
import { useCallback, useState } from 'react';
import { columnsOf, countUnits, emptyDesign, playersPath, readDesign } from '../jersey/design.ts';
import { problemOf, type ServiceError, useProblem } from '../problem.ts';
import type { Issue } from '../ui/field.tsx';
import { useLive } from '../use-live.ts';
import { useSession } from '../use-session.ts';
import {
  addNote,
  columns,
  contactColumns,
  detailColumns,
  detailsOf,
  type Quote,
  readQuote,
} from './details.ts';
import { type Draft, forgetDraft, keepDraft, readDraft, useDraft } from './draft.ts';

/** The product of the demo. */
const product_id = 'd0000000-0000-4000-8000-000000000001';

type Answer = PromiseLike<{ data: Quote | null; error: ServiceError | null }>;
/** Values that the user must have seen to make a change: the price that is approved, for example. */
type Seen = { updated_at: string | null } | Pick<Quote, 'total_price' | 'currency'>;

const editable = ['draft', 'submitted', 'quoted', 'approved'];

export function useQuote(id: string) {
  const { client, id: account_id } = useSession().customer;
  const read = useCallback(() => readQuote(client, id), [client, id]);
  const live = useLive(client, 'quotes', read, { filter: `id=eq.${id}` });
  const [written, setWritten] = useState<Quote>();
  const [isBusy, setIsBusy] = useState(false);
  const typed = useDraft(id);

  const quote = newest(live.data?.[0], written);
  const isNew = quote === undefined;
  const status = quote?.status ?? 'draft';
  const draft = typed ?? draftOf(quote);
  const [problem, setProblem] = useProblem(live.data, status);

  /** Waits for a write. Returns whether it succeeded; a problem is shown. */
  async function write(request: () => Answer): Promise<boolean> {
    setIsBusy(true);
    setProblem(null);
    const { data, error } = await request();
    setIsBusy(false);
    if (error) {
      setProblem(problemOf(error));
    }
    if (data) {
      setWritten(data);
    }
    return error === null;
  }

  /** Changes the version that was seen, and no other. */
  const update = (row: object, seen: Seen = { updated_at: draft.basedOn }): Answer =>
    client
      .from('quotes')
      .update(row)
      .match({ id, ...seen })
      .select(columns)
      .single();

  async function insert(row: ReturnType<typeof allColumns>): Promise<Awaited<Answer>> {
    const { data: quote_number, error } = await client.rpc('next_quote_number');
    return error
      ? { data: null, error }
      : client
          .from('quotes')
          .insert({ ...row, id, account_id, product_id, quote_number })
          .select(columns)
          .single();
  }

  /** Saves what was typed, and submits it, if that is asked. What is typed meanwhile stays. */
  async function save(next?: 'submitted'): Promise<boolean> {
    const sent = readDraft(id);
    const missing = next ? missingOf(draft, quote) : [];
    if (missing.length > 0) {
      setProblem({ sentence: 'It is not submitted yet: something is missing.', issues: missing });
      return false;
    }
    return await write(async () => {
      const answer = await (isNew
        ? insert(allColumns(draft))
        : update({ ...typedColumns(), ...(next && { status: next }) }));
      if (answer.data) {
        keepNewer(answer.data, sent);
        // A new quote is a draft first, so that it isn't lost when it can't be submitted.
        return isNew && next
          ? await update({ status: next }, { updated_at: answer.data.updated_at })
          : answer;
      }
      return answer;
    });
  }

  const typedColumns = () => (status === 'draft' ? allColumns(draft, quote) : contactColumns(draft.details));

  return {
    quote,
    draft,
    status,
    isNew,
    isBusy,
    problem,
    isLoading: live.data === null && live.error === null && written === undefined,
    readError: live.error,
    hasChanges: typed !== undefined,
    /** Whether the saved quote is newer than what was typed is based on. */
    isOutdated: typed !== undefined && quote !== undefined && typed.basedOn !== quote.updated_at,
    canEditDesign: status === 'draft',
    canEditContact: editable.includes(status),
    edit: (change: Partial<Draft>) => keepDraft(id, { ...draft, ...change }),
    discard: () => {
      forgetDraft(id);
      setProblem(null);
    },
    /** Makes what was typed a change of the newest version. */
    keepMine: () => {
      keepDraft(id, { ...draft, basedOn: quote?.updated_at ?? null });
      setProblem(null);
    },
    save,
    /** Moves the quote. A note is added above the customer's notes. */
    move: (status: Quote['status'], seen: Seen, note = '') =>
      write(async () => {
        const notes = note && { customer_notes: addNote(note, quote?.customer_notes ?? '') };
        const answer = await update({ status, ...notes }, seen);
        if (answer.data) {
          rebase(answer.data, note);
        }
        return answer;
      }),
    remove: () => write(() => client.from('quotes').delete().match({ id }).select(columns).single()),
  };

  /** What was typed before a move becomes a change of the version that the move has made, below the note that was sent. */
  function rebase(moved: Quote, note: string): void {
    const current = readDraft(id);
    if (current) {
      const customer_notes = addNote(note, current.details.customer_notes);
      const basedOn = current.basedOn === quote?.updated_at ? moved.updated_at : current.basedOn;
      keepDraft(id, { ...current, details: { ...current.details, customer_notes }, basedOn });
    }
  }

  function keepNewer(saved: Quote, sent: Draft | undefined): void {
    const current = readDraft(id);
    if (current === undefined || current === sent) {
      forgetDraft(id);
    } else {
      keepDraft(id, { ...current, basedOn: saved.updated_at });
    }
  }
}

export type QuoteState = ReturnType<typeof useQuote>;

const draftOf = (quote?: Quote): Draft => ({
  design: quote ? readDesign(quote.customization, quote.colors) : emptyDesign,
  details: detailsOf(quote),
  basedOn: quote?.updated_at ?? null,
});

const allColumns = ({ design, details }: Draft, quote?: Quote) => ({
  ...columnsOf(design, quote?.customization),
  ...detailColumns(details),
});

/** Returns what must be there before a price can be asked for. */
const missingOf = ({ design, details }: Draft, quote?: Quote): Issue[] =>
  [
    countUnits(design.players, quote) === 0 && [
      playersPath,
      'Add at least one player: the price is for them.',
    ],
    !details.contact_email.trim() && ['contact_email', 'Write an e-mail address: we send the price there.'],
  ]
    .filter(entry => entry !== false)
    .map(([path = '', message = '']) => ({ path, message, expected: message, received: '' }));

/** Returns the later version. Times of the service can be compared as texts. */
const newest = (one?: Quote, other?: Quote): Quote | undefined =>
  one && other ? ((one.updated_at ?? '') > (other.updated_at ?? '') ? one : other) : (one ?? other);
