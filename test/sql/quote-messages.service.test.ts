/** Messages about a quote: their text, who gets them at which address, and which mail is skipped because of a later one. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { otherEvents } from '../../schema/quote_events.ts';
import { quotes } from '../../schema/quotes.ts';
import { aQuote } from '../setup/rows.ts';
import { address, price, useOutbox } from './outbox.ts';
import { asCustomer, asStaffWithVersion, claimsOf, insert, update } from './roles.ts';

const { status, fulfillment_status } = quotes.columns;
/** Every event that is written into a history. */
const eventNames = [
  ...(status.type.values ?? []),
  ...(fulfillment_status.type.values ?? []),
  ...otherEvents,
].map(name => `quote.${name}`);

const o = useOutbox();
const messages = () => o.sql`select body, link, channel from builder.notifications order by id`;
const bodies = async () => (await o.claim()).map(({ body }) => body);

describe('a message', () => {
  it('has its placeholders filled in, and no other text in braces', async () => {
    await o.say('quote.cancelled', {
      body: '{quote_number} {quote_id} {total_price} {currency} {customer_notes}',
      link: 'https://app.test/{quote_number}?id={quote_id}',
    });
    const id = await o.aQuoted();
    await o.change(id, { status: 'cancelled' });
    const body = `QT-2026-00001 ${id} $125.00 USD {customer_notes}`;
    expect(await messages()).toMatchObject([{ body, link: `https://app.test/QT-2026-00001?id=${id}` }]);
  });

  it.each([
    ['no line left', '{expires_at}', []],
    ['more text than a notification may have', '{quote_id} '.repeat(800), [{ channel: 'email' }]],
  ])('with %s does not prevent the move of its quote', async (_, body, written) => {
    await o.say('quote.ordered', { body });
    await o.change(await o.aQuoted({ status: 'approved' }), { status: 'ordered' });
    expect(await messages()).toMatchObject(written);
  });
});

describe('what the account reads', () => {
  const was = 'Your quote QT-2026-00001 was';
  const ends = { expires_at: '2127-01-02T03:04:00Z' };
  const until = 'It can be approved until January 2, 2127, 03:04 (UTC).';

  it.each<[what: string, before: object, change: Record<string, unknown>, text: string]>([
    [
      'an approval',
      { status: 'quoted' },
      { status: 'approved' },
      `${was} approved by us for you.\nIts price is $125.00.`,
    ],
    [
      'a return to draft',
      { status: 'submitted', unit_price: null, total_price: null },
      { status: 'draft' },
      `${was} made a draft again by us.\nYou can change it and submit it.`,
    ],
    [
      'another price and end',
      { status: 'quoted' },
      { total_price: 99, ...ends },
      `The price of your quote QT-2026-00001 has changed: $99.00.\n${until}`,
    ],
    [
      'an offer of another design',
      { status: 'submitted', unit_price: null, total_price: null },
      { ...price, roster_count: 9 },
      'Your quote QT-2026-00001 has its price: $125.00.\nThe design of your quote QT-2026-00001 was changed by us.',
    ],
    [
      'another day of delivery',
      { status: 'ordered' },
      { estimated_delivery_at: '2127-02-01T12:00:00Z' },
      'The delivery date of your order QT-2026-00001 has changed.\nIt is expected on February 1, 2127.',
    ],
  ])('of %s by staff is one message that says so, in the application and by e-mail', async (_, before, change, text) => {
    const id = await o.aQuoted(before);
    await asStaffWithVersion(o.sql, { sub: randomUUID() }, own => update(own, 'quotes', id, change));
    expect(await messages()).toMatchObject([{ body: text, link: `/quotes/${id}`, channel: 'email' }]);
    expect(await bodies()).toEqual([text]);
  });

  it.each<[before: object, change: Record<string, unknown>, text: RegExp]>([
    [
      { status: 'ordered' },
      { status: 'approved' },
      /^The order of your quote QT-2026-00001 was undone by us\.$/,
    ],
    [{ status: 'ordered' }, { status: 'draft' }, /^The order of .* was undone by us\.\n.*made a draft again/],
    [
      { status: 'approved' },
      { status: 'quoted' },
      /^The approval of .* was undone by us\.\n.*its price: \$125\.00\./,
    ],
    [
      { status: 'approved' },
      { status: 'submitted' },
      /^The approval of .* was undone by us\.\n.*with us for a price/,
    ],
    [
      { status: 'quoted' },
      { status: 'submitted' },
      /^Our offer for .* was undone by us\.\n.*with us for a price/,
    ],
    [
      { status: 'cancelled' },
      { status: 'approved' },
      /^The cancellation of .* was undone by us\.\n.*approved by us/,
    ],
    [{ status: 'rejected' }, { ...price, total_price: 99 }, /^Your quote QT-2026-00001 has its price/],
  ])('of a way back from %j by staff to %j says what was undone', async (before, change, text) => {
    const id = await o.aQuoted(before);
    await asStaffWithVersion(o.sql, { sub: randomUUID() }, own => update(own, 'quotes', id, change));
    expect(await bodies()).toEqual([expect.stringMatching(text)]);
  });

  it('of a step back of an order by staff says what was undone', async () => {
    const id = await o.aQuoted({ status: 'ordered' });
    for (const fulfillment_status of ['reviewing', 'shipping', 'preparing', 'delivered']) {
      await o.change(id, { fulfillment_status });
    }
    const bodiesNow = (await messages()).map(({ body }) => body);
    expect(
      bodiesNow.map(body => /^The last step of your order QT-2026-00001 was undone by us\.\n/.test(body)),
    ).toEqual([false, false, true, false]);
  });

  it.each([
    ['approved', 'You approved your quote QT-2026-00001.\nIts price is $125.00.'],
    ['submitted', 'We have received your quote request QT-2026-00001.'],
  ])('of its own move to %s is in the application', async (end, body) => {
    const id = await o.aQuoted();
    await asCustomer(o.sql, claimsOf(o.account), own => update(own, 'quotes', id, { status: end }));
    expect(await messages()).toMatchObject([{ body, channel: 'in_app' }]);
    expect(await bodies()).toEqual([]);
  });
});

