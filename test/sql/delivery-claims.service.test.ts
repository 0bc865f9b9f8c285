/** One bad row, account or webhook keeps nothing else from being delivered, and no claim is settled by another's settlement. */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { type Claimed, type Ending, outboxOf } from './outbox.ts';
import { asStaff, insert, update } from './roles.ts';

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
const aQuoted = (more: object = {}) =>
  insert(
    sql,
    'quotes',
    aQuote(account, {
      ...priced,
      quoted_at: '2026-01-01',
      source: 'csv_import',
      contact_email: 'ann@customer.test',
      ...more,
    }),
  );
const anEmail = (more: object = {}) =>
  insert(sql, 'notifications', aNotification(account, { channel: 'email', ...more }));
const aWebhook = (more: object = {}) =>
  insert(sql, 'webhooks', { url: 'https://erp.test/hook', secrets: ['whsec_x'], ...more });

/** Replaces builder.email_of until the test has ended. */
async function replaceEmailOf(body: string): Promise<void> {
  const [before] = await sql`select pg_get_functiondef('builder.email_of(uuid)'::regprocedure) as text`;
  onTestFinished(async () => void (await sql.unsafe(String(before?.['text']))));
  await sql.unsafe(`create or replace function builder.email_of(account uuid, out address text, out language text)
    language plpgsql stable security definer as $$ begin ${body} end $$`);
}

describe('where email_of fails for one account', () => {
  const other = 'other@customer.test';
  beforeEach(async () => {
    await replaceEmailOf(`
      if account = '${account}' then raise exception 'no such tenant'; end if;
      address := '${other}'; language := 'en';`);
  });

  it('its quotes move on, and it is told in English', async () => {
    const id = await aQuoted({ status: 'submitted' });
    await update(sql, 'quotes', id, priced);
    expect(await sql`select body from builder.notifications`).toEqual([
      { body: 'Your quote QT-2026-00001 has its price: 125 USD.' },
    ]);
  });

  it('its mails wait, and those of others are sent', async () => {
    await anEmail();
    account = randomUUID();
    await anEmail();
    expect(await outbox.claim()).toMatchObject([{ address: other }]);
    expect(await outbox.states()).toEqual(['waiting: its address can’t be found: P0001', '']);
    const [{ minutes } = {}] =
      await sql`select extract(epoch from min(due_at) - now()) / 60 as minutes from builder.deliveries where state = 'waiting'`;
    expect(Number(minutes)).toBeGreaterThan(9);
  });
});

it('where email_of hangs for one account, its mails wait after one timeout, and those of others are sent', async () => {
  await replaceEmailOf(`
    if account = '${account}' then perform pg_sleep(60); end if;
    address := 'other@customer.test'; language := 'en';`);
  await anEmail();
  account = randomUUID();
  await anEmail();
  const claimInTime = () =>
    sql.begin(async own => {
      await own`set local statement_timeout = 300`;
      return own`select address from builder.claim_emails(20, 1000, null)`;
    });
  expect(await claimInTime()).toEqual([]);
  expect(await claimInTime()).toEqual([{ address: 'other@customer.test' }]);
});

describe('the mail of an event', () => {
  const moved = async (...changes: Record<string, unknown>[]) => {
    const id = await aQuoted({ status: 'approved' });
    for (const change of changes) {
      await update(sql, 'quotes', id, change);
    }
    return (await outbox.claim()).map(({ body }) => body?.replace(/^.*QT-2026-00001 /, '')).sort();
  };

  it.each<[what: string, changes: Record<string, unknown>[], told: string[]]>([
    [
      'comes when the fulfillment begins in the same request',
      [{ status: 'ordered', fulfillment_status: 'reviewing' }],
      ['is placed.'],
    ],
    [
      'comes when the fulfillment goes on',
      [{ status: 'ordered' }, { fulfillment_status: 'reviewing' }, { fulfillment_status: 'shipping' }],
      ['is on its way.', 'is placed.'],
    ],
    [
      'is overtaken by a later step of the fulfillment that it tells',
      [{ status: 'ordered', fulfillment_status: 'shipping' }, { fulfillment_status: 'delivered' }],
      ['is placed.'],
    ],
    ['is overtaken by another status', [{ status: 'ordered' }, { status: 'cancelled' }], []],
    ['is overtaken by a deletion', [{ status: 'ordered' }, { deleted_at: '2026-02-01T00:00:00Z' }], []],
  ])('%s', async (_, changes, told) => {
    expect(await moved(...changes)).toEqual(told);
  });
});

it('a mail whose notification staff have corrected goes to the account that has it now', async () => {
  await aQuoted();
  const id = await anEmail();
  account = randomUUID();
  await aQuoted({ contact_email: 'bob@customer.test' });
  await asStaff(
    sql,
    {},
    own => own`update builder.notifications set account_id = ${account} where id = ${id}`,
  );
  expect(await outbox.claim()).toMatchObject([{ account_id: account, address: 'bob@customer.test' }]);
});

