/** The pace of deliveries, by the database's clock: turns of webhooks, retries, pauses of the relay, lateness, redelivery. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { inTime, late, useOutbox } from './outbox.ts';
import { insert } from './roles.ts';

const o = useOutbox();

async function anAddressedEmail(): Promise<void> {
  await o.aQuoted();
  await o.anEmail();
}

/** Inserts a webhook with so many calls that are due. */
async function aWebhook(calls: number, more: object = {}): Promise<string> {
  const id = await o.aWebhook(more);
  const quote = await insert(o.sql, 'quotes', aQuote(o.account));
  const [event] = await o.sql`
    insert into builder.quote_events (quote_id, account_id, event, status, previous_status, currency, created_as)
    values (${quote}, ${o.account}, 'quote.none', 'quoted', 'quoted', 'USD', 'staff') returning id, quote_id`;
  await o.sql`delete from builder.deliveries where event_id = ${event?.['id']}`;
  await o.sql`insert into builder.deliveries (kind, account_id, quote_id, webhook_id, event_id)
    select 'webhook', ${o.account}, ${event?.['quote_id']}, ${id}, ${event?.['id']} from generate_series(1, ${calls})`;
  return id;
}

const pause = async () =>
  Number((await o.sql`select extract(epoch from mail_pause) as s from builder.delivery_pace`)[0]?.['s']);

it('a free call is for the webhook that was not called, whatever backlogs the others have', async () => {
  await aWebhook(100);
  await aWebhook(100);
  const busy = await o.claimCalls(5);
  expect(busy).toHaveLength(5);
  const third = await aWebhook(1);
  await o.settle(busy[0], ['sent']);
  expect((await o.claimCalls(1)).map(call => call.webhook_id)).toEqual([third]);
});

describe('a failed attempt', () => {
  it.each([
    ['an e-mail', [60, 300, 900, 1800, 3600, 10800, 21600, 43200, 86400]],
    ['a call', [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]],
  ])('of %s is repeated by its schedule with 20 %% jitter, and the tenth is the last', async (what, schedule) => {
    await (what === 'a call' ? aWebhook(1) : anAddressedEmail());
    for (const wait of schedule) {
      const [claimed] = await o.claim();
      const [settled] = await o.settle(claimed, ['failed', 'busy']);
      expect(settled?.state).toBe('waiting');
      expect(settled?.retry_in).toBeGreaterThanOrEqual(wait * 0.8 - 1);
      expect(settled?.retry_in).toBeLessThanOrEqual(wait * 1.2 + 1);
      expect(await o.claim()).toEqual([]);
      await o.makeDue();
    }
    const [last] = await o.claim();
    expect(await o.settle(last, ['failed', 'busy'])).toEqual([{ state: 'dead', retry_in: null }]);
    expect(await o.states()).toEqual(['dead: busy']);
  });

  it('is repeated no sooner than the receiver asks', async () => {
    await aWebhook(1);
    const [call] = await o.claim();
    expect((await o.settle(call, ['failed', '503', 3600]))[0]?.retry_in).toBeCloseTo(3600, 0);
  });
});

it('while the relay is down all mail waits, twice as long each time up to five minutes, until one is sent', async () => {
  await anAddressedEmail();
  const pauses = [];
  for (let n = 0; n < 7; n++) {
    await o.makeDue();
    const [mail] = await o.claim();
    await o.settle(mail, ['unavailable', 'no connection']);
    pauses.push(await pause());
  }
  expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300]);
  await o.sql`update builder.deliveries set due_at = now()`;
  expect(await o.claim()).toEqual([]);
  expect((await o.status())['next_mail']).toBeGreaterThan(290);
  await o.makeDue();
  const [mail] = await o.claim();
  expect(mail?.attempt).toBe(1);
  await o.settle(mail, ['sent']);
  expect(await pause()).toBe(0);
});

describe('a mail that the relay was sent whole and did not reply to', () => {
  const unanswered = ['unanswered', 'no reply after the message'] as const;
  const attempt = async (ending: Parameters<typeof o.settle>[1]) => {
    await o.makeDue();
    const [mail] = await o.claim();
    return (await o.settle(mail, ending))[0];
  };

  it('is sent once more after ten minutes, and no third time, whatever the relay replied in between', async () => {
    await anAddressedEmail();
    await attempt(['failed', '451']);
    expect(await attempt(unanswered)).toMatchObject({ state: 'waiting', retry_in: 600 });
    for (const ending of [
      ['failed', '451'],
      ['unavailable', '421'],
    ] as const) {
      expect(await attempt(ending)).toMatchObject({ state: 'waiting' });
    }
    expect(await attempt(unanswered)).toMatchObject({ state: 'sent' });
  });

  it('counts as sent if no attempt is left', async () => {
    await anAddressedEmail();
    await o.sql`update builder.deliveries set attempts = 9`;
    expect(await attempt(unanswered)).toMatchObject({ state: 'sent' });
  });
});

