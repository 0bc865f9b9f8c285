/** What is due to leave the service: written with the change, claimed once, settled once, bounded, and skipped when it is no use. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { deliveryLimits } from '../../functions/delivery/limits.ts';
import { useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { type Ending, outboxOf } from './outbox.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from './roles.ts';

const database = useDatabase();
let sql: Sql;
let account: string;
let outbox: ReturnType<typeof outboxOf>;
beforeEach(async () => {
  sql = database.sql;
  account = randomUUID();
  outbox = outboxOf(sql);
  await outbox.empty();
});

const priced = { status: 'quoted', unit_price: 25, total_price: 125 };
/** As of an import, of which nobody is told. */
const quoted = { ...priced, quoted_at: '2026-01-01T00:00:00Z', source: 'csv_import' };
/** A quote that has its price, of an account whose address is therefore known. */
const aQuoted = (more: object = {}) =>
  insert(sql, 'quotes', aQuote(account, { ...quoted, contact_email: 'ann@customer.test', ...more }));
const anEmail = (more: object = {}) =>
  insert(sql, 'notifications', aNotification(account, { channel: 'email', ...more }));
const aWebhook = (more: object = {}) =>
  insert(sql, 'webhooks', { url: 'https://erp.test/hook', secrets: ['whsec_x'], ...more });

describe('a move of a quote', () => {
  it.each([
    ['quoted', 'submitted', 'email', 'Your quote QT-2026-00001 has its price: 125 USD.'],
    ['ordered', 'approved', 'email', 'Your order QT-2026-00001 is placed.'],
    ['cancelled', 'submitted', 'in_app', 'Your quote QT-2026-00001 has been cancelled.'],
  ])('to %s tells its account', async (status, from, channel, body) => {
    const id = await aQuoted({ status: from });
    await update(sql, 'quotes', id, status === 'quoted' ? priced : { status });
    expect(await sql`select account_id, channel, body, dismissed from builder.notifications`).toEqual([
      { account_id: account, channel, body, dismissed: false },
    ]);
    expect(await outbox.claim()).toMatchObject(
      channel === 'email' ? [{ address: 'ann@customer.test', body }] : [],
    );
  });

  it('to approved or rejected tells nobody, nor does a new quote, nor a draft that is priced', async () => {
    const id = await aQuoted();
    await update(sql, 'quotes', id, { status: 'rejected' });
    const draft = await aQuoted({ status: 'draft', quoted_at: null });
    await update(sql, 'quotes', draft, { total_price: 1 });
    expect(await sql`select from builder.notifications`).toEqual([]);
  });

  it('tells in the account’s language what is written in it, and what is turned off not at all', async () => {
    await sql`insert into builder.event_messages (event, language, channel, body)
      values ('quote.quoted', 'de', 'in_app', 'Ihr Angebot {quote_number} hat seinen Preis.')`;
    await sql`update builder.event_messages set enabled = false where event = 'quote.cancelled'`;
    onTestFinished(async () => {
      await sql.unsafe(String(before?.['text']));
      await sql`delete from builder.event_messages where language = 'de'`;
      await sql`update builder.event_messages set enabled = true`;
    });
    const [before] = await sql`select pg_get_functiondef('builder.email_of(uuid)'::regprocedure) as text`;
    await sql.unsafe(`create or replace function builder.email_of(account uuid, out address text, out language text)
      language sql stable security definer as $$ select 'ann@customer.test', 'de' $$`);
    const id = await aQuoted({ status: 'submitted' });
    await update(sql, 'quotes', id, priced);
    await update(sql, 'quotes', id, { status: 'cancelled' });
    expect(await sql`select body, channel from builder.notifications`).toEqual([
      { body: 'Ihr Angebot QT-2026-00001 hat seinen Preis.', channel: 'in_app' },
    ]);
  });

  it('tells nobody in a session of psql that is quiet, and is in the history', async () => {
    await aWebhook();
    const id = await aQuoted({ status: 'submitted' });
    await sql.begin(async own => {
      await own`set local builder.quiet = 'on'`;
      await update(own, 'quotes', id, priced);
      await insert(own, 'notifications', aNotification(account, { channel: 'email' }));
    });
    expect(await sql`select from builder.deliveries`).toEqual([]);
    expect(await sql`select event from builder.quote_events where previous_status is not null`).toEqual([
      { event: 'quote.quoted' },
    ]);
  });

  it('of a customer who moves it back and forth is told a hundred times a day', async () => {
    const id = await insert(sql, 'quotes', aQuote(account));
    await asCustomer(sql, claimsOf(account), async own => {
      for (let n = 0; n < 220; n++) {
        await own`update builder.quotes set status = ${n % 2 === 0 ? 'submitted' : 'draft'} where id = ${id}`;
      }
    });
    const [{ told, written } = {}] = await sql`
      select (select count(*)::integer from builder.notifications) as told,
        (select count(*)::integer from builder.quote_events) as written`;
    expect([told, written]).toEqual([50, 220]);
  });
});

