/** Links of offers in mails, and what account and staff hear of an answer that was given by one. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { address, price, useOutbox } from './outbox.ts';
import { asStaffWithVersion, update } from './roles.ts';

const o = useOutbox();
const login = 'coach@login.test';
const soon = new Date(Date.now() + 86_400_000).toISOString();
beforeEach(() => o.say('offer_seller', { body: 'Uniforms, Main St', channel: 'in_app', link: null }));

interface Mail {
  message_id: string;
  claim: number;
  address: string;
  body: string;
  offer_line: string | null;
  offer_link: string | null;
}

/** Claims the due mails as a worker does; `links` as with OFFER_LINKS. */
const claim = (links = true): Promise<Mail[]> =>
  o.sql<Mail[]>`select * from builder.claim_emails(20, 1000, 'sales@builder.test', ${links}) order by id`;

/** Claims the one due mail. */
async function claimOne(): Promise<Mail> {
  const [mail, ...others] = await claim();
  expect(others).toEqual([]);
  return mail as Mail;
}

const links = async () =>
  await o.sql`
  select id, may, roster, address, created_as, revoked_at is not null as revoked, builder.is_live(l) as live,
    round(extract(epoch from ends_at - now()) / 86400)::integer as days
  from builder.quote_links l order by created_at`;

/** Returns the login's address for each account. */
const withLogin = () => o.replaceEmailOf(`address := '${login}'; language := 'en';`);

const fail = (mail: Mail) => o.settle(mail as never, ['failed', 'try later']);

