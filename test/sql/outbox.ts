/** Claims and settles deliveries as their worker does, and reads what became of them. */
import type { Sql, TransactionSql } from 'postgres';

export interface Claimed {
  id: string;
  claim: number;
  attempt: number;
  account_id: string | null;
  address: string | null;
  body: string | null;
  link: string | null;
  message: string | null;
  webhook_id: string | null;
  event: Record<string, unknown> | null;
}

/** As it ends, with its reason, and in how many seconds it wants to be asked again. */
export type Ending = readonly [outcome: string, reason?: string, retryAfter?: number];

interface Most {
  mails?: number;
  aDay?: number;
  calls?: number;
  staff?: string | null;
}

export const outboxOf = (sql: Sql) => ({
  empty: async () => {
    await sql`truncate builder.quotes, builder.quote_events, builder.notifications, builder.webhooks, builder.deliveries,
      builder.muted_accounts, builder.refused_addresses, builder.told_events, builder.reminded_offers, builder.delivery_pace`;
    await sql`insert into builder.delivery_pace default values`;
  },

  claim: async ({ mails = 20, aDay = 1000, calls = 20, staff = null }: Most = {}): Promise<Claimed[]> => [
    ...(await sql<Claimed[]>`select * from builder.claim_emails(${mails}, ${aDay}, ${staff}) order by id`),
    ...(await sql<Claimed[]>`
      select c.*, d.webhook_id from builder.claim_calls(${calls}) c join builder.deliveries d using (id) order by c.id`),
  ],

  /** Returns its state, and the seconds until it is tried again. */
  settle: async (
    claimed: Claimed | undefined,
    [outcome, reason, retryAfter]: Ending,
    by: Sql | TransactionSql = sql,
  ) =>
    await by<{ state: string; retry_in: number | null }[]>`
      select * from builder.settle(${claimed?.id ?? null}, ${claimed?.claim ?? null}, ${outcome}, ${reason ?? null}, ${retryAfter ?? null})`,

  /** The states with their reasons; nothing of what waits or is being sent without one. */
  states: async (): Promise<string[]> =>
    (await sql`select state, reason from builder.deliveries order by id`).map(({ state, reason }) =>
      [/waiting|sending/.test(state) && !reason ? '' : state, reason].filter(Boolean).join(': '),
    ),

  makeDue: () => sql`update builder.deliveries set due_at = now() where due_at is not null`,
});
