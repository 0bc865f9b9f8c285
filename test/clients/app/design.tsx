/** The form of a quote: saved as a draft as often as its customer likes, and then submitted. */
import { type SubmitEvent, useEffect, useState } from 'react';
import { issuesOf } from '../../../schema/database.ts';
import { Field } from './field.tsx';
import { changeQuote, createQuote, type Draft, type Quote } from './quotes.ts';
import { supabase } from './supabase.ts';

const sizes = ['S', 'M', 'L'];

interface Props {
  account: string;
  quote: Quote | undefined;
  onSaved: (quote: Quote) => void;
}

export function Design({ account, quote, onSaved }: Props) {
  const [error, setError] = useState<{ message: string } | null>(null);
  const graphics = useGraphics();
  const issues = issuesOf(error);
  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const draft = readDraft(new FormData(event.currentTarget, event.nativeEvent.submitter));
    const answer = quote ? await changeQuote(quote, draft) : await createQuote(account, draft);
    setError(answer.error);
    if (answer.data) {
      onSaved(answer.data);
    }
  }
  if (quote && quote.status !== 'draft') {
    return <p>{quote.quote_number} is submitted: its price will be shown above.</p>;
  }
  return (
    <form onSubmit={save} noValidate>
      <h2>{quote?.quote_number ?? 'A new quote'}</h2>
      <Field label="Text" name="text" issues={issues} defaultValue={quote?.text ?? ''} />
      <fieldset>
        <legend>Graphic</legend>
        {graphics.map(({ code, name, file_url }) => (
          <label key={code}>
            <input type="radio" name="graphic" value={code} defaultChecked={code === quote?.graphic} />
            <img src={file_url} alt="" width="32" height="32" /> {name}
          </label>
        ))}
      </fieldset>
      {sizes.map(size => (
        <Field
          key={size}
          label={`Players of size ${size}`}
          type="number"
          name={`size_breakdown.${size}`}
          issues={issues}
          defaultValue={quote?.size_breakdown?.[size] ?? 0}
        />
      ))}
      <Field label="Needed on" name="event_date" issues={issues} defaultValue={quote?.event_date ?? ''} />
      <p role="alert">{error?.message}</p>
      <button type="submit" name="status" value="draft">
        Save
      </button>
      <button type="submit" name="status" value="submitted">
        Submit
      </button>
    </form>
  );
}

/** Reads the form; its status is that of the button. */
function readDraft(form: FormData): Draft {
  const text = (name: string) => String(form.get(name) ?? '');
  const counts = sizes.map(size => Number(text(`size_breakdown.${size}`)));
  return {
    customization: { jersey: { text: text('text'), graphics: form.getAll('graphic').map(String) } },
    size_breakdown: Object.fromEntries(sizes.map((size, at) => [size, counts[at] ?? 0])),
    roster_count: counts.reduce((sum, count) => sum + count),
    event_date: text('event_date') || null,
    status: text('status') === 'submitted' ? 'submitted' : 'draft',
  };
}

const readGraphics = () => supabase.from('graphics').select('code, name, file_url').order('sort_order');

function useGraphics() {
  const [graphics, setGraphics] = useState<Awaited<ReturnType<typeof readGraphics>>['data']>([]);
  useEffect(() => void readGraphics().then(({ data }) => setGraphics(data)), []);
  return graphics ?? [];
}
