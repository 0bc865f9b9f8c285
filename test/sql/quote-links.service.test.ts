/** Links of offers in mails, and what account and staff hear of an answer that was given by one. */
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
  async function answer(status: string, more: object = {}): Promise<string> {
    const id = await o.aQuoted();
    const [link] = await o.sql`
      insert into builder.quote_links (quote_id, account_id, may, label, created_as, ends_at)
      values (${id}, ${o.account}, 'approve', 'Treasurer', 'customer', ${soon}) returning id`;
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

  it('counts among the 100 messages of a day', async () => {
    for (let count = 0; count < 101; count++) {
      await answer('rejected');
    }
    const [count] =
      await o.sql`select count(*)::integer as count from builder.notifications where account_id = ${o.account}`;
    expect(count).toEqual({ count: 100 });
  });
});
