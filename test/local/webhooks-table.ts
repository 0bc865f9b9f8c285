/** The table of webhooks, as long as no migration makes it: this file and its one use go when one does. */
import type { Sql } from 'postgres';

export const makeWebhooksTable = async (sql: Sql): Promise<unknown> =>
  sql`
    create table if not exists builder.webhooks (
      id uuid primary key default gen_random_uuid(),
      url text not null,
      secrets text[] not null,
      events text[],
      created_at timestamptz not null default now(),
      disabled_at timestamptz,
      disabled_because text,
      failing_since timestamptz
    )`;
