/** What hangs, waits or comes a moment later keeps nothing else waiting. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { storeDueMails } from '../faults/due-mails.ts';
import { untilBlocked } from '../setup/locks.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Caller, callerOf } from '../setup/wire.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { startRelay, type TestRelay } from './relay.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let relay: TestRelay;
let receivers: Receivers;
let service: Service;
let staff: Caller;
beforeAll(async () => {
  [relay, receivers] = await Promise.all([
    startRelay({ certificate: inject('certificate'), smtp: { hideSTARTTLS: true } }),
    startReceivers(),
  ]);
  service = await startService({
    bindings: {
      MAIL_URL: `smtp://127.0.0.1:${relay.port}`,
      MAIL_FROM: 'Uniform Builder <quotes@builder.example>',
      SERVICE_URL: 'https://api.builder.example',
      WEBHOOKS_ON_LOOPBACK: 'on',
    },
  });
  staff = callerOf(service, service.secretKey);
});
afterAll(() => Promise.all([service.stop(), relay.stop(), receivers.stop()]));
afterEach(() => service.sql`truncate builder.webhooks, builder.deliveries`);

const aWebhook = async (path: string, more: object = {}): Promise<string> => {
  const row = { url: `${receivers.url}${path}`, secrets: [secret], ...more };
  const [webhook] = await service.sql`insert into builder.webhooks ${service.sql(row)} returning id`;
  return webhook?.['id'];
};

/** Moves so many quotes, of which webhooks are told. */
async function move(quotes: number): Promise<void> {
  const { sql } = service;
  for (let n = 0; n < quotes; n++) {
    await sql`insert into builder.quotes ${sql(aQuote(randomUUID(), { status: 'submitted', source: 'csv_import' }))}`;
  }
  await sql`update builder.quotes set status = 'cancelled' where status = 'submitted'`;
}

const callsTo = (webhook: string) => service.sql`
  select state from builder.deliveries where webhook_id = ${webhook} order by id`;

/** An account whose address is known. */
async function anAccount(address: string): Promise<string> {
  const account = randomUUID();
  const priced = {
    status: 'quoted',
    quoted_at: '2026-01-01',
    source: 'csv_import',
    contact_email: address,
    unit_price: 1,
    total_price: 5,
  };
  await service.sql`insert into builder.quotes ${service.sql(aQuote(account, priced))}`;
  return account;
}

const notify = (account: string) =>
  staff.send('POST', '/notifications', aNotification(account, { channel: 'email' }), {
    prefer: 'return=minimal',
  });

const arrivedAt = async (address: string): Promise<number> =>
  (await relay.all()).filter(({ to }) => to.includes(address)).length;

it('what becomes due while a webhook hangs is sent before that gives up', async () => {
  const hanging = await aWebhook('/hangs');
  await move(6);
  await service.sweep();
  await expect
    .poll(async () => (await callsTo(hanging)).filter(call => call['state'] === 'sending').length)
    .toBe(4);
  const other = await aWebhook('/200');
  await move(3);
  await notify(await anAccount('soon@lions.example'));
  await vi.waitUntil(async () => (await arrivedAt('soon@lions.example')) === 1, { timeout: 30_000 });
  const taken = async () => (await callsTo(other)).every(({ state }) => state === 'sent');
  await vi.waitUntil(taken, { timeout: 30_000 });
  expect(
    await service.sql`
    select from builder.deliveries where webhook_id = ${hanging} and (settled_at is not null or attempts > 1)`,
  ).toEqual([]);
});

it('a call is sent while the relay hangs', async () => {
  const away = await relay.failing({ at: 'MAIL', does: 'hang' });
  await service.restart({ MAIL_URL: `smtp://127.0.0.1:${away.port}` });
  try {
    await storeDueMails(service.sql, 4);
    await service.sweep();
    await expect
      .poll(() => service.sql`select from builder.deliveries where state = 'sending'`)
      .toHaveLength(4);
    const hook = await aWebhook('/200');
    await move(3);
    await service.sweep();
    await vi.waitUntil(async () => (await callsTo(hook)).every(({ state }) => state === 'sent'), {
      timeout: 30_000,
    });
    expect(
      await service.sql`select from builder.deliveries where webhook_id is null and state = 'sending'`,
    ).toHaveLength(4);
  } finally {
    await service.restart({ MAIL_URL: `smtp://127.0.0.1:${relay.port}` });
  }
});

