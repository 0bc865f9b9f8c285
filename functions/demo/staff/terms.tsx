/** What the customer pays and until when the offer holds; of an order, when it arrives. */
import { type FormEvent, useState } from 'react';
import { dayOf, issuesOfYear, noonOf } from '../days.ts';
import { day, makeup, money, validity } from '../format.ts';
import { useRequest } from '../problem.ts';
import { useSession } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice, useClock } from '../ui/pieces.tsx';
import { useKept } from '../use-kept.ts';
import { Mail } from './moves.tsx';
import { countOf } from './offer.ts';
import { changeQuote, type OnDone, type Opened } from './queries.ts';

export function Terms({ quote }: { quote: Opened }) {
  useClock();
  const { status, unit_price, total_price, currency, expires_at } = quote;
  if (total_price === null) {
    return null;
  }
  const parts = [
    unit_price !== null && makeup(countOf(quote), unit_price, total_price, currency),
    status === 'quoted' && expires_at && validity(expires_at),
  ];
  return (
    <p>
      <strong className="desk-total">{money(total_price, currency)}</strong>{' '}
      <span className="muted">{parts.filter(Boolean).join(', ')}</span>
    </p>
  );
}

/** Asks for the day on which an order arrives. */
export function ArrivalForm({ quote, onDone }: { quote: Opened; onDone: OnDone }) {
  const { client } = useSession().staff;
  const { id, status, fulfillment_status, estimated_delivery_at, updated_at } = quote;
  const stored = estimated_delivery_at ? dayOf(estimated_delivery_at) : '';
  const [typed, setTyped] = useKept<string | undefined>(`arrival ${id}`, undefined);
  const [isAsked, setAsked] = useState(false);
  const { problem, setProblem, isBusy, send } = useRequest(quote, fulfillment_status ?? status);
  const chosen = typed ?? stored;
  if (status !== 'ordered' || fulfillment_status === 'delivered') {
    const expected = fulfillment_status === 'delivered' ? 'It was expected' : 'Expected';
    return (
      estimated_delivery_at && (
        <p className="muted">
          {expected} on {day(estimated_delivery_at)}.
        </p>
      )
    );
  }
  function ask(event: FormEvent) {
    event.preventDefault();
    const year = issuesOfYear('estimated_delivery_at', chosen);
    setProblem(year.length > 0 ? { sentence: '', issues: year } : null);
    setAsked(year.length === 0);
  }
  async function save() {
    setAsked(false);
    const change = { estimated_delivery_at: chosen === stored ? estimated_delivery_at : noonOf(chosen) };
    const { data } = await send(changeQuote(client, id, updated_at, change));
    if (data) {
      setTyped(undefined);
      onDone({ message: 'The customer sees the day of arrival.', version: data.updated_at });
    }
  }
  return (
    <form className="desk-arrival" onSubmit={ask} noValidate>
      <Field
        label="Expected to arrive on"
        name="estimated_delivery_at"
        type="date"
        max="9999-12-31"
        issues={problem?.issues}
        value={chosen}
        onChange={event => setTyped(event.target.value)}
      />
      <Button type="submit" isBusy={isBusy}>
        Save
      </Button>
      {problem && problem.issues.length === 0 && <Notice kind="error">{problem.sentence}</Notice>}
      {isAsked && (
        <Dialog
          title={chosen ? `Expected on ${day(chosen)}?` : 'No day of arrival?'}
          action="Save the day"
          dismiss="Not yet"
          onConfirm={save}
          onCancel={() => setAsked(false)}
        >
          <Mail
            text={
              chosen === stored ? '' : `The delivery date of your order ${quote.quote_number} has changed.`
            }
          />
        </Dialog>
      )}
    </form>
  );
}