describe('a mail about an offer', () => {
  it.each([
    ['quoted', { status: 'submitted' }, {}],
    ['repriced', {}, { total_price: 150 }],
    ['end_changed', {}, { expires_at: soon }],
    ['amended', { status: 'ordered' }, { status: 'ordered', total_price: 150 }],
  ])('that was %s has a line with its link, which no notification has', async (_, before, change) => {
    const id = await o.aQuoted(before);
    await asStaffWithVersion(o.sql, {}, own => update(own, 'quotes', id, { ...price, ...change }));
    const mail = await claimOne();
    expect(mail.offer_line).toBe('Open or print the offer without signing in: {offer_url}');
    expect(await links()).toMatchObject([{ id: mail.offer_link, live: true, created_as: 'sweep' }]);
    const stored =
      await o.sql`select n::text || d::text as text from builder.notifications n join builder.deliveries d on d.notification_id = n.id`;
    expect(stored).toHaveLength(1);
    expect(stored[0]?.['text']).not.toMatch(new RegExp(`offer_url|without signing in|${mail.offer_link}`));
  });

  it('that ends soon has its link, too', async () => {
    await o.aQuoted({ expires_at: soon });
    await o.sql`update builder.quote_events set created_at = now() - interval '9 days'`;
    await o.sql`select builder.announce_expiring_quotes(10)`;
    expect((await claimOne()).offer_link).toBe((await links())[0]?.['id']);
  });

  it('lets the login’s address answer and see the roster, and a contact only read', async () => {
    await o.anOffer();
    await claimOne();
    await withLogin();
    await o.anOffer({ quote_number: 'QT-2026-00002' });
    await claimOne();
    expect(await links()).toMatchObject([
      { may: 'read', roster: false, address },
      { may: 'approve', roster: true, address: login },
    ]);
  });

  it('has one link at ten attempts, and so has the next mail to this address', async () => {
    const id = await o.anOffer();
    const opened: (string | null)[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      const mail = await claimOne();
      opened.push(mail.offer_link);
      await fail(mail);
      await o.makeDue();
    }
    await o.sql`update builder.deliveries set due_at = null, state = 'dead', settled_at = now()`;
    await o.change(id, { total_price: 150 });
    opened.push((await claimOne()).offer_link);
    expect(new Set(opened)).toEqual(new Set([(await links())[0]?.['id']]));
    expect(await links()).toHaveLength(1);
  });

  it('to another address ends the link of the address before, which opens nothing from the change on', async () => {
    const id = await o.anOffer();
    const first = (await claimOne()).offer_link;
    await o.change(id, { contact_email: 'ben@customer.test' });
    expect(await links()).toMatchObject([{ live: false, revoked: false }]);
    await o.change(id, { total_price: 150 });
    const second = (await claim()).at(-1)?.offer_link;
    expect(await links()).toMatchObject([
      { id: first, live: false, revoked: true },
      { id: second, live: true, address: 'ben@customer.test' },
    ]);
  });

  it('has a link that approves no longer once the address is no login’s, or can’t be looked up', async () => {
    await withLogin();
    await o.anOffer({ contact_email: login });
    await claimOne();
    expect(await links()).toMatchObject([{ may: 'approve', live: true }]);
    await o.replaceEmailOf(`language := 'en';`);
    expect(await links()).toMatchObject([{ may: 'approve', live: false }]);
    await o.replaceEmailOf(`raise exception 'no';`);
    expect(await links()).toMatchObject([{ live: false }]);
  });

  it('prolongs the link when the offer ends later', async () => {
    const id = await o.anOffer({ expires_at: soon });
    await claimOne();
    expect(await links()).toMatchObject([{ days: 31 }]);
    await o.change(id, { expires_at: new Date(Date.now() + 20 * 86_400_000).toISOString() });
    await claim();
    expect(await links()).toMatchObject([{ days: 50 }]);
  });

  it.each([
    ['without a seller', () => o.say('offer_seller', { enabled: false })],
    ['with a blank seller', () => o.say('offer_seller', { body: ' \n\t\n' })],
    ['where a text has no placeholder', () => o.say('quote.quoted', { body: 'Offered.' })],
    ['with OFFER_LINKS=off', async () => {}],
  ])('has neither the line nor a link %s', async (what, prepare) => {
    await prepare();
    await o.anOffer();
    expect(await claim(what !== 'with OFFER_LINKS=off')).toMatchObject([
      { offer_line: null, offer_link: null },
    ]);
    expect(await links()).toEqual([]);
  });

  it('has the link in its own language and place, and in no other message', async () => {
    await o.say(
      'quote.quoted',
      { body: 'Neu: {quote_number}\n{offer_url}\n{total_price}: {offer_url}' },
      { language: 'de' },
    );
    await o.say('quote.rejected', { body: 'Rejected\n{offer_url}' });
    await o.replaceEmailOf(`address := '${login}'; language := 'de';`);
    const id = await o.anOffer();
    expect(await claimOne()).toMatchObject({
      body: 'Neu: QT-2026-00001',
      offer_line: expect.stringMatching(/^\{offer_url\}\n125,00\s\$: \{offer_url\}$/),
    });
    await o.change(id, { status: 'rejected' });
    expect((await claim()).at(-1)).toMatchObject({ body: 'Rejected', offer_line: null, offer_link: null });
  });

  const numbered = { body: 'Quote QT-2026-00001' };
  it.each([
    ['Quote {quote_number}: {offer_url}', numbered, 'Quote QT-2026-00001: {offer_url}'],
    [
      '\n Quote {quote_number} ({offer_url})\nMore',
      { body: 'Quote QT-2026-00001\nMore' },
      ' Quote QT-2026-00001 ({offer_url})',
    ],
    ['{offer_url}', { body: 'QT-2026-00001' }, '{offer_url}'],
    ['{offer_url}\nQuote {quote_number}', numbered, '{offer_url}'],
    ['{offer_url} or {offer_url}\n\n{offer_url}', { body: 'or' }, '{offer_url} or {offer_url}\n{offer_url}'],
  ])('has a subject where the text is %j', async (body, read, offer_line) => {
    await o.say('quote.quoted', { body });
    await o.anOffer();
    expect(await claimOne()).toMatchObject({
      ...read,
      offer_line: offer_line.trim(),
      offer_link: expect.any(String),
    });
    expect(await o.sql`select body from builder.notifications`).toMatchObject([read]);
  });

  it('keeps the newest 100 links that have ended', async () => {
    const id = await o.anOffer();
    await o.sql`
      insert into builder.quote_links (quote_id, account_id, may, created_as, ends_at)
      select ${id}, ${o.account}, 'read', 'staff', now() from generate_series(1, 150)`;
    await claimOne();
    expect(await links()).toHaveLength(101);
  });

  it('is none where a text has no line left but that with {offer_url}', async () => {
    await o.say('quote.quoted', { body: '{expires_at}\n{offer_url}' });
    await o.anOffer();
    expect(await claim()).toEqual([]);
  });

  it('has no other link where {offer_url} is in the link of a text', async () => {
    await o.say('quote.quoted', { link: '/offers/{offer_url}' });
    await o.anOffer();
    expect(await claimOne()).toMatchObject({ link: null, offer_link: expect.any(String) });
  });

  it('has the text of its language only, even without {offer_url}, and not a disabled one', async () => {
    await o.replaceEmailOf(`address := '${login}'; language := 'de';`);
    await o.say('quote.quoted', { body: 'Aus {offer_url}', enabled: false }, { language: 'de' });
    await o.say('quote.repriced', { body: 'Neuer Preis' }, { language: 'de' });
    const id = await o.anOffer();
    expect((await claimOne()).offer_line).toMatch(/^Open or print/);
    await o.change(id, { total_price: 150 });
    expect((await claim()).at(-1)).toMatchObject({ body: 'Neuer Preis', offer_line: null });
  });

  it('waits a minute while its quote is locked', async () => {
    const id = await o.anOffer();
    const other = o.database.sql;
    await other.begin(async own => {
      await own`select from builder.quotes where id = ${id} for update`;
      expect(await claim()).toEqual([]);
    });
    const [waiting] =
      await o.sql`select state, round(extract(epoch from due_at - now()))::integer as seconds from builder.deliveries`;
    expect(waiting).toMatchObject({ state: 'waiting', seconds: expect.closeTo(60, -1) });
    await o.makeDue();
    expect((await claimOne()).offer_link).not.toBeNull();
  });
});

