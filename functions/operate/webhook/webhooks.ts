/** The table of webhooks, which only the owner writes. */
import type { Sql } from 'postgres';
import { deliveryLimits } from '../../delivery/delivery-limits.ts';
import { Problem } from '../../local/program.ts';
import { read } from '../owner-database.ts';

export interface Webhook {
  id: string;
  url: string;
  /** Newest first. */
  secrets: string[];
  /** Null: all. */
  events: string[] | null;
  disabled_at: Date | null;
  disabled_because: string | null;
  failing_since: Date | null;
}

/** A delivery to a webhook, with its event. */
export interface CalledEvent {
  id: string;
  event: string;
  quote_id: string | null;
  state: string;
  attempts: number;
  due_at: Date | null;
  settled_at: Date | null;
  reason: string | null;
}

/** Reads and writes webhooks. Each method throws a Problem when the webhook does not exist or the database does not reply. */
export class Webhooks {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** `events` null: all. */
  async add(url: string, events: string[] | null): Promise<{ id: string; secret: string }> {
    const [row] = await read(this.#sql<{ id: string; secret: string }[]>`
      insert into builder.webhooks (url, secrets, events)
      values (${url}, array[builder.create_webhook_secret()], ${events}) returning id, secrets[1] as secret`);
    return row ?? { id: '', secret: '' };
  }

  list(): Promise<Webhook[]> {
    return read(this.#sql<Webhook[]>`select * from builder.webhooks order by created_at, id`);
  }

  async find(id: string): Promise<Webhook> {
    return found(id, await read(this.#sql<Webhook[]>`select * from builder.webhooks where id = ${id}`));
  }

  /** Returns the last twenty deliveries to it, newest first. */
  async deliveries(id: string): Promise<CalledEvent[]> {
    await this.find(id);
    return read(this.#sql<CalledEvent[]>`
      select d.id, case when d.event_id is null then 'account.erased' when d.quote_id is null then 'quote_events.skipped' else e.event end as event, d.quote_id,
        d.state, d.attempts, d.due_at, d.settled_at, d.reason
      from builder.deliveries d left join builder.quote_events e on e.id = d.event_id
      where d.webhook_id = ${id} order by d.id desc limit 20`);
  }

  /** Returns the new secret. */
  async rotate(id: string): Promise<string> {
    const [row] = await read(this.#sql<{ secret: string }[]>`
      update builder.webhooks set secrets = array_prepend(builder.create_webhook_secret(), secrets)
      where id = ${id} and cardinality(secrets) < ${deliveryLimits.webhook.secrets} returning secrets[1] as secret`);
    if (row === undefined) {
      await this.find(id);
      throw new Problem(
        `It already has ${deliveryLimits.webhook.secrets} secrets. Run remove-secret first to remove the old one.`,
      );
    }
    return row.secret;
  }

  async removeOldSecret(id: string): Promise<Webhook> {
    const rows = await read(this.#sql<Webhook[]>`
      update builder.webhooks set secrets = secrets[1:1]
      where id = ${id} and cardinality(secrets) > 1 returning *`);
    if (rows.length === 0) {
      await this.find(id);
      throw new Problem('It has only one secret. Run rotate first to create another one.');
    }
    return found(id, rows);
  }

  async disable(id: string): Promise<Webhook> {
    return found(
      id,
      await read(this.#sql<Webhook[]>`
      update builder.webhooks set disabled_at = now(), disabled_because = 'by npm run webhook'
      where id = ${id} returning *`),
    );
  }

  async enable(id: string): Promise<Webhook> {
    return found(
      id,
      await read(this.#sql<Webhook[]>`
      update builder.webhooks set disabled_at = null, disabled_because = null, failing_since = null
      where id = ${id} returning *`),
    );
  }
}

function found(id: string, [webhook]: Webhook[]): Webhook {
  if (webhook === undefined) {
    throw new Problem(`There is no webhook ${id}.`);
  }
  return webhook;
}
