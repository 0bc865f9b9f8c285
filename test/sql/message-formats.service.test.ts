/** How a message about a quote writes its price and its times, and how an e-mail begins. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { price, useOutbox } from './outbox.ts';

const o = useOutbox();
const messages = () => o.sql`select body from builder.notifications order by id`;

/** Has accounts speak a language until the test has ended. */
const speak = (language: string) =>
  o.replaceEmailOf(`address := 'ann@customer.test'; language := '${language}';`);

/** Has accounts live in a time zone. */
const live = async (zone: string) =>
  void (await o.sql.unsafe(`create or replace function builder.time_zone_of(account uuid) returns text
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$ select '${zone}' $$`));

describe('a message', () => {
  it.each([
    ['597', 'USD', 'en', '$597.00'],
    ['0.125', 'USD', 'en', '$0.125'],
    ['597.00', 'JPY', 'en', '¥597'],
    ['1.5', 'KWD', 'en', 'KWD\u00a01.500'],
    ['90071992547409931.10', 'USD', 'en', '$90,071,992,547,409,931.10'],
    ['1234.5', 'EUR', 'de', '1.234,50\u00a0€'],
  ])('about a price of %s %s has it in %s as %s', async (total_price, currency, language, text) => {
    await speak(language);
    if (language !== 'en') {
      await o.say('quote.quoted', { body: 'Offer: {total_price}' }, { language });
    }
    const id = await o.aQuoted({ status: 'submitted', currency });
    await o.change(id, { status: 'quoted', unit_price: total_price, total_price, currency });
    expect((await messages())[0]?.['body']).toContain(` ${text}`);
  });

  it('has its price where standard_conforming_strings is off', async () => {
    const id = await o.aQuoted({ status: 'submitted' });
    await o.sql.begin(async own => {
      await own`discard plans`;
      await own`set local standard_conforming_strings = off`;
      await own`update builder.quotes set status = 'quoted', unit_price = 1, total_price = 1234.5, currency = 'CHF' where id = ${id}`;
    });
    expect((await messages())[0]?.['body']).toContain(' CHF\u00a01,234.50');
  });

  it.each([
    ['America/New_York', 'en', '\nIt can be approved until January 1, 2127, 22:04 (America/New York).'],
    ['Asia/Kolkata', 'de', '2.1.2127, 08:34 (Asia/Kolkata)'],
    ['Nowhere/At_All', 'en', '\nIt can be approved until January 2, 2127, 03:04 (UTC).'],
  ])('about an offer has its end in the time zone %s of the account, in %s', async (zone, language, text) => {
    await speak(language);
    await o.say('quote.quoted', { body: 'Bis {expires_at}' }, { language: 'de' });
    await live(zone);
    onTestFinished(() => live('UTC'));
    const id = await o.aQuoted({ status: 'submitted' });
    await o.change(id, { ...price, expires_at: '2127-01-02T03:04:05Z' });
    expect((await messages())[0]?.['body']).toContain(text);
  });

  it.each([
    ['Europe/Berlin', '2127-10-26T00:30:00Z', '26.10.2127, 02:30 (Europe/Berlin, UTC+02:00)'],
    ['Europe/Berlin', '2127-10-26T01:30:00Z', '26.10.2127, 02:30 (Europe/Berlin, UTC+01:00)'],
    ['America/St_Johns', '2127-11-02T04:00:00Z', '2.11.2127, 01:30 (America/St Johns, UTC-02:30)'],
    ['Australia/Lord_Howe', '2127-04-05T15:15:00Z', '(Australia/Lord Howe, UTC+10:30)'],
    ['Europe/Berlin', '2127-10-26T02:30:00Z', '26.10.2127, 03:30 (Europe/Berlin)'],
  ])('in %s about %s says which of two equal hours it is', async (zone, expires_at, text) => {
    await speak('de');
    await o.say('quote.quoted', { body: 'Bis {expires_at}' }, { language: 'de' });
    await live(zone);
    onTestFinished(() => live('UTC'));
    const id = await o.aQuoted({ status: 'submitted' });
    await o.change(id, { ...price, expires_at });
    expect((await messages())[0]?.['body']).toContain(text);
  });

  it.each([
    'Pacific/Auckland',
    'Pacific/Kiritimati',
    'America/Los_Angeles',
    'Pacific/Pago_Pago',
  ])('has a day of delivery as it was saved, in %s too: by /demo, or as a date', async zone => {
    await live(zone);
    onTestFinished(() => live('UTC'));
    const id = await o.aQuoted({ status: 'ordered' });
    for (const estimated_delivery_at of ['2127-01-02T12:00:00Z', '2127-01-03']) {
      await o.change(id, { estimated_delivery_at });
    }
    expect((await messages()).map(({ body }) => body)).toEqual([
      expect.stringContaining('on January 2, 2127.'),
      expect.stringContaining('on January 3, 2127.'),
    ]);
  });

  it('has the day of a delivery at a time in the time zone of the account', async () => {
    await live('America/Los_Angeles');
    onTestFinished(() => live('UTC'));
    await o.change(await o.aQuoted({ status: 'ordered' }), { estimated_delivery_at: '2127-01-03T04:00:00Z' });
    expect((await messages())[0]?.['body']).toContain('on January 2, 2127.');
  });

  it('by e-mail has a greeting in the language of the account, or in English, unless the owner has disabled it', async () => {
    const greetings = async () => (await o.claim()).map(({ greeting }) => greeting);
    await o.say('greeting', { body: 'Guten Tag,' }, { language: 'de' });
    await o.anOffer();
    expect(await greetings()).toEqual(['Hello,']);
    await speak('de');
    await o.anOffer();
    expect(await greetings()).toEqual(['Guten Tag,']);
    await o.sql`update builder.event_messages set enabled = false where event = 'greeting'`;
    onTestFinished(async () => void (await o.sql`update builder.event_messages set enabled = true`));
    await o.anOffer();
    expect(await greetings()).toEqual([null]);
  });
});