describe('an answer by a link', () => {
  /** Writes what the page's function does: a move of a customer, with who made it by which link. */
  async function answer(status: string, more: object = {}, label = 'Treasurer'): Promise<string> {
    const id = await o.aQuoted();
    const [link] = await o.sql`
      insert into builder.quote_links (quote_id, account_id, may, label, created_as, ends_at)
      values (${id}, ${o.account}, 'approve', ${label}, 'customer', ${soon}) returning id`;
    const event = {
      ...{ quote_id: id, account_id: o.account, event: `quote.${status}`, status, previous_status: 'quoted' },
      ...{
        total_price: 125,
        currency: 'USD',
        created_as: 'customer',
        link_id: link?.['id'],
        signer: 'Kim Lee',
      },
      ...more,
    };
    await o.sql`insert into builder.quote_events ${o.sql(event)}`;
    return id;
  }
  const bodies = async () => (await claim()).map(({ address, body }) => [address, body]);
  beforeEach(() => claim());

  it.each([
    [
      'approved',
      'Your quote QT-2026-00001 was approved by a link.',
      'Quote QT-2026-00001 has been approved by a link: $125.00.',
    ],
    [
      'rejected',
      'Our offer for your quote QT-2026-00001 was declined by a link.',
      'Quote QT-2026-00001 has been declined by a link: $125.00.',
    ],
    [
      'submitted',
      'Changes of our offer for your quote QT-2026-00001 were asked for by a link.',
      'Changes of quote QT-2026-00001 have been asked for by a link.',
    ],
  ])('that it is %s is mailed to account and staff, with who gave it and what they said', async (status, toAccount, toStaff) => {
    await answer(status, { said: 'Ten more,\n\u202eplease' });
    const by = 'By: Kim Lee\nThe link is for: Treasurer\nThey wrote: Ten more, please';
    const price = status === 'approved' ? '\nIts price is $125.00.' : '';
    const sent = new Map((await bodies()) as [string, string][]);
    expect(sent.get(address)).toBe(`${toAccount}\n${by}${price}`);
    expect(sent.get('sales@builder.test')).toBe(`${toStaff}\n${by}`);
  });

  it('has no line about what was not said, or about a link that is gone, and fills in no placeholder that was written', async () => {
    await answer('approved', { signer: 'Kim {total_price} {quote_id}' });
    await o.sql`delete from builder.quote_links`;
    const [, [, body = ''] = []] = (await bodies()).sort();
    expect(body.split('\n')).toHaveLength(2);
    expect(body).toContain('By: Kim {total_price} {quote_id}');
  });

  it('shows what was written as it was written, whatever it is', async () => {
    const names = [
      ...'quote_number quote_id currency total_price expires_at label signer said offer_url'.split(' '),
      '',
    ];
    const written = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            ...names.flatMap(name => [`{${name}}`, `{{${name}}`]),
            '{',
            '}',
            '\\\\1',
            '&',
            '$&',
            '%s',
          ),
          fc.string({ unit: 'grapheme-ascii', maxLength: 5 }),
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map(parts => parts.join('').trim().replace(/\s+/g, ' '))
      .filter(text => text !== '');
    const body = '{label}|{said}|{signer}|{quote_number}|{{said}}{x}{';
    await o.say('quote.rejected.by_link', { body });
    await fc.assert(
      fc.asyncProperty(written, written, written, async (label, signer, said) => {
        const id = await answer('rejected', { signer, said }, label);
        const [shown] = await o.sql`
          select n.body from builder.notifications n join builder.deliveries d on d.notification_id = n.id where d.quote_id = ${id}`;
        await o.empty();
        expect(shown?.['body']).toBe(`${label}|${said}|${signer}|QT-2026-00001|{${said}}{x}{`);
      }),
      { numRuns: 40 },
    );
  });

  it('counts among the 100 messages of a day, to the account and to staff', async () => {
    for (let count = 0; count < 101; count++) {
      await answer('rejected');
    }
    const counts = await o.sql`
      select kind, count(*)::integer as count from builder.deliveries where account_id = ${o.account} group by kind order by kind`;
    expect(counts).toEqual([
      { kind: 'email', count: 100 },
      { kind: 'staff_email', count: 100 },
    ]);
  });
});
