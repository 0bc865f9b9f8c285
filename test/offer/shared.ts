/** A quote that is offered, shared by a link, and what its holder and staff do. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { signId } from '../../functions/common/signed-id.ts';
import { offerLinkPurpose } from '../../functions/offer/offer-link.ts';
import { aQuote } from '../setup/rows.ts';
import type { Service } from '../setup/service.ts';
import { insert } from '../sql/roles.ts';

export const seller = 'Seller Ltd\n1 Mill Lane, Springfield\norders@seller.test';

export const terms = { unit_price: 20, total_price: 240, roster_count: 12, size_breakdown: { M: 7, L: 5 } };

export interface Link {
  id: string;
  token: string;
  /** Of its page, with the query. */
  path: string;
}

export const navigates = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
export const asData = { accept: 'application/json' };

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails without them
type Data = Record<string, any>;

/** What tests do with shared offers of a service. */
export function offersOf(service: Service) {
  const account = randomUUID();
  const get = (path: string, headers: Record<string, string> = navigates): Promise<Response> =>
    service.fetch(path, { headers, redirect: 'manual' });
  /** Changes a quote as staff do who name what they read. */
  const change = (id: string, columns: Data) =>
    service.sql.begin(async sql => {
      await sql`select set_config('request.rows', 'one', true), set_config('request.columns', ${Object.keys(columns).join()}, true),
        set_config('request.compared', 'id,updated_at,submitted_at,quoted_at,total_price', true)`;
      await sql`update builder.quotes set ${sql(columns)} where id = ${id}`;
    });
  return {
    account,
    async writeSeller(language = 'en', body = seller, event = 'offer_seller'): Promise<void> {
      await service.sql`
        insert into builder.event_messages (event, language, channel, body) values (${event}, ${language}, 'in_app', ${body})
        on conflict on constraint event_messages_pkey do update set body = excluded.body`;
    },
    /** Inserts a quote as the owner does, who may insert any. */
    quote: (more: object = {}): Promise<string> =>
      insert(
        service.sql,
        'quotes',
        aQuote(account, { status: 'quoted', company: 'Night Owls', ...terms, ...more }),
      ),
    async link(quote: string, more: object = {}): Promise<Link> {
      const ends_at = new Date(Date.now() + 86_400_000).toISOString();
      const row = {
        quote_id: quote,
        account_id: account,
        may: 'approve',
        created_as: 'customer',
        ends_at,
        ...more,
      };
      const id = await insert(service.sql, 'quote_links', row);
      const token = await signId(service.secretKey, offerLinkPurpose, id);
      return { id, token, path: `/offer?token=${token}` };
    },
    get,
    text: async (path: string, headers?: Record<string, string>): Promise<string> =>
      (await get(path, headers)).text(),
    data: async (path: string): Promise<Data> => (await get(path, asData)).json() as Promise<Data>,
    /** Opens a page as a person does: fetch sends another Sec-Fetch-Mode. */
    open: (path: string): Promise<void> =>
      new Promise((done, failed) => {
        request(`${service.url}${path}`, { headers: navigates }, response => {
          response.resume().on('end', done);
        })
          .on('error', failed)
          .end();
      }),
    /** Posts a form, as a browser without scripts does. */
    post: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      service.fetch(path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { ...navigates, ...headers },
        redirect: 'manual',
      }),
    async quoteOf(id: string): Promise<Data> {
      const [row] = await service.sql`select to_jsonb(q) as quote from builder.quotes q where id = ${id}`;
      return row?.['quote'] ?? {};
    },
    events: (id: string) =>
      service.sql<{ event: string; created_as: string; link_id: string; signer: string; said: string }[]>`
        select event, created_as, link_id, signer, said from builder.quote_events where quote_id = ${id} order by id`,
    change,
    reprice: (id: string, total: number) => change(id, { total_price: total, unit_price: total / 12 }),
  };
}

export const approval = { status: 'approved', offer: '1', total: '240', name: 'Ana Treasurer', said: '' };
