/** Turns of accounts at a webhook and in e-mail: nobody's backlog stands before another's first delivery. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aNotification } from '../setup/rows.ts';
import { type Claimed, inTime, late, useOutbox } from './outbox.ts';
import { insert } from './roles.ts';

const o = useOutbox();

/** Moves so many new quotes of an account, in one statement, back and forth, for their webhooks. */
async function move(account: string, quotes: number, moves = 1): Promise<void> {
  await o.sql`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization, source)
    select ${account}, 'QT-2026-0' || (1000 + n), gen_random_uuid(), 'baseball', '{}', 'csv_import'
    from generate_series(1, ${quotes}) n`;
  for (let n = 0; n < moves; n++) {
    const status = n % 2 === 0 ? 'submitted' : 'draft';
    await o.sql`update builder.quotes set status = ${status} where account_id = ${account}`;
  }
  await o.sql`delete from builder.deliveries where account_id = ${account} and kind = 'email'`;
}

/** Makes the calls that are due one after the other, at most so many. */
async function call(count = Number.POSITIVE_INFINITY): Promise<Claimed[]> {
  const made: Claimed[] = [];
  while (made.length < count) {
    const [claimed] = await o.claimCalls(1);
    if (claimed === undefined) {
      break;
    }
    await o.settle(claimed, ['sent']);
    made.push(claimed);
  }
  return made;
}

const accountsOf = (calls: Claimed[]) => calls.map(({ event }) => event?.['account_id']);
const eventsOf = (calls: Claimed[]) => calls.map(({ event }) => event?.['event']);

describe('the calls of a webhook', () => {
  it('are made by turns of accounts, however many wait for one of them', async () => {
    await o.aWebhook();
    const [greedy, other, third] = [randomUUID(), randomUUID(), randomUUID()];
    await move(greedy, 20);
    await call(5);
    await move(other, 3);
    await move(third, 1);
    const next = accountsOf(await call(8));
    expect(next.slice(0, 3).sort()).toEqual([greedy, other, third].sort());
    expect(next.slice(3).sort()).toEqual([greedy, other, greedy, other, greedy].sort());
  });

  it('have the newest state of a quote first, and then the others', async () => {
    await o.aWebhook();
    const id = await o.aQuoted({ status: 'draft' });
    for (const next of ['submitted', 'draft', 'submitted', 'cancelled']) {
      await o.change(id, { status: next });
    }
    const events = eventsOf(await call());
    expect(events[0]).toBe('quote.cancelled');
    expect(events.sort()).toEqual(['quote.cancelled', 'quote.draft', 'quote.submitted', 'quote.submitted']);
  });

  it('that were never made come before those that are repeated', async () => {
    await o.aWebhook();
    const [greedy, other] = [randomUUID(), randomUUID()];
    await move(greedy, 3);
    for (let n = 0; n < 3; n++) {
      const [claimed] = await o.claimCalls(1);
      await o.settle(claimed, ['failed', '503']);
    }
    await o.sql`update builder.webhooks set failing_since = null`;
    await o.makeDue();
    await move(other, 1);
    expect(accountsOf(await call())).toEqual([other, greedy, greedy, greedy]);
  });

  it('that staff ask for again come after the first call of another account', async () => {
    await o.aWebhook();
    const [greedy, other] = [randomUUID(), randomUUID()];
    await move(greedy, 5);
    await call();
    const sent = await o.sql`select id from builder.deliveries where kind = 'webhook'`;
    for (const { id } of sent) {
      await o.redeliver(id);
    }
    await move(other, 1);
    expect(accountsOf(await call(2)).sort()).toEqual([greedy, other].sort());
  });

  it('are claimed by reading few rows where one account has 100,000 and another one', async () => {
    const id = await o.aWebhook();
    const [greedy, other] = [randomUUID(), randomUUID()];
    await move(greedy, 1);
    await o.sql`
      insert into builder.deliveries (kind, account_id, quote_id, webhook_id, event_id, turn)
      select 'webhook', account_id, quote_id, ${id}, event_id, n from builder.deliveries, generate_series(1, 100000) n`;
    await move(other, 1);
    await o.sql`analyze builder.deliveries`;
    const rows = await o.sql.begin(async transaction => {
      // Postgres still counts what its connection read within the last second.
      const countRead = async (): Promise<number> => {
        const [row] = await transaction`
          select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
          where schemaname = 'builder' and relname = 'deliveries'`;
        return row?.['read'];
      };
      const before = await countRead();
      await transaction`select from builder.claim_calls(4)`;
      return (await countRead()) - before;
    });
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(5000);
    const claimed = await o.sql`select account_id from builder.deliveries where state = 'sending'`;
    expect(claimed).toContainEqual({ account_id: other });
  });
});