describe('the staff', () => {
  const staff = 'sales@builder.test';
  const moves = async (end = 'rejected') => {
    const id = await insert(o.sql, 'quotes', aQuote(o.account, { contact_email: address }));
    const move = (values: object) =>
      asCustomer(o.sql, claimsOf(o.account), own => update(own, 'quotes', id, { ...values }));
    await move({ status: 'submitted' });
    await o.change(id, price);
    await move({ status: end });
    return id;
  };
  const staffMails = async (mails: number) =>
    (await o.claim({ mails, staff })).filter(mail => mail.address === staff);
  const stored = () => o.sql`select from builder.deliveries where kind = 'staff_email'`;

  it('get an e-mail for a submission, a rejection and an approval, with the price and a link', async () => {
    await o.claim({ mails: 0, staff });
    const [rejected, approved] = [`/quotes/${await moves()}`, `/quotes/${await moves('approved')}`];
    expect(await staffMails(20)).toMatchObject([
      { body: 'Quote QT-2026-00001 has been submitted.', link: rejected },
      { body: 'Quote QT-2026-00001 has been rejected: $125.00.', link: rejected },
      { body: 'Quote QT-2026-00001 has been submitted.', link: approved },
      { body: 'Quote QT-2026-00001 has been approved: $125.00.', link: approved },
    ]);
  });

  it('get no e-mail where STAFF_EMAIL is not set, nor a message that is disabled', async () => {
    await moves();
    expect(await stored()).toHaveLength(0);
    await o.claim({ mails: 0, staff });
    await o.say('quote.submitted', { enabled: false }, { audience: 'staff' });
    await moves();
    expect(await stored()).toHaveLength(1);
  });

  it('get at most ten mails a day because of one account, and the others later', async () => {
    await o.claim({ mails: 0, staff });
    for (let n = 0; n < 6; n++) {
      await moves();
    }
    expect(await staffMails(50)).toHaveLength(10);
    const left = o.sql`
      select distinct state, reason from builder.deliveries where kind = 'staff_email' and state <> 'sending'`;
    expect(await left).toEqual([{ state: 'waiting', reason: 'too many to the address' }]);
  });
});

