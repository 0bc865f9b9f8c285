/** What the page `/demo` shows of deliveries: the e-mails that were sent, and the calls of webhooks. */
import { createRequire } from 'node:module';
import type { Request, Response } from 'miniflare';
import postgres, { type Sql } from 'postgres';
import { databaseAddress } from '../common/database-address.ts';
import { startInbox } from './inbox.ts';
import { loopback } from './port.ts';

const miniflare = createRequire(import.meta.url)('miniflare') as typeof import('miniflare');

export interface DemoDeliveries {
  /** The worker's, so that it sends its e-mail to the inbox. */
  variables: { MAIL_URL: string };
  /** Answers the worker's requests, by their path. */
  answer(request: Pick<Request, 'url'>): Promise<Response>;
  stop(): Promise<void>;
}

/** `owner` is the connection string of the database's owner. */
export async function startDemoDeliveries(owner: string): Promise<DemoDeliveries> {
  const inbox = await startInbox();
  const sql = postgres(owner, { ...databaseAddress(owner), max: 1, idle_timeout: 20, onnotice: () => {} });
  return {
    variables: { MAIL_URL: `smtp://${loopback}:${inbox.port}` },
    async answer({ url }) {
      const path = new URL(url).pathname;
      const shown = path === '/demo/inbox' ? inbox.mails : await readWebhooks(sql);
      return new miniflare.Response(JSON.stringify(shown));
    },
    async stop() {
      await Promise.all([inbox.stop(), sql.end({ timeout: 1 })]);
    },
  };
}

/** The webhooks, each with its last calls, newest first. Their secrets stay out of it. */
const readWebhooks = (sql: Sql): Promise<object[]> => sql`
  select w.id, w.url, w.events, w.disabled_because, coalesce(last.calls, '[]') as calls
  from builder.webhooks w
  left join lateral (
    select json_agg(c) as calls from (
      select e.event, e.quote_id, d.attempts, d.state, d.reason, d.settled_at
      from builder.deliveries d join builder.quote_events e on e.id = d.event_id
      where d.webhook_id = w.id order by d.event_id desc limit 5
    ) c
  ) last on true
  order by w.created_at, w.id limit 20`;