describe('an account with a thousand calls that wait, and one more for the events beyond,', () => {
  const skipped = 'quote_events.skipped';

  it('gets that last one only after each change that it stands for is committed', async () => {
    await o.aWebhook();
    await move(randomUUID(), 501, 2);
    await o.sql.begin(async open => {
      await open`update builder.quotes set status = 'submitted' where id = (select id from builder.quotes limit 1)`;
      const made = await o.sql.begin(async other => {
        await other`update builder.deliveries set due_at = null, state = 'sent' where quote_id is not null and due_at is not null`;
        return other`select event from builder.claim_calls(5)`;
      });
      expect(made).toEqual([]);
    });
    expect(eventsOf(await call())).toEqual([skipped]);
  });

  it('still gets that last one when the quote whose event it names is removed', async () => {
    await o.aWebhook();
    await move(randomUUID(), 501, 2);
    await o.sql`select builder.remove_quotes(array(select id from builder.quotes))`;
    expect(eventsOf(await call())).toEqual([skipped]);
  });
});

it('e-mails are sent by turns of accounts, however many wait for one of them', async () => {
  const other = randomUUID();
  await o.sql`update builder.delivery_pace set staff_address = 'desk@builder.test'`;
  await o.aQuoted();
  await o.sql`
    insert into builder.notifications (account_id, body, channel, dismissed)
    select ${o.account}, 'Hello', 'email', false from generate_series(1, 1000)`;
  await insert(o.sql, 'quotes', o.row(other, { contact_email: 'other@customer.test' }));
  await insert(o.sql, 'notifications', aNotification(other, { channel: 'email' }));
  const claimed = await o.claim({ mails: 2 });
  expect(claimed.map(({ account_id }) => account_id).sort()).toEqual([o.account, other].sort());
});

describe('/health', () => {
  const longAgo = () =>
    o.sql`update builder.deliveries set due_at = now() - interval '61 seconds' where attempts = 0`;

  it('is late when the first call or e-mail of an account waits for longer than a minute', async () => {
    await o.aWebhook();
    await move(randomUUID(), 1);
    await o.anEmail();
    expect(await o.status()).toMatchObject(inTime);
    await longAgo();
    expect(await o.status()).toMatchObject(late);
  });

  it('is not late because of the backlog of an account that was called within the minute', async () => {
    await o.aWebhook();
    await move(randomUUID(), 9);
    await longAgo();
    await call(1);
    expect(await o.status()).toMatchObject(inTime);
  });

  it('is not late because of what waits on purpose: for an address, a bound, a webhook or the relay', async () => {
    await o.aWebhook();
    await move(randomUUID(), 1);
    await o.anEmail();
    await o.claim({ calls: 0 });
    await o.aQuoted();
    await o.anEmail();
    await o.claim({ mails: 5, calls: 0, aDay: 0 });
    expect(await o.states()).toEqual(['', 'waiting: no address', 'waiting: too many in all']);
    await o.anEmail();
    await o.sql`update builder.deliveries set due_at = now() - interval '2 minutes' where reason is null`;
    await o.sql`update builder.webhooks set disabled_at = now()`;
    await o.sql`update builder.delivery_pace set mail_paused_until = now() + interval '1 minute'`;
    expect(await o.status()).toMatchObject(inTime);
  });
});