describe('an offer that ends soon', () => {
  const announce = async () =>
    (await o.sql`select builder.announce_expiring_quotes(100) as count`)[0]?.['count'];
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

  /** Makes what happened to quotes older than `remind_before`. */
  const age = () => o.sql`update builder.quote_events set created_at = created_at - interval '4 days'`;

  it('is announced once for each end that it has, by e-mail, if its account has known the end for long', async () => {
    const id = await o.aQuoted({ expires_at: inHours(70) });
    await o.aQuoted({ expires_at: inHours(74) });
    await o.aQuoted({ expires_at: inHours(1), status: 'submitted' });
    await o.aQuoted({ expires_at: inHours(1), deleted_at: '2026-01-01' });
    expect(await announce()).toBe(0);
    await age();
    expect([await announce(), await announce()]).toEqual([1, 0]);
    const events = o.sql`
      select quote_id, status, created_as from builder.quote_events where event = 'quote.expiring'`;
    expect(await events).toEqual([{ quote_id: id, status: 'quoted', created_as: 'sweep' }]);
    const text = /^Your quote QT-2026-00001 expires soon: \$125\.00\.\nIt can be approved until /;
    expect(await bodies()).toEqual([expect.stringMatching(text)]);
    await o.change(id, { expires_at: inHours(71) });
    expect(await announce()).toBe(0);
    await age();
    expect([await announce(), await announce()]).toEqual([1, 0]);
  });

  it('is announced as long before as the owner has set, or never', async () => {
    const remindBefore = (value: string) =>
      o.sql`update builder.settings set value = ${value} where name = 'remind_before'`;
    onTestFinished(async () => void (await remindBefore('3 days')));
    await o.aQuoted({ expires_at: inHours(30) });
    await age();
    const counts = [];
    for (const value of ['0', '1 day', '2 days']) {
      await remindBefore(value);
      counts.push(await announce());
    }
    expect(counts).toEqual([0, 0, 1]);
  });
});

describe('a mail that waits', () => {
  const steps = ['reviewing', 'preparing', 'shipping', 'delivered'].map(name => `quote.${name}`);
  /** Whether the later message says all that matters of the earlier one. */
  const saysMore = (later: string, earlier: string): boolean => {
    if (steps.includes(later)) {
      return !['quote.ordered', 'quote.amended', 'quote.delivery_changed'].includes(earlier);
    }
    if (later === 'quote.deleted' || later === 'quote.restored') {
      return earlier === 'quote.deleted' || earlier === 'quote.restored';
    }
    const isOneFact = ['quote.changed', 'quote.amended', 'quote.delivery_changed'].includes(later);
    return !isOneFact || earlier === later;
  };
  /** Writes an event into the history of quotes, as of offers, since only these have messages about a price. */
  const happen = (events: { quote: string; owner: string; event: string }[]) =>
    o.sql`insert into builder.quote_events ${o.sql(
      events.map(({ quote, owner, event }) => ({
        quote_id: quote,
        account_id: owner,
        event,
        status: 'quoted',
        previous_status: 'quoted',
        total_price: 125,
        currency: 'USD',
        created_as: 'staff',
      })),
    )}`;

  const bothWays = [true, false];

  it.each(bothWays)('is skipped only if a later message that says more is enabled: %s', async enabled => {
    for (const event of eventNames) {
      await o.say(event, { channel: 'email', body: event, enabled: true });
    }
    for (const later of eventNames) {
      await o.empty();
      const pairs = eventNames.map(event => ({ event, quote: randomUUID(), owner: randomUUID() }));
      await o.sql`insert into builder.quotes ${o.sql(pairs.map(({ quote, owner }) => o.row(owner, { id: quote })))}`;
      await happen(pairs);
      await o.sql`update builder.event_messages set enabled = ${enabled} where event = ${later}`;
      await happen(pairs.map(pair => ({ ...pair, event: later })));
      await o.sql`update builder.event_messages set enabled = true`;
      const mails = await o.claim({ mails: 100 });
      for (const { event: earlier, owner } of pairs) {
        const sent = mails
          .filter(mail => mail.account_id === owner)
          .map(({ body }) => body?.split('\n').at(-1));
        const isSkipped = enabled && saysMore(later, earlier);
        const expected = [...(isSkipped ? [] : [earlier]), ...(enabled ? [later] : [])];
        expect([earlier, later, sent]).toEqual([earlier, later, expected]);
      }
    }
  });

  it('is sent when a later change was made in a quiet session', async () => {
    const id = await o.anOffer();
    await o.sql.begin(async own => {
      await own`set local builder.quiet = 'on'`;
      await update(own, 'quotes', id, { status: 'cancelled' });
    });
    expect(await o.claim()).toHaveLength(1);
  });
});
