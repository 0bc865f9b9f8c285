/** Each delivery is claimed by one worker and settled once, and no bad row, account or webhook delays the others. */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { deliveryLimits } from '../../functions/delivery/delivery-limits.ts';
import { untilBlocked } from '../setup/locks.ts';
import { type Claimed, type Ending, price, useOutbox } from './outbox.ts';

const o = useOutbox();

/** Makes calls of all webhooks due, for so many moves of a quote. */
async function callsFor(moves: number): Promise<void> {
  const id = await o.aQuoted({ status: 'draft' });
  for (let n = 0; n < moves; n++) {
    await o.change(id, { status: n % 2 === 0 ? 'submitted' : 'draft' });
  }
}
const calls = () => o.claimCalls(20);
const webhooksOf = (claimed: Claimed[]) => claimed.map(({ webhook_id }) => webhook_id);

describe('a claimed delivery', () => {
  beforeEach(async () => {
    await o.aQuoted();
    await o.anEmail();
  });

  it('is leased for longer than an attempt takes, and then due again', async () => {
    expect(await o.claim()).toMatchObject([{ attempt: 1 }]);
    expect(await o.claim()).toEqual([]);
    const [{ minutes } = {}] =
      await o.sql`select extract(epoch from due_at - now()) / 60 as minutes from builder.deliveries`;
    expect(Number(minutes)).toBeLessThanOrEqual(15);
    const { attempt, beforeDot, reply } = deliveryLimits.mail;
    // RFC 5321, 4.5.3.2.6.
    expect(reply / 60_000).toBeGreaterThanOrEqual(10);
    expect(Number(minutes) * 60_000).toBeGreaterThan(attempt + beforeDot + reply);
    await o.makeDue();
    expect(await o.claim()).toMatchObject([{ attempt: 2 }]);
  });

  it('is settled only by its latest claim, and once', async () => {
    const [late] = await o.claim();
    await o.makeDue();
    const [now] = await o.claim();
    await o.settle(late, ['dead', 'late']);
    expect(await o.states()).toEqual(['']);
    await o.settle(now, ['unavailable', 'connection refused']);
    await o.makeDue();
    const [next] = await o.claim();
    expect(next?.attempt).toBe(now?.attempt);
    await o.settle(now, ['dead', 'twice']);
    await o.settle(next, ['sent']);
    await o.settle(next, ['dead', 'twice']);
    expect(await o.states()).toEqual(['sent']);
  });
});

it.each(['mail', 'call'])('a %s that crashes its worker is given up after ten attempts', async kind => {
  const id = await o.aQuoted({ status: 'submitted' });
  await (kind === 'call' && o.aWebhook());
  await o.say('quote.cancelled', { enabled: kind === 'mail' });
  await o.change(id, { status: 'cancelled' });
  for (let n = 0; n < 10; n++) {
    expect(await o.claim()).toHaveLength(1);
    await o.makeDue();
  }
  expect(await o.claim()).toEqual([]);
  expect(await o.states()).toEqual(['dead: no result was reported']);
});

describe('where email_of is replaced and fails for one account', () => {
  const others = `address := 'other@customer.test'; language := 'en';`;

  it('its quotes move on with messages in English, and its mails wait while others are sent', async () => {
    const fails = `if account = '${o.account}' then raise exception 'no such tenant'; end if;`;
    await o.replaceEmailOf(`${fails} ${others}`);
    await o.anOffer();
    const body = 'Your quote QT-2026-00001 has its price: $125.00.';
    expect(await o.sql`select body from builder.notifications`).toEqual([{ body }]);
    o.account = randomUUID();
    await o.anEmail();
    expect(await o.claim()).toMatchObject([{ address: 'other@customer.test' }]);
    expect(await o.states()).toEqual(['waiting: address lookup failed: P0001', '']);
    const [{ minutes } = {}] =
      await o.sql`select extract(epoch from min(due_at) - now()) / 60 as minutes from builder.deliveries where state = 'waiting'`;
    expect(Number(minutes)).toBeGreaterThan(9);
  });

  it('by hanging, its mails wait after one timeout, and those of others are sent', async () => {
    await o.replaceEmailOf(`if account = '${o.account}' then perform pg_sleep(60); end if; ${others}`);
    await o.anEmail();
    o.account = randomUUID();
    await o.anEmail();
    const claimInTime = () =>
      o.sql.begin(async own => {
        await own`set local statement_timeout = '2s'`;
        return own`select address from builder.claim_emails(20, 1000, null)`;
      });
    expect(await claimInTime()).toEqual([]);
    expect(await claimInTime()).toEqual([{ address: 'other@customer.test' }]);
  });
});

