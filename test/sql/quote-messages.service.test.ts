/** What events tell accounts and the staff: which text, to which address, and which mail is skipped for a later one. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { quotes } from '../../schema/quotes.ts';
import { useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { outboxOf } from './outbox.ts';
import { asCustomer, claimsOf, insert, update } from './roles.ts';

const { status, fulfillment_status } = quotes.columns;
/** Every event that is written into a history. */
const eventNames = [
  ...(status.type.values ?? []),
  ...(fulfillment_status.type.values ?? []),
  ...['repriced', 'expiring', 'amended', 'deleted', 'restored'],
].map(name => `quote.${name}`);

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

const price = { status: 'quoted', unit_price: 25, total_price: 125 };
const address = 'ann@customer.test';
/** As of an import, of which nobody is told. */
const aQuoteOf = (more: object = {}) => insert(sql, 'quotes', aRow(account, more));
const aRow = (owner: string, more: object = {}) =>
  aQuote(owner, {
    ...{ ...price, quoted_at: '2026-01-01', source: 'csv_import', contact_email: address },
    ...more,
  });
const messages = () => sql`select body, link, channel from builder.notifications order by id`;

/** Changes a default message until the test has ended. */
async function change(event: string, values: object, audience = 'account'): Promise<void> {
  const [before] = await sql`
    select enabled, channel, body, link from builder.event_messages where event = ${event} and audience = ${audience}`;
  onTestFinished(async () => {
    await (before
      ? sql`update builder.event_messages set ${sql(before)} where event = ${event} and audience = ${audience}`
      : sql`delete from builder.event_messages where event = ${event} and audience = ${audience}`);
  });
  const row = { channel: 'email', body: 'Hello', ...before, ...values };
  await sql`insert into builder.event_messages ${sql({ event, audience, ...row })}
    on conflict on constraint event_messages_pkey do update set ${sql(row)}`;
}

describe('a message', () => {
  it('of a price has the price, until when it can be approved, and a link to the quote', async () => {
    const id = await aQuoteOf({ status: 'submitted' });
    await update(sql, 'quotes', id, { ...price, total_price: 99.5, expires_at: '2127-01-02T03:04:05Z' });
    expect(await messages()).toEqual([
      {
        body: 'Your quote QT-2026-00001 has its price: 99.50 USD.\nIt can be approved until 2127-01-02 03:04 UTC.',
        link: `/quotes/${id}`,
        channel: 'email',
      },
    ]);
  });

  it('leaves out a line whose value the quote has not', async () => {
    const id = await aQuoteOf({ status: 'submitted' });
    await update(sql, 'quotes', id, price);
    expect(await messages()).toMatchObject([{ body: 'Your quote QT-2026-00001 has its price: 125 USD.' }]);
  });

  it('fills in its placeholders wherever they stand, and nothing else', async () => {
    await change('quote.cancelled', {
      body: '{quote_number} {quote_id} {total_price} {currency} {customer_notes}',
      link: 'https://app.test/{quote_number}?id={quote_id}',
    });
    const id = await aQuoteOf();
    await update(sql, 'quotes', id, { status: 'cancelled' });
    expect(await messages()).toMatchObject([
      {
        body: `QT-2026-00001 ${id} 125 USD {customer_notes}`,
        link: `https://app.test/QT-2026-00001?id=${id}`,
      },
    ]);
  });

  it.each([
    ['no line left', '{expires_at}', []],
    ['more than a notification holds', '{quote_id} '.repeat(800), [{ channel: 'email' }]],
  ])('with %s does not keep the quote from moving', async (_, body, told) => {
    await change('quote.ordered', { body });
    const id = await aQuoteOf({ status: 'approved' });
    await update(sql, 'quotes', id, { status: 'ordered' });
    expect(await messages()).toMatchObject(told);
  });
});

