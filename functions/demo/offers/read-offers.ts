/** The offers of a quote, as they were made. An offer never changes, so it is read once. */
import { useEffect, useState } from 'react';
import { readDesign } from '../jersey/design.ts';
import type { Client } from '../supabase.ts';

/** Prices are read as text, which is exact. */
const columns =
  'number, unit_price::text, total_price::text, currency, product_id, design_id, sport, customization, colors, roster_count, size_breakdown, rush_order' as const;

/** Milliseconds until a read that failed is tried again. */
const pause = 2000;

async function readOffers(client: Client, quoteId: string, numbers: number[]) {
  const { data, error } = await client
    .from('quote_offers')
    .select(columns)
    .eq('quote_id', quoteId)
    .in('number', numbers);
  const offers = (data ?? []).map(row => ({ ...row, design: readDesign(row.customization, row.colors) }));
  const codes = offers.map(({ design }) => design.graphic);
  const { data: logos } = await client.from('graphics').select('code, name, file_url').in('code', codes);
  const logoOf = (graphic: string) => logos?.find(({ code }) => code === graphic);
  return { error, offers: offers.map(offer => ({ ...offer, logo: logoOf(offer.design.graphic) })) };
}

export type Offer = Awaited<ReturnType<typeof readOffers>>['offers'][number];

/** Returns the offers with these numbers; an offer is undefined until it is read. */
export function useOffers(client: Client, quoteId: string, ...numbers: number[]) {
  const [answer, setAnswer] = useState<{ offers: Offer[]; hasFailed: boolean }>();
  const wanted = numbers.join();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    async function read() {
      const { offers, error } = await readOffers(client, quoteId, wanted.split(',').map(Number));
      if (isMounted) {
        setAnswer({ offers, hasFailed: error !== null });
        timer = error ? setTimeout(read, pause) : undefined;
      }
    }
    read();
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [client, quoteId, wanted]);
  return {
    offers: numbers.map(number => answer?.offers.find(offer => offer.number === number)),
    hasFailed: answer?.hasFailed ?? false,
  };
}