it('a write is not forgotten that comes after a run for which the nudge before it had not to wait', async () => {
  const { sql } = service;
  const account = await anAccount('late@lions.example');
  await notify(account);
  await vi.waitUntil(async () => (await arrivedAt('late@lions.example')) === 1, { timeout: 30_000 });
  // The object is going to run in two seconds, since something is due then.
  await storeDueMails(sql, 1);
  await sql`update builder.deliveries set due_at = now() + interval '4 seconds' where due_at is not null`;
  await service.sweep();
  const untilRun = async (seconds: number) => {
    const [{ left } = {}] = await sql`
      select extract(epoch from min(due_at) - now()) as left from builder.deliveries where due_at is not null`;
    await new Promise(resolve => setTimeout(resolve, 1000 * (Number(left) - seconds)));
  };
  await untilRun(0.3);
  const began = Date.now();
  await notify(account);
  await new Promise(resolve => setTimeout(resolve, 800 - (Date.now() - began)));
  await notify(account);
  await vi.waitUntil(async () => (await arrivedAt('late@lions.example')) === 3, { timeout: 20_000 });
});

it('a call is signed with the time of the database, whatever the worker’s clock says', async () => {
  const { sql } = service;
  const [claim] = await sql`
    select pg_get_functiondef('builder.claim_calls(integer)'::regprocedure) as text`;
  const text: string = claim?.['text'];
  await sql.unsafe(
    text.replace(
      'extract(epoch from now())::double precision',
      'extract(epoch from now())::double precision + 3600',
    ),
  );
  const hook = await aWebhook('/204');
  await move(1);
  await service.sweep();
  await vi.waitUntil(async () => (await callsTo(hook))[0]?.['state'] === 'sent', { timeout: 30_000 });
  await sql.unsafe(text);
  const call = (await receivers.calls()).find(({ path }) => path === '/204');
  expect(Number(call?.headers['webhook-timestamp'])).toBeGreaterThan(Date.now() / 1000 + 1800);
});

it('a connection that is cut while it settles a mail has it settled by another, and not sent again', async () => {
  const { sql } = service;
  await sql.unsafe(`
    create function public.wait_here() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
    create trigger wait_here before update on builder.deliveries for each row
      when (new.state = 'sent') execute function public.wait_here()`);
  await sql.begin(async holder => {
    await holder`select pg_advisory_xact_lock(1)`;
    await notify(await anAccount('settled@lions.example'));
    await untilBlocked(service);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    await untilBlocked(service, 0);
  });
  const settled = () => sql`select state, attempts from builder.deliveries`;
  await expect.poll(settled, { timeout: 30_000 }).toEqual([{ state: 'sent', attempts: 1 }]);
  expect(await arrivedAt('settled@lions.example')).toBe(1);
  await sql`drop function public.wait_here() cascade`;
});

it('the log says why the database lets nothing be claimed, and all goes on when it does', async () => {
  const waiting = () => service.logs.filter(line => line.includes('"outcome":"waiting"'));
  await service.sql`revoke usage on schema builder from builder_deliverer`;
  const account = await anAccount('paused@mail.example');
  await notify(account);
  await expect.poll(waiting).toEqual([expect.stringMatching(/"code":"42501"/)]);
  await service.sql`grant usage on schema builder to builder_deliverer`;
  await expect.poll(() => arrivedAt('paused@mail.example'), { timeout: 30_000 }).toBe(1);
});

it('/health says that calls are late where no mail is configured', async () => {
  const { sql } = service;
  await service.restart({ MAIL_URL: '', MAIL_FROM: '' });
  expect(await (await service.fetch('/health')).json()).toMatchObject({ delivery: 'off' });
  await aWebhook('/hangs', { failing_since: '2026-11-20T00:00:00Z' });
  await move(2);
  await sql`update builder.deliveries set due_at = now() - interval '20 minutes'`;
  await service.sweep();
  const delivery = async () =>
    ((await (await service.fetch('/health')).json()) as { delivery: string }).delivery;
  await expect.poll(delivery, { timeout: 20_000 }).toBe('late');
});
