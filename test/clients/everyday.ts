/** What an application does with supabase-js every day, as a customer. It also runs where there is no Node. */
import type { Client } from './supabase.ts';

interface Result {
  data: unknown;
  error: { code: string; message: string; details: string; hint: string } | null;
  status: number;
  count: number | null;
}

const seen = ({ data, error, status, count }: Result) =>
  error === null ? [status, data, count] : [status, error.code, error.message, error.hint ?? error.details];

/** By step: the status, the data and the count, or the status and the error. `account` has no quotes before. */
export async function everyday(client: Client, account: string) {
  const quotes = () => client.from('quotes');
  const ids = ['a', 'b', 'c'].map(letter => account.replace(/.{8}$/, letter.repeat(8)));
  const team = 'Löwen, "die"';
  const rows = ids.map((id, index) => ({
    id,
    account_id: account,
    quote_number: `QT-2026-0000${index}`,
    product_id: account,
    sport: ['golf', 'polo', 'soccer'][index],
    customization: { team },
    roster_count: index,
  }));
  const steps = {
    insert: quotes().insert(rows).select('sport').order('sport'),
    page: quotes()
      .select('sport, customization->>team', { count: 'exact' })
      .gte('roster_count', 0)
      .lt('roster_count', 5)
      .or('sport.eq.polo,sport.like.s*')
      .order('roster_count', { ascending: false })
      .range(0, 0),
    contains: quotes().select('sport').contains('customization', { team }).limit(1).order('id'),
    count: quotes().select('*', { count: 'exact', head: true }),
    one: quotes().select('sport').eq('id', ids[0]).single(),
    none: quotes().select('sport').eq('id', account).maybeSingle(),
    update: quotes()
      .update({ sport: 'tennis' }, { count: 'exact' })
      .eq('id', ids[0])
      .select('sport')
      .single(),
    silent: quotes().update({ sport: 'golf' }).eq('id', ids[0]),
    upsert: quotes()
      .upsert([{ ...rows[1], sport: 'hockey' }])
      .select('sport'),
    csv: quotes().select('quote_number, sport').order('quote_number').csv(),
    rpc: client.rpc('next_quote_number'),
    refused: quotes().update({ status: 'ordered' }).eq('id', ids[0]),
    forbidden: client.from('graphics').delete().eq('id', account),
    invalid: quotes().insert({ ...rows[0], id: account, roster_count: -1 }),
    unknown: quotes().select('sprot'),
    remove: quotes().delete().in('id', ids.slice(0, 2)).select('sport').order('sport'),
    rest: quotes().select('sport', { count: 'exact' }),
  };
  const results: Record<string, unknown[]> = {};
  for (const [name, step] of Object.entries(steps)) {
    results[name] = seen((await step) as never);
  }
  return results;
}
