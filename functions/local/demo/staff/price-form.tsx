/** The offer: a price per unit and in total, kept in step, in the quote's own currency, until a day. */
import { type FormEvent, useState } from 'react';
import type { Issue } from '../../../../schema/database.ts';
import { money, players } from '../format.ts';
import { type Problem, problemOf } from '../problem.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSession } from '../use-session.ts';
import { dayOf, endOf } from './days.ts';
import { divide, parseAmount, scaleOf, writeAmount } from './prices.ts';
import { changeQuote, type Opened } from './queries.ts';
import type { OnDone } from './quote-view.tsx';

/** Days that a new offer holds, unless it says otherwise. */
const usualDays = 30;

/** What was typed, and the version of the quote that it is for. */
interface Typed {
  unit: string;
  total: string;
  /** The one that was typed; the other one follows from it. */
  lead: 'unit' | 'total';
  /** The last day of the offer, as `2026-11-24`; empty for none. */
  until: string;
  basedOn: string | null;
  count: number;
}

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
    const next = keepInStep({ ...values, ...change }, scale);
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

/** Returns how many pieces are priced. A quote that doesn't say has one. */
const countOf = ({ roster_count, size_breakdown }: Opened): number =>
  roster_count || Object.values(size_breakdown ?? {}).reduce((sum, count) => sum + count, 0) || 1;

function valuesOf(quote: Opened, scale: number): Typed {
  const { unit_price, total_price, expires_at, updated_at } = quote;
  const write = (price: string | null) => {
    const amount = parseAmount(price ?? '', scale);
    return amount === undefined ? (price ?? '') : writeAmount(amount, scale);
  };
  const isAhead = expires_at !== null && new Date(expires_at).getTime() > Date.now();
  const last = isAhead ? new Date(expires_at) : new Date();
  if (!isAhead) {
    last.setDate(last.getDate() + usualDays);
  }
  return {
    ...{ unit: write(unit_price), total: write(total_price), lead: 'unit', until: dayOf(last) },
    ...{ basedOn: updated_at, count: countOf(quote) },
  };
}

/** Returns the values with the price that wasn't typed calculated from the other one. */
function keepInStep(values: Typed, scale: number): Typed {
  const { lead, count } = values;
  const amount = parseAmount(values[lead], scale);
  if (amount === undefined) {
    return values;
  }
  return lead === 'unit'
    ? { ...values, total: writeAmount(amount * BigInt(count), scale) }
    : { ...values, unit: writeAmount(divide(amount, count), scale) };
}

/** Says how the total comes about, and when it isn't the product. */
function explain({ unit, total, count }: Typed, scale: number, currency: string): string {
  const [each, all] = [parseAmount(unit, scale), parseAmount(total, scale)];
  if (each === undefined || all === undefined) {
    return `For ${players(count)}. Type either price: the other one follows.`;
  }
  const product = each * BigInt(count);
  const sum = `${count} × ${money(unit, currency)} = ${money(writeAmount(product, scale), currency)}`;
  return product === all ? sum : `${sum}. The total that is offered is ${money(total, currency)}.`;
}

/** Returns what can’t be sent. The service checks the rest. */
function check({ unit, total }: Typed, scale: number): Issue[] {
  const expected =
    scale === 0
      ? 'a whole amount such as 42'
      : `an amount such as ${writeAmount((4250n * 10n ** BigInt(scale)) / 100n, scale)}`;
  return Object.entries({ unit_price: unit, total_price: total })
    .filter(([, text]) => parseAmount(text, scale) === undefined)
    .map(([path, received]) => ({ path, expected, received, message: `Write ${expected}.` }));
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
