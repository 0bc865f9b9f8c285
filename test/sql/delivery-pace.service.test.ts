/** What paces deliveries, by the database's clock: turns of webhooks, retries, the pause of the relay, lateness, redelivery. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { outboxOf } from './outbox.ts';
import { asCustomer, asStaff, claimsOf, insert } from './roles.ts';

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

async function anEmail(): Promise<void> {
  const priced = {
    status: 'quoted',
    unit_price: 1,
    total_price: 5,
    quoted_at: '2026-01-01',
    source: 'csv_import',
  };
  await insert(sql, 'quotes', aQuote(account, { ...priced, contact_email: 'ann@customer.test' }));
  await insert(sql, 'notifications', aNotification(account, { channel: 'email' }));
}

/** A webhook with so many calls that are due. */
async function aWebhook(calls: number, more: object = {}): Promise<string> {
  const id = await insert(sql, 'webhooks', { url: 'https://erp.test/hook', secrets: ['whsec_x'], ...more });
  const [event] = await sql`
    insert into builder.quote_events (quote_id, account_id, event, status, previous_status, currency, created_as)
    values (${randomUUID()}, ${account}, 'quote.none', 'quoted', 'quoted', 'USD', 'staff') returning id`;
  await sql`delete from builder.deliveries where event_id = ${event?.['id']}`;
  await sql`insert into builder.deliveries (kind, account_id, webhook_id, event_id)
    select 'webhook', ${account}, ${id}, ${event?.['id']} from generate_series(1, ${calls})`;
  return id;
}

const status = async (canMail = true) =>
  (await sql`select * from builder.delivery_status(${canMail})`)[0] as Record<string, unknown>;
const seconds = async (column: string) =>
  Number(
    (await sql.unsafe(`select extract(epoch from ${column}) as s from builder.delivery_pace`))[0]?.['s'],
  );

describe('webhooks take turns', () => {
  it('so that the next free slot is for the one that was not called, whatever backlogs there are', async () => {
    await aWebhook(100);
    await aWebhook(100);
    const busy = await outbox.claim({ mails: 0, calls: 5 });
    expect(busy).toHaveLength(5);
    const third = await aWebhook(1);
    await outbox.settle(busy[0], ['sent']);
    expect((await outbox.claim({ mails: 0, calls: 1 })).map(call => call.webhook_id)).toEqual([third]);
  });

  it('so that one that fails is not kept waiting for ever by backlogs of those that work', async () => {
    const failing = await aWebhook(3, { failing_since: '2026-01-01' });
    await aWebhook(100);
    await aWebhook(100);
    const claimed = await outbox.claim({ mails: 0, calls: 5 });
    expect(claimed.filter(call => call.webhook_id === failing)).toHaveLength(1);
  });

  it('and a claim with 100,000 calls due reads few of them', async () => {
    await aWebhook(100_000);
    await aWebhook(10);
    await sql`analyze builder.deliveries`;
    const buffers = await sql.begin(async own => {
      await own`set local track_io_timing = off`;
      const [row] = await own`explain (analyze, buffers, format json) select * from builder.claim_calls(5)`;
      const plan = row?.['QUERY PLAN'][0].Plan;
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    });
    expect(buffers).toBeLessThan(1500);
  });
});

describe('a failed attempt', () => {
  it.each([
    ['an e-mail', [60, 300, 900, 1800, 3600, 10800, 21600, 43200, 86400]],
    ['a call', [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]],
  ])('of %s is repeated by its schedule, within a fifth of it, and the tenth is the last', async (what, schedule) => {
    await (what === 'a call' ? aWebhook(1) : anEmail());
    for (const wait of schedule) {
      const [claimed] = await outbox.claim();
      const [settled] = await outbox.settle(claimed, ['failed', 'busy']);
      expect(settled?.state).toBe('waiting');
      expect(settled?.retry_in).toBeGreaterThanOrEqual(wait * 0.8 - 1);
      expect(settled?.retry_in).toBeLessThanOrEqual(wait * 1.2 + 1);
      await outbox.makeDue();
    }
    const [last] = await outbox.claim();
    expect(await outbox.settle(last, ['failed', 'busy'])).toEqual([{ state: 'dead', retry_in: null }]);
    expect(await outbox.states()).toEqual(['dead: busy']);
  });

  it('is repeated no sooner than the receiver asks', async () => {
    await aWebhook(1);
    const [call] = await outbox.claim();
    expect((await outbox.settle(call, ['failed', '503', 3600]))[0]?.retry_in).toBeCloseTo(3600, 0);
  });
});

