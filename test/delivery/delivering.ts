/** A service that sends e-mail to a relay and calls webhooks on this machine, for a test file. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { aNotification, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Caller, callerOf } from '../setup/wire.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { type Received, startRelay, type TestRelay } from './relay.ts';

/** Of every webhook. */
export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export interface Delivering {
  relay: TestRelay;
  receivers: Receivers;
  service: Service;
  staff: Caller;
  /** The address of a relay at a port of this machine. */
  mailUrl(port: number): string;
  /** Inserts a webhook at a path of the receivers, and returns its id. */
  aWebhook(path: string, more?: object): Promise<string>;
  /** Inserts a quote as an import does, without messages, and returns its id. */
  aQuoteOf(account: string, more: object): Promise<string>;
  /** Returns a new account whose address is known from a quote with a price. */
  anAccount(address: string): Promise<string>;
  /** Writes a notification by e-mail. */
  notify(account: string): Promise<void>;
  mailsTo(address: string): Received[];
  /** The deliveries of an account. */
  deliveriesOf(account: string): Promise<Record<string, unknown>[]>;
  /** What `/health` says of deliveries. */
  health(): Promise<string>;
}

export function useDelivering(): Delivering {
  const used = {} as Delivering;
  beforeAll(async () => {
    Object.assign(used, await startDelivering());
  });
  afterAll(() => Promise.all([used.service.stop(), used.relay.stop(), used.receivers.stop()]));
  return used;
}

async function startDelivering(): Promise<Delivering> {
  const [relay, receivers] = await Promise.all([
    startRelay({ certificate: inject('certificate'), smtp: { hideSTARTTLS: true } }),
    startReceivers(),
  ]);
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
  const aQuoteOf = (account: string, more: object) =>
    insert('quotes', aQuote(account, { source: 'csv_import', ...more }));
  return {
    ...{ relay, receivers, service, staff, mailUrl, aQuoteOf },
    aWebhook: (path, more = {}) =>
      insert('webhooks', { url: `${receivers.url}${path}`, secrets: [secret], ...more }),
    async anAccount(address) {
      const account = randomUUID();
      const priced = { status: 'quoted', quoted_at: '2026-01-01', unit_price: 1, total_price: 5 };
      await aQuoteOf(account, { ...priced, contact_email: address });
      return account;
    },
    async notify(account) {
      const row = aNotification(account, { channel: 'email' });
      await staff.send('POST', '/notifications', row, { prefer: 'return=minimal' });
    },
    mailsTo: address => relay.all().filter(({ to }) => to.includes(address)),
    deliveriesOf: async account =>
      await sql`
      select state, reason, attempts from builder.deliveries where account_id = ${account} order by id`,
    health: async () => ((await (await service.fetch('/health')).json()) as { delivery: string }).delivery,
  };
}
