/** `POST /rest/v1/rpc/share_quote`, and the links that it makes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyId } from '../../../functions/common/signed-id.ts';
import { offerLinkPurpose } from '../../../functions/offer/offer-link.ts';
import { countBlocked } from '../../setup/locks.ts';
import { aQuote } from '../../setup/rows.ts';
import { startService, useService } from '../../setup/service.ts';
import { type Caller, representation, signIn, useCallers } from '../../setup/wire.ts';
import { insert } from '../../sql/roles.ts';

const path = '/rpc/share_quote';
const account = randomUUID();
const service = useService();
const { staff, anon } = useCallers(service);
let customer: Caller;
let stranger: Caller;
beforeAll(async () => {
  customer = await signIn(service, { account });
  stranger = await signIn(service, { account: randomUUID() });
  await writeSeller();
});
afterAll(() => service.sql`delete from builder.event_messages where event = 'offer_seller'`);

const writeSeller = () => service.sql`
  insert into builder.event_messages (event, channel, body, link) values ('offer_seller', 'in_app', 'Uniforms, Main St', null)
  on conflict on constraint event_messages_pkey do update set enabled = true`;

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** A quote with an offer, unless its status or price says otherwise. */
const anOffer = (more: object = {}): Promise<string> =>
  insert(
    service.sql,
    'quotes',
    aQuote(account, {
      quote_number: `QT-2026-${Math.floor(Math.random() * 1e5)}`.padEnd(13, '0'),
      status: 'quoted',
      unit_price: 10,
      total_price: 100,
      expires_at: daysFromNow(14),
      ...more,
    }),
  );

const share = (caller: Caller, args: object, headers: Record<string, string> = {}) =>
  caller.send('POST', path, args, headers);

const daysUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / 86_400_000);

