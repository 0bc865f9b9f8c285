/** A service that sends e-mail to a relay and calls webhooks on this machine, for a test file. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { aNotification, aQuote } from '../setup/rows.ts';
import { startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { callerOf } from '../setup/wire.ts';
import { startReceivers } from './receivers.ts';
import { startRelay } from './relay.ts';

/** Of every webhook. */
export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export const useDelivering = () => use(startDelivering, 'stop');

async function startDelivering() {
  const [relay, receivers] = await Promise.all([
    startRelay({ certificate: inject('certificate'), smtp: { hideSTARTTLS: true } }),
    startReceivers(),
  ]);
  /** The address of a relay at a port of this machine. */
  const mailUrl = (port: number) => `smtp://127.0.0.1:${port}`;
  const service = await startService({
    bindings: {
      MAIL_URL: mailUrl(relay.port),
      MAIL_FROM: 'Uniform Builder <quotes@builder.example>',
      SERVICE_URL: 'https://api.builder.example',
      APP_URL: 'https://app.builder.example',
      WEBHOOKS_ON_LOOPBACK: 'on',
    },
  });
  const { sql } = service;
  const staff = callerOf(service, service.secretKey);
  const insert = async (table: string, row: object): Promise<string> =>
    (await sql`insert into builder.${sql(table)} ${sql(row as never)} returning id`)[0]?.['id'];
  /** Inserts a quote as an import does, without messages, and returns its id. */
  const aQuoteOf = (account: string, more: object) =>
    insert('quotes', aQuote(account, { source: 'csv_import', ...more }));
  // Of this database only. An operator revokes a membership, which belongs to the server that other tests use.
  const delivering = sql`function builder.claim_emails(integer, integer, text, boolean), builder.claim_calls(integer, boolean),
    builder.delivery_status(boolean, boolean)`;
  return {
    relay,
    receivers,
    pause: () => sql`revoke execute on ${delivering} from builder_deliverer`,
    resume: () => sql`grant execute on ${delivering} to builder_deliverer`,
    service,
    staff,
    mailUrl,
    aQuoteOf,
    /** Inserts a webhook at a path of the receivers, and returns its id. */
    aWebhook: (path: string, more = {}) =>
      insert('webhooks', { url: `${receivers.url}${path}`, secrets: [secret], ...more }),
    /** Returns a new account whose address is known from a quote with a price. */
    async anAccount(address: string): Promise<string> {
      const account = randomUUID();
      const priced = { status: 'quoted', quoted_at: '2026-01-01', unit_price: 1, total_price: 5 };
      await aQuoteOf(account, { ...priced, contact_email: address });
      return account;
    },
    /** Writes a notification by e-mail. */
    async notify(account: string): Promise<void> {
      const row = aNotification(account, { channel: 'email' });
      await staff.send('POST', '/notifications', row, { prefer: 'return=minimal' });
    },
    mailsTo: (address: string) => relay.all().filter(({ to }) => to.includes(address)),
    deliveriesOf: async (account: string) =>
      await sql`select state, reason, attempts from builder.deliveries where account_id = ${account} order by id`,
    health: async () => (await (await service.fetch('/health')).json()) as Record<string, unknown>,
    stop: () => Promise.all([service.stop(), relay.stop(), receivers.stop()]),
  };
}