describe('the staff', () => {
  const moves = async (end = 'rejected') => {
    const id = await insert(sql, 'quotes', aQuote(account, { contact_email: address }));
    await asCustomer(sql, claimsOf(account), own => update(own, 'quotes', id, { status: 'submitted' }));
    await update(sql, 'quotes', id, price);
    await asCustomer(sql, claimsOf(account), own => update(own, 'quotes', id, { status: end }));
    return id;
  };
  const staff = 'sales@builder.test';

  it('are told of a submission, a rejection and an approval by e-mail, with the price and a link', async () => {
    await outbox.claim({ mails: 0, staff });
    const [rejected, approved] = [await moves(), await moves('approved')];
    const mails = (await outbox.claim({ staff })).filter(mail => mail.address === staff);
    expect(mails).toMatchObject([
      { body: 'Quote QT-2026-00001 has been submitted.', link: `/quotes/${rejected}` },
      { body: 'Quote QT-2026-00001 has been rejected: 125 USD.', link: `/quotes/${rejected}` },
      { body: 'Quote QT-2026-00001 has been submitted.', link: `/quotes/${approved}` },
      { body: 'Quote QT-2026-00001 has been approved: 125 USD.', link: `/quotes/${approved}` },
    ]);
    expect(mails.map(({ message }) => message)).toEqual(Array(4).fill(expect.stringMatching(/^event-\d+$/)));
  });

  it('are not told where STAFF_EMAIL is not set, nor of what is turned off', async () => {
    await moves();
    expect(await sql`select from builder.deliveries where kind = 'staff_email'`).toEqual([]);
    await outbox.claim({ mails: 0, staff });
    await change('quote.submitted', { enabled: false }, 'staff');
    await moves();
    expect(await sql`select from builder.deliveries where kind = 'staff_email'`).toHaveLength(1);
  });

  it('get ten mails a day because of one account, and the rest later', async () => {
    await outbox.claim({ mails: 0, staff });
    for (let n = 0; n < 6; n++) {
      await moves();
    }
    const mails = (await outbox.claim({ mails: 50, staff })).filter(mail => mail.address === staff);
    expect(mails).toHaveLength(10);
    expect(
      await sql`select distinct state, reason from builder.deliveries where kind = 'staff_email' and state <> 'sending'`,
    ).toEqual([{ state: 'waiting', reason: 'too many to the address' }]);
  });
});

describe('an offer that ends soon', () => {
  const announce = async () =>
    (await sql`select builder.announce_expiring_quotes(100) as count`)[0]?.['count'];
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

  it('is announced once for each end that it has, by e-mail', async () => {
    const id = await aQuoteOf({ expires_at: inHours(70) });
    await aQuoteOf({ expires_at: inHours(74) });
    await aQuoteOf({ expires_at: inHours(1), status: 'submitted' });
    await aQuoteOf({ expires_at: inHours(1), deleted_at: '2026-01-01' });
    expect([await announce(), await announce()]).toEqual([1, 0]);
    expect(
      await sql`select quote_id, event, status, previous_status, created_as from builder.quote_events where event = 'quote.expiring'`,
    ).toEqual([
      {
        quote_id: id,
        event: 'quote.expiring',
        status: 'quoted',
        previous_status: 'quoted',
        created_as: 'sweep',
      },
    ]);
    expect(await outbox.claim()).toMatchObject([
      {
        body: expect.stringMatching(
          /^Your quote QT-2026-00001 expires soon: 125 USD\.\nIt can be approved until /,
        ),
      },
    ]);
    await sql`update builder.quotes set expires_at = ${inHours(71)} where id = ${id}`;
    expect([await announce(), await announce()]).toEqual([1, 0]);
  });

  it('is announced as long before as the owner has set, or never', async () => {
    onTestFinished(async () => {
      await sql`update builder.settings set value = '3 days' where name = 'remind_before'`;
    });
    await aQuoteOf({ expires_at: inHours(30) });
    await sql`update builder.settings set value = '0' where name = 'remind_before'`;
    expect(await announce()).toBe(0);
    await sql`update builder.settings set value = '1 day' where name = 'remind_before'`;
    expect(await announce()).toBe(0);
    await sql`update builder.settings set value = '2 days' where name = 'remind_before'`;
    expect(await announce()).toBe(1);
  });
});

