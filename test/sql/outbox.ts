/** Deliveries of a database: what makes them due, claims and settlements as their worker makes them, and what became of them. */
import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { beforeEach, onTestFinished } from 'vitest';
import { type TestDatabase, useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { asStaff, insert, update } from './roles.ts';

export interface Claimed {
  id: string;
  claim: number;
  attempt: number;
  account_id: string | null;
  address: string | null;
  greeting: string | null;
  body: string | null;
  link: string | null;
  message_id: string;
  webhook_id: string | null;
  event: Record<string, unknown> | null;
}

/** The result of an attempt, its reason, and the seconds after which it wants to be tried again. */
export type Ending = readonly [outcome: string, reason?: string, retryAfter?: number];

/** What a claim takes at most. `staff`: the address of STAFF_EMAIL, null where it is not set. */
interface Most {
  mails?: number;
  aDay?: number;
  calls?: number;
  staff?: string | null;
}

export const inTime = { late_mail: false, late_call: false };
export const late = { late_mail: true, late_call: true };
export const price = { status: 'quoted', unit_price: 25, total_price: 125 };
/** The contact of each quote. */
export const address = 'ann@customer.test';

/** The database of a test file. Before each test its outbox is empty, and `account` is a new one. */
class Outbox {
  readonly database: TestDatabase;
  account = '';

  constructor(database: TestDatabase) {
    this.database = database;
  }

  get sql(): Sql {
    return this.database.sql;
  }

  async empty(): Promise<void> {
    this.account = randomUUID();
    await this
      .sql`truncate builder.quotes, builder.notifications, builder.webhooks, builder.deliveries, builder.unsubscribed_accounts,
      builder.refused_addresses, builder.delivery_pace cascade`;
    await this.sql`insert into builder.delivery_pace default values`;
  }

  /** A row of a quote that has its price, as an import inserts it: without messages. */
  row(account: string, more: object = {}) {
    const quoted = { ...price, quoted_at: '2026-01-01', source: 'csv_import', contact_email: address };
    return aQuote(account, { ...quoted, ...more });
  }

  aQuoted = (more: object = {}) => insert(this.sql, 'quotes', this.row(this.account, more));
  /** Inserts a submitted quote, and sets its price. */
  async anOffer(more: object = {}): Promise<string> {
    const id = await this.aQuoted({ status: 'submitted', ...more });
    await this.change(id, price);
    return id;
  }
  change = (id: string, values: Record<string, unknown>) => update(this.sql, 'quotes', id, values);
  anEmail = (more: object = {}) =>
    insert(this.sql, 'notifications', aNotification(this.account, { channel: 'email', ...more }));
  aWebhook = (more: object = {}) =>
    insert(this.sql, 'webhooks', { url: 'https://erp.test/hook', secrets: ['whsec_x'], ...more });

  /** Sets a message about an event, or changes a default one, until the test has ended. */
  async say(event: string, values: object, { audience = 'account', language = 'en' } = {}): Promise<void> {
    const { sql } = this;
    const own = sql`event = ${event} and audience = ${audience} and language = ${language}`;
    const [before] = await sql`select * from builder.event_messages where ${own}`;
    onTestFinished(async () => {
      await sql`delete from builder.event_messages where ${own}`;
      await (before && sql`insert into builder.event_messages ${sql(before)}`);
    });
    const row = { event, audience, language, channel: 'email', body: 'Hello', ...before, ...values };
    await sql`delete from builder.event_messages where ${own}`;
    await sql`insert into builder.event_messages ${sql(row)}`;
  }

  async claim({ mails = 20, aDay = 1000, calls = 20, staff = null }: Most = {}): Promise<Claimed[]> {
    const { sql } = this;
    return [
      ...(await sql<Claimed[]>`select * from builder.claim_emails(${mails}, ${aDay}, ${staff}) order by id`),
      ...(await sql<Claimed[]>`
        select c.*, d.webhook_id from builder.claim_calls(${calls}) c join builder.deliveries d using (id) order by c.id`),
    ];
  }

  /** Returns its state, and the seconds until it is tried again. */
  settle = async (
    claimed: Claimed | undefined,
    [outcome, reason, retryAfter]: Ending,
    by: Sql | TransactionSql = this.sql,
  ) =>
    await by<{ state: string; retry_in: number | null }[]>`
      select * from builder.settle(${claimed?.message_id ?? null}, ${claimed?.claim ?? null}, ${outcome}, ${reason ?? null}, ${retryAfter ?? null})`;

  /** The states with their reasons; empty texts for what waits or is being sent without one. */
  async states(): Promise<string[]> {
    const rows = await this.sql`select state, reason from builder.deliveries order by id`;
    return rows.map(({ state, reason }) =>
      [/waiting|sending/.test(state) && !reason ? '' : state, reason].filter(Boolean).join(': '),
    );
  }

  claimCalls = (calls: number) => this.claim({ mails: 0, calls });

  /** What `/health` is told of deliveries. */
  status = async (canMail = true) =>
    (await this.sql`select * from builder.delivery_status(${canMail})`)[0] as Record<string, unknown>;

  /** Queues it again, as staff. */
  redeliver = async (id: unknown) => {
    const [row] = await asStaff(this.sql, {}, own => own`select builder.redeliver(${String(id)}) as done`);
    return row?.['done'];
  };

  async makeDue(): Promise<void> {
    await this.sql`update builder.delivery_pace set mail_paused_until = now()`;
    await this.sql`update builder.deliveries set due_at = now() where due_at is not null`;
  }

  /** Replaces builder.email_of until the test has ended. */
  async replaceEmailOf(body: string): Promise<void> {
    const { sql } = this;
    const [before] = await sql`select pg_get_functiondef('builder.email_of(uuid)'::regprocedure) as text`;
    onTestFinished(async () => void (await sql.unsafe(String(before?.['text']))));
    await sql.unsafe(`create or replace function builder.email_of(account uuid, out address text, out language text)
      language plpgsql stable security definer as $$ begin ${body} end $$`);
  }
}

export function useOutbox(): Outbox {
  const outbox = new Outbox(useDatabase());
  beforeEach(() => outbox.empty());
  return outbox;
}