describe('share_quote', () => {
  it('returns the address of a new link with a token that the secret key signed', async () => {
    const id = await anOffer();
    const { status, body } = await share(customer, {
      id,
      may: 'approve',
      label: ' Treasurer ',
      roster: true,
    });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['id', 'url', 'token', 'ends_at']);
    expect(body.url).toMatch(/^http.*\/offer\?token=/);
    expect(new URL(body.url).searchParams.get('token')).toBe(body.token);
    expect(await verifyId(service.secretKey, offerLinkPurpose, body.token)).toBe(body.id);
    const { body: links } = await staff.get(`/quote_links?quote_id=eq.${id}`);
    expect(links).toMatchObject([
      {
        ...{ id: body.id, account_id: account, may: 'approve', label: 'Treasurer', roster: true },
        ...{ created_by: account, created_as: 'customer', revoked_at: null, opened_at: null },
      },
    ]);
    expect(JSON.stringify(links)).not.toContain(body.token.split('.')[1]);
    expect(links[0]).not.toHaveProperty('address');
  });

  it.each([
    ['30 days after the offer', { expires_at: daysFromNow(14) }, 44],
    ['90 days from now, for an offer that ends later', { expires_at: daysFromNow(80) }, 90],
    ['90 days from now, for an offer without an end', { expires_at: null }, 90],
    ['30 days from now, for an offer that has ended', { status: 'expired', expires_at: '2020-01-01' }, 30],
  ])('ends a link %s', async (_, values, days) => {
    const { body } = await share(staff, { id: await anOffer(values), may: 'read' });
    expect(daysUntil(body.ends_at)).toBe(days);
  });

  it('returns the same live link for the same arguments, and another for others', async () => {
    const id = await anOffer();
    const ends_at = daysFromNow(3);
    const first = (await share(customer, { id, may: 'read' })).body;
    expect((await share(staff, { id, may: 'read', roster: false, label: '' })).body).toEqual(first);
    const others = [
      { may: 'approve' },
      { may: 'read', label: 'Coach' },
      { may: 'read', roster: true },
      { may: 'read', ends_at },
    ];
    for (const other of others) {
      const made = (await share(customer, { id, ...other })).body;
      expect(made.id).not.toBe(first.id);
      expect((await share(customer, { id, ...other })).body).toEqual(made);
    }
    await customer.send('DELETE', `/quote_links?id=eq.${first.id}`);
    expect((await share(customer, { id, may: 'read', label: null })).body.id).not.toBe(first.id);
  });

  it('makes one link for ten calls at once', async () => {
    const id = await anOffer();
    // All have begun before any of them writes.
    const calls = await service.sql.begin(async own => {
      await own`select from builder.quotes where id = ${id} for update`;
      const begun = Array.from({ length: 10 }, () => share(customer, { id, may: 'approve' }));
      await expect.poll(() => countBlocked(service)).toBeGreaterThan(1);
      return { begun };
    });
    const replies = await Promise.all(calls.begun);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect((await customer.get(`/quote_links?quote_id=eq.${id}`)).body).toHaveLength(1);
  });

  it('refuses a 21st live link with the request that makes room for it', async () => {
    const id = await anOffer();
    const labels = Array.from({ length: 20 }, (_, index) => `${index}`);
    await Promise.all(labels.map(label => share(customer, { id, may: 'read', label })));
    const refused = await share(customer, { id, may: 'read' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'PT409' } });
    const [, revoke = ''] = /DELETE \/rest\/v1(\S+)/.exec(refused.body.hint) ?? [];
    expect((await customer.send('DELETE', revoke)).status).toBe(204);
    expect((await share(customer, { id, may: 'read' })).status).toBe(200);
  });

  it('lets only users of the account share for approval', async () => {
    const id = await anOffer();
    const member = await signIn(service, { account: randomUUID(), staff: true });
    for (const caller of [staff, member]) {
      const { status, body } = await share(caller, { id, may: 'approve' });
      expect([status, body.code]).toEqual([403, '42501']);
      expect(body.hint).toContain('{"may": "read"}');
    }
  });

  it('reveals nothing to a stranger, and of a quote that is deleted or never was', async () => {
    const id = await anOffer();
    const deleted = await anOffer({ status: 'rejected', deleted_at: '2026-01-01' });
    const replies = await Promise.all([
      share(stranger, { id, may: 'approve' }),
      share(stranger, { id: randomUUID(), may: 'approve' }),
      share(customer, { id: deleted, may: 'read' }),
    ]);
    for (const { status, body } of replies) {
      expect([status, body]).toEqual([404, replies[1]?.body]);
    }
    expect(await share(anon, { id, may: 'read' })).toMatchObject({ status: 401, body: { code: '42501' } });
    const { body: links } = await stranger.get(`/quote_links?quote_id=eq.${id}`);
    expect(links).toEqual([]);
  });

  it.each([
    ['a draft', { status: 'draft' }],
    ['a submitted quote, also one that had an offer', { status: 'submitted' }],
    ['a quote without an offer', { status: 'rejected', unit_price: null, total_price: null }],
  ])('refuses %s', async (_, values) => {
    const { status, body } = await share(staff, { id: await anOffer(values), may: 'read' });
    expect([status, body.code, body.message]).toEqual([
      409,
      'PT409',
      'The quote has no offer that a link could show',
    ]);
  });

  it.each([
    ['label', { label: 'x'.repeat(201) }, 'at most 200 bytes'],
    ['may', { may: 'edit' }, 'one of read, approve'],
    ['ends_at', { ends_at: daysFromNow(-1) }, 'a time from now until 90 days from now'],
    ['ends_at', { ends_at: daysFromNow(91) }, 'a time from now until 90 days from now'],
    ['ends_at', { ends_at: 'infinity' }, 'an ISO 8601 timestamp'],
  ])('refuses another %s by its field', async (field, args, expected) => {
    const { status, body } = await share(customer, { id: await anOffer(), may: 'read', ...args });
    expect([status, body.issues?.[0]?.path]).toEqual([400, field]);
    expect(body.issues[0].message).toContain(expected);
  });

  it('keeps no link of a call that is rolled back', async () => {
    const id = await anOffer();
    expect((await share(customer, { id, may: 'read' }, { prefer: 'tx=rollback' })).status).toBe(200);
    expect((await customer.get(`/quote_links?quote_id=eq.${id}`)).body).toEqual([]);
  });

  it('needs the text about the seller, and says how to write it', async () => {
    const id = await anOffer();
    await service.sql`update builder.event_messages set enabled = false where event = 'offer_seller'`;
    const { status, body } = await share(customer, { id, may: 'read' });
    expect(status).toBe(409);
    await service.sql`delete from builder.event_messages where event = 'offer_seller'`;
    const [written = ''] = /set search_path.*;/s.exec(body.hint) ?? [];
    await service.sql.unsafe(`${written} reset search_path`);
    expect((await share(customer, { id, may: 'read' })).status).toBe(200);
  });
});