describe('a mail that waits', () => {
  const steps = ['reviewing', 'preparing', 'shipping', 'delivered'].map(name => `quote.${name}`);
  /** Whether the later message says all that matters of the earlier one. */
  const saysMore = (later: string, earlier: string): boolean => {
    if (steps.includes(later)) {
      return earlier !== 'quote.ordered' && earlier !== 'quote.amended';
    }
    return later === 'quote.amended'
      ? earlier === later
      : later !== 'quote.restored' || earlier === 'quote.deleted';
  };

  /** Writes an event into the history of quotes, as of offers, since a price is told of these alone. */
  const happen = (events: { quote: string; owner: string; event: string }[]) =>
    sql`insert into builder.quote_events ${sql(
      events.map(({ quote, owner, event }) => ({
        ...{ quote_id: quote, account_id: owner, event, status: 'quoted', previous_status: 'quoted' },
        ...{ total_price: 125, currency: 'USD', created_as: 'staff' },
      })),
    )}`;

  it.each([
    true,
    false,
  ])('is skipped for each later event only when that one sends a message that says more (enabled: %s)', async enabled => {
    for (const event of eventNames) {
      await change(event, { channel: 'email', body: event, enabled: true });
    }
    for (const later of eventNames) {
      await outbox.empty();
      const pairs = eventNames.map(event => ({ event, quote: randomUUID(), owner: randomUUID() }));
      await sql`insert into builder.quotes ${sql(pairs.map(({ quote, owner }) => aRow(owner, { id: quote })))}`;
      await happen(pairs);
      await sql`update builder.event_messages set enabled = ${enabled} where event = ${later}`;
      await happen(pairs.map(pair => ({ ...pair, event: later })));
      await sql`update builder.event_messages set enabled = true`;
      const mails = await outbox.claim({ mails: 100 });
      for (const { event: earlier, owner } of pairs) {
        const bodies = mails.filter(mail => mail.account_id === owner).map(({ body }) => body);
        const isSkipped = enabled && saysMore(later, earlier);
        expect([earlier, later, bodies]).toEqual([
          earlier,
          later,
          [...(isSkipped ? [] : [earlier]), ...(enabled ? [later] : [])],
        ]);
      }
    }
  });

  it.each<[string, Record<string, unknown>[]]>([
    ['when the price of the order is touched', [{ total_price: 130 }]],
    ['when the quote is deleted and restored', [{ deleted_at: '2026-02-01' }, { deleted_at: null }]],
  ])('is sent %s', async (_, changes) => {
    const id = await aQuoteOf({ status: 'approved' });
    await update(sql, 'quotes', id, { status: 'ordered' });
    for (const values of changes) {
      await sql.begin(async own => {
        await own`set local request.version = 'compared'`;
        await update(own, 'quotes', id, values);
      });
    }
    expect((await outbox.claim()).map(({ body }) => body)).toContain('Your order QT-2026-00001 is placed.');
  });

  it('waits while its quote is deleted, and is sent when that is restored', async () => {
    const id = await aQuoteOf({ status: 'approved' });
    await update(sql, 'quotes', id, { status: 'ordered' });
    await update(sql, 'quotes', id, { deleted_at: '2026-02-01' });
    expect(await outbox.claim()).toEqual([]);
    expect(await outbox.states()).toEqual(['waiting: quote deleted']);
    await update(sql, 'quotes', id, { deleted_at: null });
    await outbox.makeDue();
    expect((await outbox.claim()).map(({ body }) => body)).toEqual(['Your order QT-2026-00001 is placed.']);
  });

  it('about the deletion is sent, where the owner has set one', async () => {
    await change('quote.deleted', { body: 'Your quote {quote_number} is gone.' });
    const id = await aQuoteOf();
    await update(sql, 'quotes', id, { deleted_at: '2026-02-01' });
    expect((await outbox.claim()).map(({ body }) => body)).toEqual(['Your quote QT-2026-00001 is gone.']);
  });

  it('is sent when what came later was told to nobody, in a quiet session', async () => {
    const id = await aQuoteOf({ status: 'submitted' });
    await update(sql, 'quotes', id, price);
    await sql.begin(async own => {
      await own`set local builder.quiet = 'on'`;
      await update(own, 'quotes', id, { status: 'cancelled' });
    });
    expect(await outbox.claim()).toHaveLength(1);
  });
});