describe('when the relay takes nothing', () => {
  const fail = async () => {
    await sql`update builder.delivery_pace set mail_paused_until = now()`;
    await outbox.makeDue();
    const [mail] = await outbox.claim();
    await outbox.settle(mail, ['unavailable', 'no connection']);
    return seconds('mail_pause');
  };

  it('all mail waits, twice as long each time up to five minutes, until one is sent', async () => {
    await anEmail();
    const pauses = [];
    for (let n = 0; n < 7; n++) {
      pauses.push(await fail());
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300]);
    await outbox.makeDue();
    expect(await outbox.claim()).toEqual([]);
    expect((await status())['next_mail']).toBeGreaterThan(290);
    await sql`update builder.delivery_pace set mail_paused_until = now()`;
    const [mail] = await outbox.claim();
    expect(mail?.attempt).toBe(1);
    await outbox.settle(mail, ['sent']);
    expect(await seconds('mail_pause')).toBe(0);
  });

  it('the pause is doubled once for all that fail at the same time', async () => {
    for (let n = 0; n < 4; n++) {
      account = randomUUID();
      await anEmail();
    }
    for (const mail of await outbox.claim()) {
      await outbox.settle(mail, ['unavailable', 'no connection']);
    }
    expect(await seconds('mail_pause')).toBe(10);
  });
});

describe('the status', () => {
  it('is late when an e-mail or a call that is due was not tried for ten minutes', async () => {
    await anEmail();
    await aWebhook(1);
    expect(await status()).toMatchObject({ late_mail: false, late_call: false });
    await sql`update builder.deliveries set due_at = now() - interval '11 minutes'`;
    expect(await status()).toMatchObject({ late_mail: true, late_call: true });
  });

  it('is late when the relay or a webhook has only failed for ten minutes, and something waits', async () => {
    await anEmail();
    await aWebhook(1);
    for (const each of await outbox.claim()) {
      await outbox.settle(each, ['failed', 'busy']);
    }
    expect(await status()).toMatchObject({ late_mail: false, late_call: false });
    await sql`update builder.delivery_pace set mail_failing_since = now() - interval '11 minutes'`;
    await sql`update builder.webhooks set failing_since = now() - interval '11 minutes'`;
    expect(await status()).toMatchObject({ late_mail: true, late_call: true });
    await sql`update builder.deliveries set due_at = null, state = 'skipped'`;
    expect(await status()).toMatchObject({ late_mail: false, late_call: false });
  });

  it('is not late because of what is held back', async () => {
    await insert(sql, 'notifications', aNotification(account, { channel: 'email' }));
    await sql`update builder.deliveries set created_at = now() - interval '1 hour', queued_at = now() - interval '1 hour'`;
    await outbox.claim();
    expect(await outbox.states()).toEqual(['waiting: no address']);
    expect(await status()).toMatchObject({ late_mail: false });
  });

  it('warns once an hour that e-mails wait where none can be sent', async () => {
    await anEmail();
    expect([(await status(false))['to_warn'], (await status(false))['to_warn']]).toEqual(['1', null]);
    await sql`update builder.delivery_pace set warned_at = now() - interval '61 minutes'`;
    expect((await status(false))['to_warn']).toBe('1');
  });
});

it('the times of a webhook’s body are in UTC, whatever the database’s zone is', async () => {
  await aWebhook(1);
  const [row] = await sql.begin(async own => {
    await own`set local timezone = 'Asia/Kolkata'`;
    return own`select event from builder.claim_calls(1)`;
  });
  expect(row?.['event']).toMatchObject({
    created_at: expect.stringMatching(/\+00:00$/),
    updated_at: expect.stringMatching(/\+00:00$/),
  });
});

describe('what staff ask for again', () => {
  const redeliver = async (id: unknown) =>
    asStaff(sql, {}, async own => (await own`select builder.redeliver(${String(id)}) as done`)[0]?.['done']);

  it('is due, with all its attempts, although it was overtaken or too old', async () => {
    await anEmail();
    const [row] = await sql`update builder.deliveries
      set due_at = null, state = 'dead', attempts = 10, reason = '450', queued_at = now() - interval '5 days', created_at = now() - interval '5 days'
      returning id`;
    await sql`update builder.notifications set dismissed = true`;
    expect(await redeliver(row?.['id'])).toEqual({ id: Number(row?.['id']), state: 'waiting' });
    expect(await outbox.claim()).toMatchObject([{ attempt: 1 }]);
  });

  it('goes to an address that was refused', async () => {
    await anEmail();
    const [mail] = await outbox.claim();
    await outbox.settle(mail, ['refused', '550 5.1.1']);
    await redeliver(mail?.id);
    expect(await outbox.claim()).toMatchObject([{ address: 'ann@customer.test' }]);
  });

  it('is refused while it is being sent, and while its webhook is disabled', async () => {
    await aWebhook(1);
    const [call] = await outbox.claim();
    await expect(redeliver(call?.id)).rejects.toMatchObject({ code: 'PT409' });
    await outbox.settle(call, ['refused', '410']);
    await expect(redeliver(call?.id)).rejects.toMatchObject({ code: 'PT409' });
    expect(await redeliver(4711)).toBeNull();
  });

  it('no customer asks for', async () => {
    const asked = asCustomer(sql, claimsOf(account), own => own`select builder.redeliver(1)`);
    await expect(asked).rejects.toMatchObject({ code: '42501' });
  });
});