describe('a link', () => {
  it('stays visible to its account and to staff when it is revoked, since the first time', async () => {
    const id = await anOffer();
    const { body: link } = await share(customer, { id, may: 'approve' });
    const revoke = (caller: Caller) =>
      caller.send('DELETE', `/quote_links?id=eq.${link.id}&select=revoked_at`, undefined, representation);
    expect((await revoke(stranger)).body).toEqual([]);
    const first = await revoke(customer);
    expect(first.body[0].revoked_at).not.toBeNull();
    expect((await revoke(staff)).body).toEqual(first.body);
    for (const caller of [customer, staff]) {
      const read = await caller.get(`/quotes?id=eq.${id}&select=quote_links(id,revoked_at)`);
      expect(read.body).toEqual([{ quote_links: [{ id: link.id, ...first.body[0] }] }]);
    }
  });

  it('is not made or changed as a row: the hint names the function', async () => {
    for (const [method, query] of [
      ['POST', ''],
      ['PATCH', '?id=not.is.null'],
    ] as const) {
      for (const caller of [customer, staff]) {
        const { status, body } = await caller.send(method, `/quote_links${query}`, { revoked_at: null });
        expect([status, body.code]).toEqual([403, '42501']);
        expect(body.hint).toContain("rpc('share_quote')");
      }
    }
  });

  it('is not live once it ended, was revoked, or its quote is deleted or another account’s', async () => {
    const isLive = async (change: (id: string, quote: string) => Promise<unknown>) => {
      const quote = await anOffer();
      const { body } = await share(customer, { id: quote, may: 'read' });
      await change(body.id, quote);
      const [row] =
        await service.sql`select builder.is_live(l) as live from builder.quote_links l where l.id = ${body.id}`;
      return row?.['live'];
    };
    const { sql } = service;
    expect(await isLive(async () => {})).toBe(true);
    const ends = [
      isLive(id => sql`update builder.quote_links set revoked_at = now() where id = ${id}`),
      isLive(id => sql`update builder.quote_links set ends_at = now() where id = ${id}`),
      isLive((_, quote) => sql`update builder.quotes set deleted_at = now() where id = ${quote}`),
      isLive((_, quote) => sql`update builder.quotes set account_id = ${randomUUID()} where id = ${quote}`),
    ];
    expect(await Promise.all(ends)).toEqual([false, false, false, false]);
  });
});

it('with OFFER_LINKS=off nothing is shared', async () => {
  const off = await startService({ bindings: { OFFER_LINKS: 'off' } });
  try {
    const { body, status } = await useCallers(off).staff.send('POST', path, {
      id: randomUUID(),
      may: 'read',
    });
    expect([status, body.code, body.hint]).toEqual([
      404,
      'PGRST202',
      'The operator has turned it off: OFFER_LINKS=off.',
    ]);
  } finally {
    await off.stop();
  }
});