it('mails that fail at the same time double the pause of the relay once', async () => {
  for (let n = 0; n < 4; n++) {
    o.account = randomUUID();
    await anAddressedEmail();
  }
  for (const mail of await o.claim()) {
    await o.settle(mail, ['unavailable', 'no connection']);
  }
  expect(await pause()).toBe(10);
});

describe('the status of deliveries', () => {
  it('is late when an e-mail or a call that has failed was not tried again for ten minutes', async () => {
    await anAddressedEmail();
    await aWebhook(1);
    await o.sql`update builder.deliveries set attempts = 1, due_at = now() - interval '9 minutes'`;
    expect(await o.status()).toMatchObject(inTime);
    await o.sql`update builder.deliveries set due_at = now() - interval '11 minutes'`;
    expect(await o.status()).toMatchObject(late);
  });

  it.each([
    'failed',
    'unanswered',
  ])('is late when the relay ended every attempt of ten minutes as %s, and something waits', async outcome => {
    await anAddressedEmail();
    for (const each of await o.claim()) {
      await o.settle(each, [outcome, 'busy']);
    }
    expect(await o.status()).toMatchObject(inTime);
    await o.sql`update builder.delivery_pace set mail_failing_since = mail_failing_since - interval '11 minutes'`;
    expect(await o.status()).toMatchObject({ ...inTime, late_mail: true });
    await o.sql`update builder.deliveries set due_at = null, state = 'skipped'`;
    expect(await o.status()).toMatchObject(inTime);
  });

  it('counts a webhook that fails, and is late because of it only when none of its calls was attempted for ten minutes', async () => {
    await aWebhook(3);
    const [first] = await o.claimCalls(1);
    await o.settle(first, ['failed', '503']);
    await o.sql`update builder.webhooks set failing_since = now() - interval '4 days'`;
    await o.sql`update builder.deliveries set due_at = now() - interval '3 days'`;
    expect(await o.status()).toMatchObject({ ...inTime, failing: '1' });
    await o.sql`update builder.deliveries set attempted_at = now() - interval '11 minutes' where attempted_at is not null`;
    expect(await o.status()).toMatchObject({ ...inTime, late_call: true, failing: '1' });
    await o.sql`update builder.webhooks set disabled_at = now()`;
    expect(await o.status()).toMatchObject({ ...inTime, failing: '0' });
  });

  it('warns once an hour that e-mails wait where none can be sent', async () => {
    await anAddressedEmail();
    expect([(await o.status(false))['to_warn'], (await o.status(false))['to_warn']]).toEqual(['1', null]);
    await o.sql`update builder.delivery_pace set warned_at = now() - interval '61 minutes'`;
    expect((await o.status(false))['to_warn']).toBe('1');
  });
});

it('the times in the body of a webhook are in UTC, whatever the time zone of the database is', async () => {
  await aWebhook(1);
  const [row] = await o.sql.begin(async own => {
    await own`set local timezone = 'Asia/Kolkata'`;
    return own`select event from builder.claim_calls(1)`;
  });
  const inUtc = expect.stringMatching(/\+00:00$/);
  expect(row?.['event']).toMatchObject({ created_at: inUtc, updated_at: inUtc });
});

describe('a redelivery that staff ask for', () => {
  it('is due with all its attempts, although it was superseded or too old', async () => {
    await anAddressedEmail();
    const [row] = await o.sql`update builder.deliveries
      set due_at = null, state = 'dead', attempts = 10, reason = '450', queued_at = now() - interval '5 days', created_at = now() - interval '5 days'
      returning id`;
    await o.sql`update builder.notifications set dismissed = true`;
    expect(await o.redeliver(row?.['id'])).toEqual({ id: Number(row?.['id']), state: 'waiting' });
    expect(await o.claim()).toMatchObject([{ attempt: 1 }]);
  });

  it('goes to an address that was refused', async () => {
    await anAddressedEmail();
    const [mail] = await o.claim();
    await o.settle(mail, ['refused', '550 5.1.1']);
    await o.redeliver(mail?.id);
    expect(await o.claim()).toMatchObject([{ address: 'ann@customer.test' }]);
  });

  it('is refused while its webhook is disabled', async () => {
    await aWebhook(1);
    const [call] = await o.claim();
    await o.settle(call, ['refused', '410']);
    await expect(o.redeliver(call?.id)).rejects.toMatchObject({ code: 'PT409' });
  });
});