describe('the address', () => {
  const priceQuote = (id: string) => update(sql, 'quotes', id, price);

  it('is the contact of the quote that the mail is about', async () => {
    await aQuoteOf({ contact_email: 'other@customer.test' });
    await priceQuote(
      await aQuoteOf({ status: 'submitted', quoted_at: null, contact_email: 'bob@customer.test' }),
    );
    expect(await outbox.claim()).toMatchObject([{ address: 'bob@customer.test' }]);
  });

  it('that is missing or refused keeps the mail waiting, and the correction of the contact sends it', async () => {
    const id = await aQuoteOf({ status: 'submitted', contact_email: null });
    await priceQuote(id);
    expect(await outbox.claim()).toEqual([]);
    expect(await outbox.states()).toEqual(['waiting: no address']);
    await update(sql, 'quotes', id, { contact_email: 'wrong@customer.test' });
    const [first] = await outbox.claim();
    expect(await outbox.settle(first, ['refused', '550 5.1.1 no such user'])).toMatchObject([
      { state: 'waiting' },
    ]);
    await outbox.makeDue();
    expect(await outbox.claim()).toEqual([]);
    expect(await outbox.states()).toEqual(['waiting: 550 5.1.1 no such user']);
    await update(sql, 'quotes', id, { contact_email: address });
    expect(await outbox.claim()).toMatchObject([{ address }]);
  });

  it('that was corrected while the relay refused the one before gets the mail within a minute', async () => {
    const id = await aQuoteOf({ status: 'submitted', contact_email: 'wrong@customer.test' });
    await priceQuote(id);
    const [first] = await outbox.claim();
    await update(sql, 'quotes', id, { contact_email: address });
    const [settled] = await outbox.settle(first, ['refused', '550 5.1.1 no such user']);
    expect(settled?.retry_in).toBeLessThanOrEqual(60);
    await outbox.makeDue();
    expect(await outbox.claim()).toMatchObject([{ address }]);
  });

  it.each([
    'approved',
    'ordered',
  ])('is the contact of a quote that staff have made as %s, without quoting it', async status => {
    await aQuoteOf({ status, source: 'admin_created', quoted_at: null });
    expect(await outbox.claim()).toMatchObject(status === 'ordered' ? [{ address }] : []);
    await insert(sql, 'notifications', aNotification(account, { channel: 'email' }));
    expect((await outbox.claim()).at(-1)).toMatchObject({ address });
  });

  it('that was never corrected ends the mail after three days, with the reason', async () => {
    await priceQuote(await aQuoteOf({ status: 'submitted' }));
    const [first] = await outbox.claim();
    await outbox.settle(first, ['refused', '550 5.1.1 no such user']);
    await sql`update builder.deliveries set queued_at = now() - interval '3 days', due_at = now()`;
    expect(await outbox.claim()).toEqual([]);
    expect(await outbox.states()).toEqual(['dead: too old: 550 5.1.1 no such user']);
  });

  it('of another account has a bound of its own, and what is held back waits for its day to be over', async () => {
    for (const owner of [account, randomUUID()]) {
      account = owner;
      await aQuoteOf();
      for (let n = 0; n < 11; n++) {
        await insert(sql, 'notifications', aNotification(account, { channel: 'email' }));
      }
    }
    expect(await outbox.claim({ mails: 50 })).toHaveLength(20);
    const held = await sql`
      select round(extract(epoch from due_at - now()) / 3600) as hours, reason from builder.deliveries where state = 'waiting'`;
    expect(held.map(({ hours, reason }) => [Number(hours), reason])).toEqual([
      [24, 'too many to the address'],
      [24, 'too many to the address'],
    ]);
  });

  it('is that of the account which has the quote now, and webhooks are told its id', async () => {
    await insert(sql, 'webhooks', { url: 'https://erp.test/hook', secrets: ['whsec_x'] });
    const id = await aQuoteOf({ status: 'submitted' });
    await priceQuote(id);
    const now = randomUUID();
    await update(sql, 'quotes', id, { account_id: now });
    const [mail, call] = await outbox.claim();
    expect(mail).toMatchObject({ account_id: now, address });
    expect(call?.event).toMatchObject({ account_id: now });
  });
});
