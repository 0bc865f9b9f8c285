/** Requests about quotes of the attacking customer. */
import { randomUUID } from 'node:crypto';
import type { RawRequest } from '../fuzz/send.ts';
import { aQuote } from '../setup/rows.ts';
import { json, type Target } from './target.ts';

/** The customer's POST of a quote; `more` has further columns. */
export const postQuote = ({ callers, account }: Target, more: object, headers = {}): RawRequest => ({
  method: 'POST',
  path: '/rest/v1/quotes',
  headers: { ...callers.customer, ...json, ...headers },
  body: JSON.stringify(aQuote(account, more)),
});

/** Stores quotes, and throws when one is refused, because the test would attack nothing then. */
export async function store(target: Target, rows: object[]): Promise<void> {
  for (const row of rows) {
    const { status, text } = await target.sender.send(postQuote(target, row));
    if (status !== 201) {
      throw new Error(`The quote was not stored: ${text} ${JSON.stringify(row).slice(0, 200)}`);
    }
  }
}

/** Stores so many quotes with this value, in SQL, of `n` from 1; without triggers, as pg_restore does it. */
export const insertQuotes = (
  { service, account }: Target,
  sport: string,
  count: number,
  value: string,
): Promise<unknown> =>
  service.sql.begin(async sql => {
    await sql`set local session_replication_role = replica`;
    await sql`
      insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
      select ${account}, 'QT-2026-00001', ${randomUUID()}, ${sport}, jsonb_build_object('a', ${sql.unsafe(value)})
      from generate_series(1, ${count}::integer) as n`;
  });

/** Encodes only what must be encoded, because the URL's length is limited. */
export const query = (parameters: Record<string, string>): string =>
  Object.entries(parameters)
    .map(parameter => parameter.map(lightlyEncoded).join('='))
    .join('&');

const lightlyEncoded = (text: string): string =>
  text.replace(/[^\w\-.~!*(),:;/?@$[\]{}|]/gu, encodeURIComponent);
