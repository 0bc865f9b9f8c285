/** What belongs to a quote: its history and its offers, which are read with it in one request. */
import type { Database } from '../../../schema/database.ts';

type Tables = Database['public']['Tables'];
type Event = Tables['quote_events']['Row'];
type NotShown = 'id' | 'quote_id' | 'account_id' | 'preview_front_url' | 'preview_back_url' | 'created_as';

export interface OfferRow
  extends Omit<Tables['quote_offers']['Row'], NotShown | 'unit_price' | 'total_price'> {
  unit_price: string | null;
  total_price: string | null;
}

/** The newest events and offers, the newest first. */
export interface History {
  quote_events: Pick<
    Event,
    'id' | 'event' | 'previous_status' | 'offer' | 'created_at' | 'created_as' | 'signer' | 'said'
  >[];
  quote_offers: OfferRow[];
}

/** The terms that are shown, of a quote and of its offers. Prices are read as text, which is exact. */
export const termColumns =
  'unit_price::text, total_price::text, currency, sport, customization, colors, roster_count, size_breakdown, rush_order' as const;

export const historyColumns =
  `quote_events(id, event, previous_status, offer, created_at, created_as, signer, said), quote_offers(number, product_id, design_id, created_at, ${termColumns})` as const;

interface Query<Answer> extends PromiseLike<Answer> {
  order(column: string, options: { referencedTable: string; ascending: boolean }): this;
  limit(count: number, options: { referencedTable: string }): this;
}

/** Reads quotes of whose history `select` selects the columns: 100 events and ten offers of each. */
export async function readWithHistory<Answer extends { error: { code: string } | null }>(
  select: () => Query<Answer>,
): Promise<Answer> {
  const [events, offers] = [{ referencedTable: 'quote_events' }, { referencedTable: 'quote_offers' }];
  const read = (count: number) =>
    select()
      .order('id', { ...events, ascending: false })
      .limit(100, events)
      .order('number', { ...offers, ascending: false })
      .limit(count, offers);
  const answer = await read(10);
  // The designs of its offers may be too large for one response.
  return answer.error?.code === '54000' ? read(0) : answer;
}