describe('a webhook', () => {
  it('is called for the events that it wants, each once, and for none before it was added', async () => {
    const id = await o.anOffer();
    const [all, some] = [await o.aWebhook(), await o.aWebhook({ events: ['quote.approved'] })];
    await o.change(id, { status: 'approved' });
    await o.change(id, { status: 'cancelled' });
    const called = (await calls()).map(({ webhook_id, event }) => `${webhook_id} ${event?.['event']}`);
    const wanted = [`${all} quote.approved`, `${some} quote.approved`, `${all} quote.cancelled`];
    expect(called.sort()).toEqual(wanted.sort());
  });

  it('has four calls at once, and one while it fails; another one has its own', async () => {
    const [failing, other] = [await o.aWebhook(), await o.aWebhook({ events: ['quote.quoted'] })];
    await callsFor(10);
    const first = await calls();
    expect(first).toHaveLength(4);
    expect(await calls()).toEqual([]);
    for (const call of first) {
      await o.settle(call, ['failed', 'timeout']);
    }
    expect(webhooksOf(await calls())).toEqual([failing]);
    await o.change(await o.aQuoted({ status: 'submitted' }), price);
    expect(webhooksOf(await calls())).toEqual([other]);
  });

  it('works again after a call that was accepted', async () => {
    await o.aWebhook({ failing_since: '2026-01-01T00:00:00Z' });
    await callsFor(1);
    const [call] = await calls();
    await o.settle(call, ['sent']);
    const works = { failing_since: null, disabled_at: null };
    expect(await o.sql`select failing_since, disabled_at from builder.webhooks`).toEqual([works]);
  });

  it.each<[string, object, Ending]>([
    ['answers 410', {}, ['refused', '410']],
    ['has failed for five days', { failing_since: '2026-01-01T00:00:00Z' }, ['failed', '500']],
  ])('that %s is disabled and called no more', async (_, more, outcome) => {
    await o.aWebhook(more);
    await callsFor(2);
    const [call] = await calls();
    await o.settle(call, outcome);
    const disabled = o.sql`select disabled_because as why from builder.webhooks where disabled_at is not null`;
    expect(await disabled).toEqual([{ why: outcome[1] }]);
    await callsFor(1);
    expect(await calls()).toEqual([]);
    const due = o.sql`select from builder.deliveries where webhook_id is not null and due_at is not null`;
    expect(await due).toEqual([]);
  });

  it('that answers 410 to several calls at once is disabled without a deadlock', async () => {
    const id = await o.aWebhook();
    await callsFor(40);
    const claimed = await calls();
    expect(claimed).toHaveLength(4);
    const clients = claimed.map(() => postgres(o.database.ownerUrl, { max: 1, onnotice: () => {} }));
    onTestFinished(async () => void (await Promise.all(clients.map(client => client.end()))));
    await Promise.all(
      claimed.map((call, n) =>
        (clients[n] as Sql).begin(async own => {
          await o.settle(call, ['refused', '410'], own);
          await own`select pg_sleep(0.1)`;
        }),
      ),
    );
    const disabled = o.sql`select disabled_because as why from builder.webhooks where id = ${id}`;
    expect(await disabled).toEqual([{ why: '410' }]);
    await calls();
    expect((await o.states()).filter(state => state === 'skipped: webhook disabled')).toHaveLength(36);
  });

  it.each<[what: string, work: (call: Claimed | undefined, quote: string) => Promise<unknown>]>([
    ['a call is settled', call => o.settle(call, ['failed', '500'])],
    ['a quote moves', (_, quote) => o.change(quote, { status: 'cancelled' })],
  ])('can be deleted while %s', async (_, work) => {
    const id = await o.aWebhook();
    const quote = await o.aQuoted({ status: 'draft' });
    await o.change(quote, { status: 'submitted' });
    const [call] = await calls();
    await o.change(quote, { status: 'draft' });
    const { working } = await o.sql.begin(async own => {
      // As `delete` does, before it deletes the calls.
      await own`select from builder.webhooks where id = ${id} for update`;
      const working = work(call, quote);
      await untilBlocked(o);
      await own`delete from builder.webhooks where id = ${id}`;
      return { working };
    });
    await working;
    expect(await o.sql`select from builder.webhooks`).toEqual([]);
  });
});
