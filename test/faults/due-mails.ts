/** Mails that are due, each to an account and an address of its own, and what a relay has received of them. */
import type { Sql } from 'postgres';
import type { TestRelay } from '../delivery/relay.ts';

export async function storeDueMails(sql: Sql, count: number): Promise<void> {
  await sql`
    with accounts as (
      select n, gen_random_uuid() as id from generate_series(1, ${count}) n
    ), quotes as (
      insert into builder.quotes (account_id, quote_number, product_id, sport, customization, status, unit_price,
        total_price, quoted_at, contact_email, source)
      select id, 'QT-2026-00001', gen_random_uuid(), 'baseball', '{"team": "Lions"}', 'quoted', 1, 5, now(),
        n || '@due.example', 'csv_import'
      from accounts
    )
    insert into builder.notifications (account_id, body, channel, dismissed)
    select id, 'Hello ' || n, 'email', false from accounts`;
}

export const countSent = async (sql: Sql): Promise<number> => {
  const [row] = await sql`select count(*)::integer as sent from builder.deliveries where state = 'sent'`;
  return row?.['sent'];
};

/** What was claimed before that time, by who doesn't know of it any more, is due at once and not only when its lease ends. */
export const endLeases = async (sql: Sql, before = new Date()): Promise<number> =>
  (
    await sql`
      update builder.deliveries set due_at = now()
      where state = 'sending' and due_at < ${before}::timestamptz + interval '15 minutes'`
  ).count;

/** Counts addresses that a mail has come to, those of them that it has come to more than once, and different Message-IDs. */
export function tallyOf(relay: TestRelay) {
  const received = relay.all();
  const times = new Map<string, number>();
  for (const [address = ''] of received.map(({ to }) => to)) {
    times.set(address, (times.get(address) ?? 0) + 1);
  }
  const ids = received.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1]);
  const twice = [...times.values()].filter(count => count > 1).length;
  return { addresses: times.size, twice, messages: new Set(ids).size };
}
