/** A quote that its customer works on: the saved row, what was typed since, and how it is saved. */
import { useCallback, useState } from 'react';
import { issuesOfYear } from '../days.ts';
import { columnsOf, countUnits, emptyDesign, playersPath, readDesign } from '../jersey/design.ts';
import { problemOf, type ServiceError, useProblem } from '../problem.ts';
import { useSession } from '../supabase.ts';
import type { Issue } from '../ui/field.tsx';
import { useLive } from '../use-live.ts';
import {
  addNote,
  columns,
  contactColumns,
  detailColumns,
  detailsOf,
  missing,
  type Quote,
  readQuote,
} from './details.ts';
import { type Draft, forgetDraft, keepDraft, readDraft, useDraft } from './draft.ts';

/** The product of the demo. */
const product_id = 'd0000000-0000-4000-8000-000000000001';

type Answer = PromiseLike<{ data: Quote | null; error: ServiceError | null }>;
const editable = ['draft', 'submitted', 'quoted', 'approved'];

export function useQuote(id: string) {
  const { client, id: account_id } = useSession().customer;
  const read = useCallback(() => readQuote(client, id), [client, id]);
  const live = useLive(client, { quotes: `id=eq.${id}`, quote_events: `quote_id=eq.${id}` }, read);
  const [written, setWritten] = useState<Quote>();
  const [isBusy, setIsBusy] = useState(false);
  const typed = useDraft(id);

  const [history] = live.data ?? [];
  const quote = newest(history, written);
  const isNew = quote === undefined;
  const status = quote?.status ?? 'draft';
  const draft = typed ?? draftOf(quote);
  const [problem, setProblem] = useProblem(live.data, status);
  /** Whether the saved quote is newer than what was typed is based on. */
  const isOutdated = typed !== undefined && quote !== undefined && typed.basedOn !== quote.updated_at;

  /** Waits for a write. Returns whether it succeeded; a problem is shown, behind what was not done. */
  async function write(request: () => Answer, undone = ''): Promise<boolean> {
    setIsBusy(true);
    setProblem(null);
    const { data, error } = await request();
    setIsBusy(false);
    if (error) {
      const { sentence, ...others } = problemOf(error);
      setProblem({ ...others, sentence: `${undone} ${sentence}`.trim() });
    }
    if (data) {
      setWritten(data);
    }
    return error === null;
  }

  /** Changes the version that was seen, and no other. */
  const update = (row: object, updated_at = draft.basedOn): Answer =>
    client.from('quotes').update(row).match({ id, updated_at }).select(columns).single();

  async function insert(
    row: ReturnType<typeof allColumns> & { status?: 'submitted' },
  ): Promise<Awaited<Answer>> {
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
    const year = issuesOfYear('event_date', draft.details.event_date);
    const issues = [...(next ? missingOf(draft, quote) : []), ...year];
    if (issues.length > 0) {
      setProblem({ sentence: `It is not ${next ?? 'saved'} yet.`, issues });
      return false;
    }
    return await write(async () => {
      const status = next && { status: next };
      const answer = await (isNew
        ? insert({ ...allColumns(draft), ...status })
        : update({ ...typedColumns(), ...status }));
      if (answer.data) {
        keepNewer(answer.data, sent);
      }
      return answer;
    });
  }

  const typedColumns = () => (status === 'draft' ? allColumns(draft, quote) : contactColumns(draft.details));

  return {
    client,
    quote,
    history,
    draft,
    status,
    isNew,
    isBusy,
    problem,
    isLoading: live.data === null && live.error === null && written === undefined,
    readError: live.error,
    hasChanges: typed !== undefined,
    isOutdated,
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
    /** Approves the offer that was seen, and no other, and saves what was typed for it: the address, for example. */
    approve: (seen: Quote) =>
      write(async () => {
        const sent = readDraft(id);
        const offer = { total_price: Number(seen.total_price), quoted_at: seen.quoted_at };
        const row = { ...(sent && !isOutdated && typedColumns()), ...offer, status: 'approved' as const };
        const answer = await client.from('quotes').update(row).eq('id', id).select(columns).single();
        if (answer.data && !isOutdated) {
          keepNewer(answer.data, sent);
        }
        return answer;
      }, 'Not approved.'),
    /** Moves the version that was seen. A note is added above the customer's notes. */
    move: (status: Quote['status'], version: string | null, note = '') =>
      write(async () => {
        const notes = note && { customer_notes: addNote(note, quote?.customer_notes ?? '') };
        const answer = await update({ status, ...notes }, version);
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
    countUnits(design.players, quote) === 0 &&
      missing(playersPath, 'Add at least one player: the price is for them.'),
    !details.contact_email.trim() &&
      missing('contact_email', 'Write an e-mail address: we send the price there.'),
  ].filter(issue => issue !== false);

/** Returns the later version. Times of the service can be compared as texts. */
const newest = (one?: Quote, other?: Quote): Quote | undefined =>
  one && other ? ((one.updated_at ?? '') > (other.updated_at ?? '') ? one : other) : (one ?? other);
