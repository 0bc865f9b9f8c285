/** A customer's quotes, as this app shows them. */
import { supabase } from './supabase.ts';

/** Of `customization`, which may have a megabyte, the parts that are shown. */
const columns = `id, quote_number, status, total_price, currency, updated_at, event_date, size_breakdown,
  text:customization->jersey->>text, graphic:customization->jersey->graphics->>0` as const;

export const readQuotes = () =>
  supabase.from('quotes').select(columns).order('created_at', { ascending: false }).order('id').limit(50);

export type Quote = NonNullable<Awaited<ReturnType<typeof readQuotes>>['data']>[number];

export interface Draft {
  customization: { jersey: { text: string; graphics: string[] } };
  size_breakdown: Record<string, number>;
  roster_count: number;
  event_date: string | null;
  status: 'draft' | 'submitted';
}

export async function createQuote(account_id: string, draft: Draft) {
  const { data: quote_number, error } = await supabase.rpc('next_quote_number');
  if (error) {
    return { data: null, error };
  }
  const product_id = 'd0000000-0000-4000-8000-000000000001';
  const row = { ...draft, account_id, product_id, quote_number, sport: 'baseball' };
  return supabase.from('quotes').insert(row).select(columns).single();
}

/** Changes the quote as it was read: it is an error when somebody has changed it since. */
export const changeQuote = ({ id, updated_at }: Quote, draft: Draft) =>
  supabase.from('quotes').update(draft).match({ id, updated_at }).select(columns).single();