describe('an e-mail', () => {
  it('is due when staff store a notification, or make one an e-mail, once', async () => {
    await aQuoted();
    const [id] = [await anEmail(), await insert(sql, 'notifications', aNotification(account))];
    expect(await outbox.claim()).toHaveLength(1);
    await sql`update builder.notifications set channel = 'in_app' where id = ${id}`;
    await sql`update builder.notifications set channel = 'email'`;
    expect(await outbox.claim()).toHaveLength(1);
    expect(await sql`select from builder.deliveries`).toHaveLength(2);
  });

  it('to everyone is refused', async () => {
    const everyone = '00000000-0000-0000-0000-000000000000';
    const write = () =>
      asStaff(sql, {}, own => insert(own, 'notifications', aNotification(everyone, { channel: 'email' })));
    await expect(write()).rejects.toMatchObject({
      code: '23514',
      constraint_name: 'email_goes_to_one_account',
    });
  });

  it.each<[why: string, make: (id: string) => Promise<unknown>]>([
    ['deleted', id => sql`delete from builder.notifications where id = ${id}`],
    ['dismissed', id => sql`update builder.notifications set dismissed = true where id = ${id}`],
    ['expired', id => sql`update builder.notifications set expires_at = now() where id = ${id}`],
    ['too old', () => sql`update builder.deliveries set queued_at = now() - interval '4 days'`],
    ['muted', () => sql`select builder.mute_account(${account})`],
  ])('is skipped: %s', async (why, make) => {
    await aQuoted();
    await make(await anEmail());
    expect(await outbox.claim()).toEqual([]);
    expect(await outbox.states()).toEqual([`skipped: ${why}`]);
  });

  it('is skipped when the quote has moved on', async () => {
    const id = await aQuoted({ status: 'submitted' });
    await update(sql, 'quotes', id, priced);
    await update(sql, 'quotes', id, { total_price: 130 });
    expect(await outbox.claim()).toMatchObject([
      { body: 'The price of your quote QT-2026-00001 has changed: 130 USD.' },
    ]);
    expect(await outbox.states()).toEqual(['skipped: overtaken', '']);
  });

  it('goes to no address that only the customer has chosen, and to a confirmed one first', async () => {
    await insert(
      sql,
      'quotes',
      aQuote(account, { status: 'submitted', source: 'csv_import', contact_email: 'stranger@other.test' }),
    );
    await insert(
      sql,
      'quotes',
      aQuote(account, { ...quoted, status: 'draft', contact_email: 'stranger@other.test' }),
    );
    await anEmail();
    expect(await outbox.claim()).toEqual([]);
    expect(await outbox.states()).toEqual(['waiting: no address']);
    await sql`create schema auth`;
    await sql`create table auth.users (id uuid, email text, email_confirmed_at timestamptz)`;
    await sql`insert into auth.users values (${account}, 'confirmed@customer.test', now())`;
    await aQuoted();
    await anEmail();
    expect(await outbox.claim()).toMatchObject([{ address: 'confirmed@customer.test' }]);
    await sql`drop schema auth cascade`;
  });

  /** E-mails that are claimed while the account has one address after the other. */
  async function sendTo(addresses: string[], each: number): Promise<void> {
    const quote = await aQuoted();
    for (const address of addresses) {
      await sql`update builder.quotes set contact_email = ${`${address}@customer.test`} where id = ${quote}`;
      for (let n = 0; n < each; n++) {
        await anEmail();
      }
      await outbox.claim();
    }
  }

  it('is one of those to three addresses a day', async () => {
    await sendTo(['a', 'b', 'c', 'd'], 1);
    expect(await outbox.states()).toEqual(['', '', '', 'waiting: too many addresses']);
  });

  it('is one of twenty a day to an account, and of ten to an address', async () => {
    await sendTo(['a', 'b', 'c'], 11);
    const [{ sent, ...waiting } = {}] = await sql`
      select count(*) filter (where state = 'sending')::integer as sent,
        count(*) filter (where reason = 'too many to the address')::integer as address,
        count(*) filter (where reason = 'too many to the account')::integer as account
      from builder.deliveries`;
    expect([sent, waiting]).toEqual([20, { address: 0, account: 13 }]);
  });

  it('is one of so many in all, and otherwise waits', async () => {
    await aQuoted();
    await anEmail();
    await anEmail();
    expect(await outbox.claim({ aDay: 1 })).toHaveLength(1);
    expect(await outbox.claim({ aDay: 1 })).toEqual([]);
    expect(await outbox.states()).toEqual(['', 'waiting: too many in all']);
    await outbox.makeDue();
    expect(await outbox.claim({ aDay: 3 })).toHaveLength(2);
  });
});