it('an address in other letters is the same address', async () => {
  const id = await aQuoted();
  const addresses = ['ann@customer.test', 'Ann@customer.test', 'ANN@customer.test', 'ann@CUSTOMER.test'];
  for (let n = 0; n < 12; n++) {
    const address = addresses[n % addresses.length];
    await sql`update builder.quotes set contact_email = ${address ?? null} where id = ${id}`;
    await anEmail();
    await outbox.claim();
  }
  expect((await outbox.states()).filter(outcome => outcome !== '')).toEqual([
    'waiting: too many to the address',
    'waiting: too many to the address',
  ]);
  await sql`truncate builder.deliveries`;
  await anEmail();
  const [claimed] = await outbox.claim();
  await outbox.settle(claimed as Claimed, ['refused', '550']);
  await sql`update builder.quotes set contact_email = 'aNN@customer.test'`;
  await anEmail();
  expect(await outbox.claim()).toEqual([]);
});

it('two hundred mails that are skipped do not keep one back that is sent', async () => {
  const muted = account;
  await sql`select builder.mute_account(${muted})`;
  await sql`insert into builder.notifications (account_id, body, channel, dismissed)
    select ${muted}, 'Hello', 'email', false from generate_series(1, 200)`;
  account = randomUUID();
  await aQuoted();
  await anEmail();
  expect(await outbox.claim({ mails: 1 })).toMatchObject([{ address: 'ann@customer.test' }]);
});

it.each([
  ['an e-mail', 'mail'],
  ['a call', 'call'],
])('%s that ends whoever sends it is given up after ten times', async (_, kind) => {
  await aQuoted({ status: 'submitted' });
  await (kind === 'mail' ? anEmail() : aWebhook());
  await sql`update builder.quotes set status = 'cancelled'`;
  for (let n = 0; n < 10; n++) {
    expect(await outbox.claim()).toHaveLength(1);
    await outbox.makeDue();
  }
  expect(await outbox.claim()).toEqual([]);
  expect(await outbox.states()).toEqual(['dead: never settled']);
});

it('a settlement that arrives twice does not settle the next claim', async () => {
  await aQuoted();
  await anEmail();
  const [first] = (await outbox.claim()) as [Claimed];
  const unavailable: Ending = ['unavailable', 'connection refused'];
  await outbox.settle(first, unavailable);
  await outbox.makeDue();
  await sql`update builder.delivery_pace set mail_paused_until = now()`;
  const [second] = (await outbox.claim()) as [Claimed];
  expect(second.attempt).toBe(first.attempt);
  await outbox.settle(first, unavailable);
  await outbox.settle(second, ['sent']);
  expect(await outbox.states()).toEqual(['sent']);
});

describe('webhooks', () => {
  /** Calls of all webhooks, for so many moves of a quote. */
  async function callsFor(moves: number): Promise<void> {
    const id = await aQuoted({ status: 'draft' });
    for (let n = 0; n < moves; n++) {
      await update(sql, 'quotes', id, { status: n % 2 === 0 ? 'submitted' : 'draft' });
    }
    await sql`update builder.deliveries set due_at = null, state = 'skipped' where webhook_id is null and due_at is not null`;
  }

  it('that work have their turn before those that fail', async () => {
    for (let n = 0; n < 5; n++) {
      await aWebhook({ failing_since: '2026-11-20T00:00:00Z' });
    }
    await callsFor(3);
    const working = await aWebhook();
    await callsFor(2);
    const calls = await outbox.claim({ mails: 0, calls: 5 });
    expect(new Set(calls.map(({ webhook_id }) => webhook_id)).size).toBe(5);
    expect(calls.map(({ webhook_id }) => webhook_id)).toContain(working);
  });

  it('that answer 410 to several calls at once are disabled, and nothing waits for a deadlock', async () => {
    const id = await aWebhook();
    await callsFor(40);
    const calls = await outbox.claim({ mails: 0 });
    expect(calls).toHaveLength(4);
    const clients = calls.map(() => postgres(database.ownerUrl, { max: 1, onnotice: () => {} }));
    onTestFinished(async () => void (await Promise.all(clients.map(client => client.end()))));
    const settled = calls.map((call, n) => {
      const client = clients[n] as Sql;
      return client.begin(async own => {
        await outbox.settle(call, ['refused', '410'], own);
        await own`select pg_sleep(0.1)`;
      });
    });
    expect((await Promise.allSettled(settled)).map(({ status }) => status)).toEqual(
      calls.map(() => 'fulfilled'),
    );
    expect(await sql`select disabled_because from builder.webhooks where id = ${id}`).toEqual([
      { disabled_because: '410' },
    ]);
    await outbox.claim({ mails: 0 });
    expect((await outbox.states()).filter(outcome => outcome === 'skipped: webhook disabled')).toHaveLength(
      36,
    );
  });
});

it('an address that was refused is forgotten when its week is over', async () => {
  await sql`insert into builder.refused_addresses values
    ('ann@customer.test', now() - interval '8 days'), ('bob@customer.test', now() - interval '6 days')`;
  await sql`select builder.prune_deliveries(100)`;
  expect(await sql`select address from builder.refused_addresses`).toEqual([
    { address: 'bob@customer.test' },
  ]);
});

it.each([
  'webhooks',
  'delivery_pace',
  'settings',
  'told_events',
  'reminded_offers',
  'event_messages',
  'muted_accounts',
  'refused_addresses',
])('nobody who asks over HTTP has a right to %s', async table => {
  const [{ has } = {}] = await sql`
    select bool_or(has_any_column_privilege(role, ${`builder.${table}`}, 'select, insert, update, references')
      or has_table_privilege(role, ${`builder.${table}`}, 'delete, truncate, trigger')) as has
    from unnest(array['builder_anon', 'builder_customer', 'builder_staff', 'builder_api', 'builder_live']) role`;
  expect(has).toBe(false);
});
