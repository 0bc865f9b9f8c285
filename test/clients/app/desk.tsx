/** The desk of the staff: how many quotes there are in each status, and those that wait for a price. */
import { type SubmitEvent, useState } from 'react';
import { supabase } from './supabase.ts';
import { useLive } from './use-live.ts';

const readCounts = () =>
  supabase.from('quotes').select('status, currency, count(), total:total_price.sum()').order('status');

const readQueue = () =>
  supabase
    .from('quotes')
    .select('id, quote_number, updated_at, currency, roster_count, text:customization->jersey->>text')
    .eq('status', 'submitted')
    .order('submitted_at')
    .limit(50);

type Waiting = NonNullable<Awaited<ReturnType<typeof readQueue>>['data']>[number];

export function Desk() {
  const counts = useLive('quotes', readCounts);
  const queue = useLive('quotes', readQueue);
  return (
    <>
      <h1>Quotes</h1>
      <p role="alert">{counts.error?.message ?? queue.error?.message}</p>
      <table>
        <tbody>
          {counts.data?.map(({ status, currency, count, total }) => (
            <tr key={status + currency}>
              <th scope="row">{status}</th>
              <td>{count}</td>
              <td>{total === null ? '' : `${total.toFixed(2)} ${currency}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>To price</h2>
      <ul>
        {queue.data?.map(quote => (
          <PriceForm key={quote.id} {...quote} />
        ))}
      </ul>
    </>
  );
}

/** Prices the version that is shown: what its customer changes meanwhile is read first. */
function PriceForm({ id, updated_at, quote_number, roster_count, currency, text }: Waiting) {
  const [refusal, setRefusal] = useState<string>();
  async function price(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const unit_price = Number(new FormData(event.currentTarget).get('unit_price'));
    const total_price = Math.round(unit_price * (roster_count ?? 1) * 100) / 100;
    const { error } = await supabase
      .from('quotes')
      .update({ status: 'quoted', unit_price, total_price, currency })
      .match({ id, updated_at })
      .select('id')
      .single();
    setRefusal(error?.message);
  }
  return (
    <li>
      {quote_number}: {roster_count ?? 0} × “{text}”
      <form onSubmit={price}>
        <label>
          {currency} each <input name="unit_price" type="number" step="0.01" min="0" required />
        </label>
        <button type="submit">Price {quote_number}</button>
        <span role="alert">{refusal}</span>
      </form>
    </li>
  );
}