describe('a webhook', () => {
  it('is called with the events that it wants, each once, and not those of before', async () => {
    const id = await aQuoted({ status: 'submitted' });
    await update(sql, 'quotes', id, { total_price: 130 });
    const [all, some] = [await aWebhook(), await aWebhook({ events: ['quote.quoted'] })];
    await update(sql, 'quotes', id, priced);
    await update(sql, 'quotes', id, { status: 'cancelled' });
    const calls = (await outbox.claim({ mails: 0 })).map(({ webhook_id, event }) => [
      webhook_id,
      event?.['event'],
    ]);
    expect(calls).toHaveLength(3);
    expect(calls).toEqual(
      expect.arrayContaining([
        [all, 'quote.quoted'],
        [some, 'quote.quoted'],
        [all, 'quote.cancelled'],
      ]),
    );
  });

  it('has four calls at once, and one while it fails; another one has its own', async () => {
    const [failing, other] = [await aWebhook(), await aWebhook({ events: ['quote.quoted'] })];
    const id = await aQuoted({ status: 'draft' });
    for (let n = 0; n < 10; n++) {
      await update(sql, 'quotes', id, { status: n % 2 === 0 ? 'submitted' : 'draft' });
    }
    const first = await outbox.claim({ mails: 0 });
    expect(first).toHaveLength(4);
    expect(await outbox.claim({ mails: 0 })).toEqual([]);
    for (const call of first) {
      await outbox.settle(call, ['failed', 'timeout']);
    }
    expect(await outbox.claim({ mails: 0 })).toHaveLength(1);
    await update(sql, 'quotes', await aQuoted({ status: 'submitted' }), priced);
    expect((await outbox.claim({ mails: 0 })).map(call => call.webhook_id)).toEqual([other]);
    expect(
      (await sql`select from builder.webhooks where failing_since is not null and id = ${failing}`).length,
    ).toBe(1);
  });

  it('works again after a call that was taken', async () => {
    await aWebhook({ failing_since: '2026-01-01T00:00:00Z' });
    await update(sql, 'quotes', await aQuoted({ status: 'submitted' }), priced);
    const [call] = await outbox.claim({ mails: 0 });
    await outbox.settle(call, ['sent']);
    expect(await sql`select failing_since, disabled_at from builder.webhooks`).toEqual([
      { failing_since: null, disabled_at: null },
    ]);
  });

  it.each<[string, object, Ending]>([
    ['that is gone', {}, ['refused', '410']],
    ['that has failed for five days', { failing_since: '2026-01-01T00:00:00Z' }, ['failed', '500']],
  ])('%s is disabled, and called no more', async (_, more, outcome) => {
    await aWebhook(more);
    const id = await aQuoted({ status: 'submitted' });
    await update(sql, 'quotes', id, priced);
    await update(sql, 'quotes', id, { status: 'cancelled' });
    const [call] = await outbox.claim({ mails: 0 });
    await outbox.settle(call, outcome);
    expect(await sql`select disabled_because from builder.webhooks where disabled_at is not null`).toEqual([
      { disabled_because: outcome[1] },
    ]);
    await update(sql, 'quotes', id, { status: 'submitted' });
    expect(await outbox.claim({ mails: 0 })).toEqual([]);
    expect(
      await sql`select from builder.deliveries where webhook_id is not null and due_at is not null`,
    ).toEqual([]);
  });
});

