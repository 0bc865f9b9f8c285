/** The offer: a price per unit and in total, kept in step, in the quote's own currency, until a day. */
import { type FormEvent, useState } from 'react';
import type { Issue } from '../../../../schema/database.ts';
import { money, players } from '../format.ts';
import { type Problem, problemOf } from '../problem.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSession } from '../use-session.ts';
import { endOf } from './days.ts';
import { changeOffer, check, countOf, explain, type Typed, valuesOf } from './offer.ts';
import { scaleOf } from './prices.ts';
import { changeQuote, type Opened } from './queries.ts';
import type { OnDone } from './quote-view.tsx';

const titles: Partial<Record<Opened['status'], string>> = {
  quoted: 'Change the offer',
  approved: 'Offer another price',
  rejected: 'Make another offer',
  expired: 'Offer it again',
};

/** Whether the rules let the staff offer a price. */
export const isPriceable = ({ status, deleted_at }: Opened): boolean =>
  !deleted_at && (status === 'submitted' || status in titles);

/** Asks for a price; folded away where the quote has one. */
export function PriceForm({ quote, onDone }: { quote: Opened; onDone: OnDone }) {
  const form = <Form quote={quote} onDone={onDone} />;
  if (quote.status === 'submitted') {
    return form;
  }
  return (
    <details className="desk-price" key={quote.status}>
      <summary>{titles[quote.status]}</summary>
      {quote.status === 'approved' && (
        <Notice kind="warning">
          The customer has approved the price. Another offer needs a new approval.
        </Notice>
      )}
      {form}
    </details>
  );
}

function Form({ quote, onDone }: { quote: Opened; onDone: OnDone }) {
  const { client } = useSession().staff;
  const { currency } = quote;
  const key = `price ${quote.id}`;
  const [typed, setTyped] = useState(() => readTyped(key));
  const [issues, setIssues] = useState<Issue[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const scale = scaleOf(currency, quote.unit_price, quote.total_price);
  // Until something is typed, the form follows the quote.
  const values = typed ?? valuesOf(quote, scale);
  const isOutdated = values.basedOn !== quote.updated_at;

  function type(change: Partial<Typed>) {
    const next = changeOffer(values, change, scale);
    keepTyped(key, next);
    setTyped(next);
  }

  function forget() {
    keepTyped(key, null);
    setTyped(null);
  }

  /** Goes on with what was typed, for the version that is shown now. */
  const rebase = () => type({ basedOn: quote.updated_at, count: countOf(quote) });

  async function send(event: FormEvent) {
    event.preventDefault();
    const wrong = check(values, scale);
    setIssues(wrong);
    setProblem(null);
    if (wrong.length > 0) {
      return;
    }
    setIsBusy(true);
    const { data, error } = await changeQuote(client, quote.id, values.basedOn, {
      status: 'quoted',
      unit_price: Number(values.unit),
      total_price: Number(values.total),
      currency,
      expires_at: endOf(values.until),
    });
    setIsBusy(false);
    const refused = error && problemOf(error);
    setIssues(refused?.issues ?? []);
    setProblem(refused);
    if (data) {
      forget();
      const price = money(data.total_price ?? '0', data.currency);
      onDone({ message: `The offer of ${price} is with the customer.`, version: data.updated_at });
    }
  }

  return (
    <form className="desk-form" onSubmit={send} noValidate>
      <p className="muted">{explain(values, scale, currency)}</p>
      <div className="columns">
        <Field
          label={`Each, in ${currency}`}
          name="unit_price"
          inputMode="decimal"
          autoComplete="off"
          issues={issues}
          value={values.unit}
          onChange={event => type({ unit: event.target.value, lead: 'unit' })}
        />
        <Field
          label={`Total, in ${currency}`}
          name="total_price"
          inputMode="decimal"
          autoComplete="off"
          issues={issues}
          value={values.total}
          onChange={event => type({ total: event.target.value, lead: 'total' })}
        />
        <Field
          label="Valid until"
          hint="The end of this day"
          name="expires_at"
          type="date"
          max="9999-12-31"
          issues={issues}
          value={values.until}
          onChange={event => type({ until: event.target.value })}
        />
      </div>
      {isOutdated && (
        <Notice kind="warning">
          The quote has changed since you began
          {values.count !== countOf(quote) && `: ${players(values.count)} became ${players(countOf(quote))}`}.
          Check it; what you typed is still here. <Button onClick={rebase}>I have checked it</Button>
        </Notice>
      )}
      {problem && !isOutdated && <Notice kind="error">{problem.sentence}</Notice>}
      <div className="actions">
        {typed && (
          <Button
            onClick={() => {
              forget();
              setIssues([]);
              setProblem(null);
            }}
          >
            Discard
          </Button>
        )}
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Send the offer
        </Button>
      </div>
    </form>
  );
}

/** Returns what was typed before a reload; null for nothing, or when the browser keeps nothing. */
function readTyped(key: string): Typed | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function keepTyped(key: string, typed: Typed | null): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(typed));
  } catch {
    // The storage is full or forbidden: the page still has what was typed.
  }
}
