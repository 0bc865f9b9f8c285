/** The offer: a price per unit and in total, kept in step, in the quote's own currency, until a day. */
import { type FormEvent, useState } from 'react';
import type { Issue } from '../../../schema/database.ts';
import { scaleOf } from '../amounts.ts';
import { endOf, issuesOfYear } from '../days.ts';
import { money, players, point, time } from '../format.ts';
import { problemOf, useRequest } from '../problem.ts';
import { useSession } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/pieces.tsx';
import { useKept } from '../use-kept.ts';
import { Mail } from './moves.tsx';
import {
  check,
  countOf,
  explain,
  follow,
  lastDayOf,
  readingsOf,
  type Typed,
  timesOf,
  typePrice,
  valuesOf,
} from './offer.ts';
import { type OnDone, type Opened, priceQuote } from './queries.ts';

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

/** Returns the first lines of what the customer gets; empty where nothing changes. */
function mailOf(quote: Opened, { unit, total }: Typed, isSameEnd: boolean): string {
  const { status, quote_number: number, currency } = quote;
  const isSame = Number(unit) === Number(quote.unit_price) && Number(total) === Number(quote.total_price);
  const price = money(total, currency);
  const news = `Your quote ${number} has its price: ${price}.`;
  if (status !== 'quoted') {
    return status === 'approved' ? `The approval of your quote ${number} was undone by us.\n${news}` : news;
  }
  return isSame
    ? isSameEnd
      ? ''
      : `The end of your offer ${number} has changed.`
    : `The price of your quote ${number} has changed: ${price}.`;
}

function Form({ quote, onDone }: { quote: Opened; onDone: OnDone }) {
  const { client } = useSession().staff;
  const { currency } = quote;
  const [typed, setTyped] = useKept<Typed | undefined>(`price ${quote.id}`, undefined);
  const [isAsked, setAsked] = useState(false);
  const [issues, setIssues] = useState<Issue[]>([]);
  const { problem, setProblem, isBusy, send } = useRequest(quote, quote.status);
  const scale = scaleOf(currency, quote.unit_price, quote.total_price);
  // Until something is typed, the form follows the quote.
  const values = typed ?? valuesOf(quote, scale);
  const asked = quote.quote_events.find(({ event }) => event === 'quote.submitted');
  const isOutdated = values.basedOn.updated_at !== quote.updated_at;
  const readings = readingsOf(values, scale);
  const lastDay = lastDayOf(quote);
  const isSameEnd = values.until === lastDay;

  function forget() {
    setTyped(undefined);
    setIssues([]);
    setProblem(null);
  }

  /** Goes on with what was typed, for the version that is shown now. */
  const rebase = () => setTyped(follow({ ...values, basedOn: timesOf(quote), count: countOf(quote) }, scale));

  function ask(event: FormEvent) {
    event.preventDefault();
    const wrong = [...check(values, scale), ...issuesOfYear('expires_at', values.until)];
    setIssues(wrong);
    setProblem(null);
    setAsked(wrong.length === 0);
  }

  async function offer() {
    setAsked(false);
    const row = {
      status: 'quoted' as const,
      unit_price: Number(values.unit),
      total_price: Number(values.total),
      currency,
      expires_at: isSameEnd ? quote.expires_at : endOf(values.until),
    };
    const { data, error } = await send(priceQuote(client, quote.id, values.basedOn, row));
    if (data) {
      forget();
      const price = money(data.total_price ?? '0', data.currency);
      onDone({ message: `The offer of ${price} is with the customer.`, version: data.updated_at });
    }
    setIssues(error ? problemOf(error).issues : []);
  }

  /** Returns what the field of a price gets. */
  const price = (lead: Typed['lead'], label: string) => ({
    ...{ label: `${label}, in ${currency}`, name: `${lead}_price`, issues, autoComplete: 'off' },
    inputMode: 'decimal' as const,
    value: (values.lead === lead ? values.text : null) ?? values[lead].replace('.', point),
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped(typePrice(values, lead, target.value, scale)),
  });

  return (
    <form className="desk-form" onSubmit={ask} noValidate>
      {quote.status === 'submitted' && quote.customer_notes && (
        <p className="keep-lines">The customer writes: {quote.customer_notes}</p>
      )}
      {quote.status === 'submitted' && asked?.said && (
        <p className="keep-lines">{`${asked.signer} writes by a link: ${asked.said}`}</p>
      )}
      <p className="muted">{explain(values, scale, currency)}</p>
      <div className="columns">
        <Field {...price('unit', 'Each')} />
        <Field {...price('total', 'Total')} />
        <Field
          label="Valid until"
          hint={isSameEnd && quote.expires_at ? time(quote.expires_at) : 'The end of this day'}
          name="expires_at"
          type="date"
          max="9999-12-31"
          issues={issues}
          value={values.until}
          onChange={event => setTyped({ ...values, until: event.target.value })}
        />
      </div>
      {readings.length > 0 && (
        <Notice kind="warning">
          Which amount is {values.text}?{' '}
          {readings.map(reading => (
            <Button
              key={reading}
              onClick={() => {
                setIssues([]);
                setTyped(follow({ ...values, text: null, [values.lead]: reading }, scale));
              }}
            >
              {money(reading, currency)}
            </Button>
          ))}
        </Notice>
      )}
      {isOutdated && (
        <Notice kind="warning">
          The quote has changed since you began
          {values.count !== countOf(quote) && `: ${players(values.count)} became ${players(countOf(quote))}`}.
          Check it; what you typed is still here. <Button onClick={rebase}>I have checked it</Button>
        </Notice>
      )}
      {problem && !isOutdated && <Notice kind="error">{problem.sentence}</Notice>}
      <div className="actions">
        {typed && <Button onClick={forget}>Discard</Button>}
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Send the offer
        </Button>
      </div>
      {isAsked && (
        <Dialog
          title="Send this offer?"
          action="Send the offer"
          dismiss="Not yet"
          onConfirm={offer}
          onCancel={() => setAsked(false)}
        >
          <Mail text={mailOf(quote, values, isSameEnd)} />
        </Dialog>
      )}
    </form>
  );
}