describe('a delivery that is claimed', () => {
  beforeEach(async () => {
    await aQuoted();
    await anEmail();
  });

  it('is leased for longer than an attempt takes, and then due again', async () => {
    expect(await outbox.claim()).toMatchObject([{ attempt: 1 }]);
    expect(await outbox.claim()).toEqual([]);
    const [{ minutes } = {}] =
      await sql`select extract(epoch from due_at - now()) / 60 as minutes from builder.deliveries`;
    expect(Number(minutes)).toBeLessThanOrEqual(15);
    const { attempt, beforeDot, reply } = deliveryLimits.mail;
    // RFC 5321, 4.5.3.2.6.
    expect(reply / 60_000).toBeGreaterThanOrEqual(10);
    expect(Number(minutes) * 60_000).toBeGreaterThan(attempt + beforeDot + reply);
    await outbox.makeDue();
    expect(await outbox.claim()).toMatchObject([{ attempt: 2 }]);
  });

  it.each<[string, Ending, string]>([
    ['sent', ['sent'], 'sent'],
    ['given up', ['dead', '550 no such user'], 'dead: 550 no such user'],
  ])('is %s, and not claimed again', async (_, outcome, expected) => {
    const [claimed] = await outbox.claim();
    await outbox.settle(claimed, outcome);
    await outbox.makeDue();
    expect(await outbox.claim()).toEqual([]);
    expect(await outbox.states()).toEqual([expected]);
  });

  it('is due again later when it failed, with one attempt more, and without when nothing could be sent at all', async () => {
    const [first] = await outbox.claim();
    await outbox.settle(first, ['unavailable', 'connection refused']);
    await outbox.makeDue();
    await sql`update builder.delivery_pace set mail_paused_until = now()`;
    const [second] = await outbox.claim();
    expect(second?.attempt).toBe(1);
    await outbox.settle(second, ['failed', '450 greylisted']);
    expect(await outbox.claim()).toEqual([]);
    await outbox.makeDue();
    expect(await outbox.claim()).toMatchObject([{ attempt: 2 }]);
  });

  it('is settled by whoever claimed it last alone', async () => {
    const [late] = await outbox.claim();
    await outbox.makeDue();
    const [now] = await outbox.claim();
    await outbox.settle(late, ['dead', 'late']);
    expect(await outbox.states()).toEqual(['']);
    await outbox.settle(now, ['sent']);
    await outbox.settle(now, ['dead', 'twice']);
    expect(await outbox.states()).toEqual(['sent']);
  });

  it('to an address that is refused for good takes those after it with it, for a week', async () => {
    const [claimed] = await outbox.claim();
    await outbox.settle(claimed, ['refused', '550']);
    await anEmail();
    expect(await outbox.claim()).toEqual([]);
    expect(await outbox.states()).toEqual(['waiting: 550', 'waiting: refused address']);
    await sql`update builder.refused_addresses set refused_at = now() - interval '8 days'`;
    await anEmail();
    expect(await outbox.claim()).toHaveLength(1);
  });
});

it('two workers that claim at once have each delivery once', async () => {
  for (let n = 0; n < 40; n++) {
    account = randomUUID();
    await aQuoted({ contact_email: `${n}@customer.test` });
    await anEmail();
  }
  const claimed = await Promise.all(Array.from({ length: 4 }, () => outbox.claim({ mails: 15 })));
  const ids = claimed.flat().map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
});

describe('nobody but builder_deliverer', () => {
  it.each([
    'builder_customer',
    'builder_staff',
    'builder_api',
    'builder_sweeper',
    'builder_live',
  ])('claims, settles or mutes: %s may not', async role => {
    for (const call of [
      'claim_emails(1, 1, null)',
      'claim_calls(1)',
      "settle(1, 1, 'sent', null, null)",
      'mute_account(gen_random_uuid())',
      'delivery_status(true)',
    ]) {
      const asked = sql.begin(own => [
        own`select set_config('role', ${role}, true)`,
        own.unsafe(`select builder.${call}`),
      ]);
      await expect(asked).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('and it may do nothing else', async () => {
    const tables = await sql`
      select relname from pg_class where relnamespace = 'builder'::regnamespace and relkind = 'r'
        and has_any_column_privilege('builder_deliverer', oid, 'select, insert, update, references')`;
    expect(tables).toEqual([]);
  });
});

it('what has ended is deleted after 30 days, and after 90 what failed', async () => {
  await aQuoted();
  for (const [days, outcome] of [
    [29, 'sent'],
    [31, 'sent'],
    [31, 'dead'],
    [91, 'dead'],
    [31, 'skipped'],
  ] as const) {
    await anEmail();
    await sql`
      update builder.deliveries set due_at = null, state = ${outcome}, settled_at = now() - ${days} * interval '1 day'
      where due_at is not null`;
  }
  await anEmail();
  expect(await sql`select builder.prune_deliveries(100) as count`).toEqual([{ count: 3 }]);
  expect(await outbox.states()).toEqual(['sent', 'dead', '']);
});
