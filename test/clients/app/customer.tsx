/** A customer's quotes: those that are there, with their prices to approve, and one that is designed. */
import { useState } from 'react';
import { Design } from './design.tsx';
import { type Quote, readQuotes } from './quotes.ts';
import { supabase } from './supabase.ts';
import { useLive } from './use-live.ts';

export function Customer({ account }: { account: string }) {
  const { data: quotes, error } = useLive('quotes', readQuotes);
  const [chosen, choose] = useState<Quote>();
  return (
    <>
      <h1>Your quotes</h1>
      <p role="alert">{error?.message}</p>
      <ul>
        {quotes?.map(quote => (
          <li key={quote.id}>
            {quote.quote_number} “{quote.text}” is {quote.status} <Price {...quote} />
            {quote.status === 'draft' && (
              <button type="button" onClick={() => choose(quote)}>
                Open {quote.quote_number}
              </button>
            )}
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => choose(undefined)}>
        New quote
      </button>
      <Design key={chosen?.id} account={account} quote={chosen} onSaved={choose} />
    </>
  );
}

/** The price of a quote, and the button that agrees to it: to what is shown here, and to nothing else. */
function Price({ id, status, total_price, currency }: Quote) {
  const [refusal, setRefusal] = useState<string>();
  async function approve() {
    const seen = { id, total_price, currency };
    const { error } = await supabase
      .from('quotes')
      .update({ status: 'approved' })
      .match(seen)
      .select('id')
      .single();
    setRefusal(error?.message);
  }
  if (total_price === null) {
    return null;
  }
  const price = `${total_price.toFixed(2)} ${currency}`;
  return (
    <>
      for {price}{' '}
      {status === 'quoted' && (
        <button type="button" onClick={approve}>
          Approve {price}
        </button>
      )}
      <span role="alert">{refusal}</span>
    </>
  );
}
