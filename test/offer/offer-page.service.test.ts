/** The page of an offer over HTTP: what a link shows, and what its holder answers. */
import { randomUUID } from 'node:crypto';
import type { TransactionSql as Sql } from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { signId } from '../../functions/common/signed-id.ts';
import { offerLinkPurpose } from '../../functions/offer/offer-link.ts';
import { untilBlocked } from '../setup/locks.ts';
import { useService } from '../setup/service.ts';
import { asCustomer, claimsOf, update } from '../sql/roles.ts';
import { approval, asData, navigates, offersOf, seller, terms } from './shared.ts';

const service = useService();
const { account, quote, link, get, open, text, data, post, quoteOf, events, reprice, change, writeSeller } =
  offersOf(service);

beforeAll(() => writeSeller());

const past = '2026-01-02T03:04:05Z';

describe('the page of a link', () => {
  it('shows the offer with its seller, in the language of the reader', async () => {
    await writeSeller('de', 'Verkäufer GmbH');
    await writeSeller('en', 'Payment within 30 days.', 'offer_terms');
    const expires_at = '2999-05-06T10:00:00Z';
    const { path } = await link(await quote({ expires_at, quote_number: 'QT-2026-00042' }));
    const english = await text(path, { ...navigates, 'accept-language': 'fr,en-GB;q=0.5' });
    for (const shown of [
      'Seller Ltd\n1 Mill Lane, Springfield',
      'Payment within 30 days.',
      'Offer QT-2026-00042',
      'For Night Owls',
      'US$240.00',
      'US$20.00',
      '7 × M, 5 × L',
      '6 May 2999 at 10:00 (UTC)',
    ]) {
      expect(english).toContain(shown);
    }
    expect(english).toContain('<title>Offer</title>');
    expect(english.match(/Ask for changes/g)).toHaveLength(1);
    const german = await text(path, { ...navigates, 'accept-language': 'de-AT' });
    expect(german).toMatch(/<html lang="de-AT">[\s\S]*Verkäufer GmbH[\s\S]*\$\s240,00/);
    expect(await text(`${path}&language=de`)).toContain('Angebot QT-2026-00042');
  });

  it.each([
    ['fr', 'Verkäufer GmbH', { fr: 'Vendeur', de: 'Verkäufer GmbH' }],
    ['de', 'Vendeur', { fr: 'Vendeur' }],
    ['fr', 'Seller Inc', { de: 'Verkäufer GmbH', en: 'Seller Inc' }],
    ['en', 'Verkäufer GmbH', { fr: 'Vendeur', de: 'Verkäufer GmbH', en: ' \n\t' }],
  ])('names a seller to a reader of %s, %s, if the operator wrote %j', async (language, shown, written) => {
    await service.sql`delete from builder.event_messages where event = 'offer_seller'`;
    for (const [tag, body] of Object.entries(written)) {
      await writeSeller(tag, body);
    }
    const { path } = await link(await quote());
    expect((await data(`${path}&language=${language}`))['seller']).toBe(shown);
    await service.sql`delete from builder.event_messages where event = 'offer_seller'`;
    await writeSeller();
  });

  it('shows colors inside of colors, a sport as a name, and no endless decimals', async () => {
    const colors = { body: { hex: '#ff0000', name: 'Red' }, trim: ['#fff', null, 7] };
    const id = await quote({ sport: 'track_field', colors, unit_price: 400 / 3, total_price: 1600.125 });
    const { path } = await link(id);
    const words = async (page: string) => (await text(page)).replace(/<[^>]+>/g, '');
    const english = await words(path);
    for (const shown of [
      'body hex #ff0000',
      'body name Red',
      'trim 0 #fff',
      'trim 2 7',
      'SportTrack field',
    ]) {
      expect(english).toContain(shown);
    }
    expect(english).toMatch(/\$133\.3333Total\$1,600\.125/);
    await change(id, { sport: 'soccer', colors: { ...colors, body: { hex: '#00ff00', name: 'Red' } } });
    const changed = await words(path);
    expect(changed).toMatch(/Colors: body hex #ff0000, .* → body hex #00ff00/);
    await change(id, { colors: {}, unit_price: 133.33331 });
    await change(id, { colors: { none: {} }, unit_price: 133.33332 });
    expect((await text(path)).match(/<li>.*?<\/li>/g)).toEqual([
      '<li>Price for each</li>',
      '<li>Colors</li>',
    ]);
    expect(await words(`${path}&language=de`)).toContain('SportartFußball');
  });

  it('shows names without characters that show nothing or turn the text around', async () => {
    const players = [{ name: 'Kim\u202e\u3164', number: '\u20607', size: 'M' }];
    const id = await quote({ company: 'Night\u202e Owls\u200b', customization: { players } });
    const page = await text((await link(id, { roster: true })).path);
    expect(page).toContain('For Night Owls');
    expect(page).toContain('<td>Kim</td><td>7</td><td>M</td>');
  });

  it('shows what changed since the offer before', async () => {
    const id = await quote({ rush_order: false });
    await service.sql`update builder.quotes set total_price = 300, unit_price = 25, rush_order = true,
      size_breakdown = '{"M": 8, "L": 5}', customization = '{"team": "Tigers"}' where id = ${id}`;
    const { path } = await link(id);
    expect((await data(path))['changes']).toEqual([
      'unit_price',
      'total_price',
      'size_breakdown',
      'rush_order',
      'design',
    ]);
    const page = await text(path);
    for (const shown of [
      'Total price: $240.00 → $300.00',
      'Sizes: 7 × M, 5 × L → 8 × M, 5 × L',
      'Rush order: No → Yes',
      'The design has changed.',
    ]) {
      expect(page).toContain(shown);
    }
  });

  it('shows players only where its roster is shared, and never other data of the design', async () => {
    const players = [{ name: 'Ruiz <b>', number: '00', size: 'M' }, { name: 'Kim' }, 'nobody', {}];
    const id = await quote({ customization: { players, secret: 'pattern-7' } });
    const without = await link(id);
    const shown = await link(id, { roster: true });
    expect(await text(without.path)).not.toMatch(/Ruiz|pattern-7/);
    expect(JSON.stringify(await data(without.path))).not.toMatch(/Ruiz|pattern-7/);
    expect(await text(shown.path)).toMatch(/Ruiz &lt;b&gt;<\/td><td>00<\/td><td>M/);
    expect(await text(shown.path)).not.toContain('pattern-7');
    expect((await data(shown.path))['offer'].players).toHaveLength(2);
  });

  it('has the keys of what it shows, and no others', async () => {
    const { path } = await link(await quote());
    const { offer, ...others } = await data(path);
    expect(Object.keys(others).sort()).toEqual([
      'answer',
      'before',
      'changes',
      'changes_since',
      'company',
      'earlier_answer',
      'expires_at',
      'has_ended',
      'may',
      'quote_number',
      'seller',
      'status',
      'terms',
      'terms_digest',
      'time_zone',
    ]);
    expect(offer).toMatchObject({ number: 1, ...terms });
    expect(offer).not.toHaveProperty('customization');
  });

  it.each([
    'draft',
    'submitted',
  ])('of a quote that is %s shows its status, the seller, and nothing else', async status => {
    const { path } = await link(await quote({ status }));
    expect(await data(path)).toEqual({ status, seller, answer: null });
    const page = await text(path);
    expect(page).toContain('being revised');
    expect(page).not.toMatch(/Owls|240|<form/);
  });

  it('shows pictures over https only', async () => {
    const { path } = await link(
      await quote({
        preview_front_url: 'https://cdn.test/front.png',
        preview_back_url: 'http://cdn.test/back.png',
      }),
    );
    const page = await text(path);
    expect(page).toContain('<img src="https://cdn.test/front.png" alt=""');
    expect(page).not.toContain('http://cdn.test');
  });

  it('runs no script, is in no frame, cache or index, sends no referrer, and is read by no page of another origin', async () => {
    const { path, token } = await link(await quote());
    const pages = [get(path), get(path, asData), get('/offer?token=x'), post(path, approval), post(path, {})];
    for (const { headers } of await Promise.all(pages)) {
      const policy = headers.get('content-security-policy');
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src https:; form-action 'self'/,
      );
      expect(policy).toContain("base-uri 'none'; frame-ancestors 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toContain('no-store');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.has('access-control-allow-origin')).toBe(false);
    }
    const preflight = await service.fetch(path, {
      method: 'OPTIONS',
      headers: { origin: 'https://other.test', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.has('access-control-allow-origin')]).toEqual([405, false]);
    expect(service.logs.join('\n')).not.toContain(token.slice(36));
    expect(service.logs.join('\n')).not.toContain('Ana Treasurer');
  });

  it('is the same 404 for links that are unknown, revoked, ended, or of a quote that is deleted or of another account', async () => {
    const id = await quote();
    const unknown = await signId(service.secretKey, offerLinkPurpose, randomUUID());
    const paths = [
      '/offer',
      '/offer?token=',
      `/offer?token=${'x'.repeat(9000)}`,
      `/offer?token=${unknown}`,
      (await link(id)).path.replace(/.$/, '_'),
      (await link(id, { revoked_at: past })).path,
      (await link(id, { ends_at: past })).path,
      (await link(id, { account_id: randomUUID() })).path,
      (await link(await quote({ deleted_at: past, status: 'rejected' }))).path,
    ];
    const pages = await Promise.all(paths.map(path => get(path)));
    expect(pages.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect(new Set(await Promise.all(pages.map(page => page.text())))).toHaveProperty('size', 1);
    const refused = await Promise.all(paths.map(path => post(path, approval)));
    expect(refused.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect((await quoteOf(id))['status']).toBe('quoted');
  });

  it('still opens two days after the end of its offer, says so, and names the seller', async () => {
    const ended = new Date(Date.now() - 2 * 86_400_000).toISOString();
    for (const status of ['quoted', 'expired']) {
      const { path } = await link(await quote({ expires_at: ended, status }));
      const page = await get(path);
      const body = await page.text();
      expect([page.status, body]).toEqual([200, expect.stringContaining('This offer ended on')]);
      expect(body).toContain('orders@seller.test');
      expect(body).not.toContain('<form');
      expect((await post(path, approval)).status).toBe(303);
    }
  });

  it('says who can approve the offer, if it can only be read', async () => {
    const { path } = await link(await quote(), { may: 'read' });
    expect(await text(path)).toContain('The customer who asked for it can approve it');
    expect(await text(`${path}&language=de`)).toContain('Der Kunde, der es angefragt hat, kann es annehmen');
  });
});

describe('opening a link', () => {
  const openedAt = async (id: string) =>
    (await service.sql`select opened_at, xmin::text as version from builder.quote_links where id = ${id}`)[0];

  it('is noted to the hour, once, and only for a person in a browser', async () => {
    const id = await quote();
    const before = await quoteOf(id);
    const made = await link(id);
    await get(made.path, { accept: 'text/html' });
    await get(made.path, { ...navigates, 'sec-fetch-mode': 'cors' });
    await service.fetch(made.path, { method: 'HEAD', headers: navigates });
    expect((await openedAt(made.id))?.['opened_at']).toBe(null);
    await open(made.path);
    const first = await openedAt(made.id);
    expect(first?.['opened_at'].getMinutes()).toBe(0);
    await open(made.path);
    expect(await openedAt(made.id)).toEqual(first);
    expect(await quoteOf(id)).toEqual(before);
    expect(await events(id)).toHaveLength(1);
  });
});

describe('the holder of a link', () => {
  it.each([
    ['approved', '', 'This offer was approved.'],
    ['rejected', 'Too dear', 'This offer was declined.'],
    ['submitted', 'Two more, please', 'Changes were asked for.'],
  ])('moves the quote to %s, which the page and the history say', async (status, said, shown) => {
    const id = await quote();
    const before = await quoteOf(id);
    const made = await link(id);
    const answered = await post(made.path, { ...approval, status, said });
    expect([answered.status, answered.headers.get('location')]).toEqual([303, `?token=${made.token}`]);
    const after = await quoteOf(id);
    expect(after['status']).toBe(status);
    const mayChange = ['status', 'updated_at', 'approved_at', 'submitted_at'];
    const removed =
      status === 'submitted' ? ['unit_price', 'total_price', 'quoted_at', 'quoted_by', 'expires_at'] : [];
    const changed = Object.keys(after).filter(
      name => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
    );
    expect(changed.filter(name => ![...mayChange, ...removed].includes(name))).toEqual([]);
    expect((await events(id)).at(-1)).toEqual({
      event: `quote.${status}`,
      created_as: 'customer',
      link_id: made.id,
      signer: 'Ana Treasurer',
      said: said || null,
    });
    const page = await text(made.path);
    expect(page).toContain(shown);
    expect(page).toContain('By Ana Treasurer');
    expect(page).not.toContain('<form');
  });

  it('gets the page that says what happened for a second answer, and changes nothing', async () => {
    const id = await quote();
    const { path } = await link(id);
    const other = await link(id);
    await post(path, approval);
    const before = await quoteOf(id);
    for (const again of [path, other.path]) {
      const reply = await post(again, { ...approval, status: 'rejected', name: 'Bob', said: 'No' });
      expect(reply.status).toBe(303);
      expect(await text(again)).toContain('By Ana Treasurer');
    }
    expect(await quoteOf(id)).toEqual(before);
    expect(await events(id)).toHaveLength(2);
  });

  it('is shown the new offer, and approves nothing, when staff repriced meanwhile', async () => {
    const id = await quote();
    const { path } = await link(id);
    await reprice(id, 4800);
    const reply = await post(path, { ...approval, name: 'Ana <i>' });
    const page = await reply.text();
    expect(reply.status).toBe(409);
    expect(page).toContain('The offer changed after you opened it.');
    expect(page).toContain('Total price: $240.00 → $4,800.00');
    expect(page).toContain('value="Ana &lt;i&gt;"');
    expect((await quoteOf(id))['status']).toBe('quoted');
    const program = await post(path, approval, asData);
    expect([program.status, await program.json()]).toMatchObject([409, { code: 'PT409' }]);
    expect((await post(path, { ...approval, offer: '2', total: '4800' })).status).toBe(303);
    expect(await quoteOf(id)).toMatchObject({ status: 'approved', total_price: 4800 });
  });

  it('approves nothing with the number of the offer and another total', async () => {
    const id = await quote();
    const { path } = await link(id);
    expect((await post(path, { ...approval, total: '24' })).status).toBe(409);
    expect((await quoteOf(id))['status']).toBe('quoted');
  });

  it('approves although the contact was corrected meanwhile', async () => {
    const id = await quote();
    const { path } = await link(id);
    await service.sql`update builder.quotes set contact_phone = '555 0100' where id = ${id}`;
    expect((await post(path, approval)).status).toBe(303);
    expect((await quoteOf(id))['status']).toBe('approved');
  });

  it('answers nothing by a link that only shows the offer', async () => {
    const id = await quote();
    const { path } = await link(id, { may: 'read' });
    expect(await text(path)).not.toContain('<form');
    expect((await post(path, approval)).status).toBe(403);
    expect((await quoteOf(id))['status']).toBe('quoted');
  });

  it('who names nobody, or does not say why, answers nothing, and gets what was typed', async () => {
    const id = await quote();
    const { path } = await link(id);
    const cases = [
      [{ ...approval, name: '' }, 'Please enter your name.'],
      [{ ...approval, name: ' \u200b.\u202e ' }, 'Please enter your name.'],
      [{ ...approval, name: '\u3164\u115f\u1160\uffa0\u2800' }, 'Please enter your name.'],
      [{ ...approval, name: '漢'.repeat(67) }, 'This name is too long'],
      [{ ...approval, status: 'rejected' }, 'Please say why'],
      [{ ...approval, said: 'x'.repeat(1001) }, 'at most 1,000 characters'],
      [{ ...approval, status: 'submitted', said: ' ' }, 'Please say why'],
      [{ ...approval, status: 'rejected', said: '\u200b \u200d\ufe0f\u3164' }, 'Please say why'],
    ] as const;
    for (const [fields, wrong] of cases) {
      const reply = await post(path, fields);
      const page = await reply.text();
      expect([reply.status, page]).toEqual([400, expect.stringContaining(wrong)]);
      const program = await post(path, fields, asData);
      expect([program.status, await program.json()]).toMatchObject([
        400,
        { issues: [{ path: /name/.test(wrong) ? 'name' : expect.any(String) }] },
      ]);
    }
    const typed = await (await post(path, { ...approval, status: 'rejected', said: ' ' })).text();
    expect(typed).toMatch(/<details open=""[\s\S]*value="Ana Treasurer"/);
    expect(await events(id)).toHaveLength(1);
    await expect.poll(() => service.logs.join('\n')).toContain('"reason":"invalid fields: name"');
  });

  it('answers as a program with JSON', async () => {
    const name = `Ana "O'Neil" \\ $1`;
    const id = await quote();
    const { path } = await link(id);
    const reply = await service.fetch(path, {
      method: 'POST',
      headers: { ...asData, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'approved', offer: 1, total: 240, name, said: null }),
    });
    expect([reply.status, await reply.json()]).toMatchObject([
      200,
      { status: 'approved', answer: { signer: name, by: 'link' } },
    ]);
  });

  it('gets a clear answer to what no form sends', async () => {
    const id = await quote();
    const { path } = await link(id);
    const form = 'application/x-www-form-urlencoded';
    const all = new URLSearchParams(approval).toString();
    const json = (value: unknown) => ['application/json', JSON.stringify(value)] as const;
    const bodies: (readonly [type: string, body: string | Uint8Array<ArrayBuffer>, status: number])[] = [
      [form, '', 400],
      [form, `${all}&name=Bob`, 400],
      [form, `${all}&said=%ff`, 400],
      [form, new Uint8Array([0x6e, 0x3d, 0xff]), 400],
      [form, `__proto__=1&${all.replace('approved', 'ordered')}`, 400],
      [form, all.replace('offer=1', 'offer=1e3'), 400],
      [form, all.replace('total=240', 'total=NaN'), 400],
      [form, `${all}&terms_digest=${'0'.repeat(63)}`, 400],
      [...json({ ...approval, terms_digest: '\0' }), 400],
      [form, `${all}&x=${'x'.repeat(16 * 1024)}`, 413],
      [form, 'x'.repeat(2 * 1024 * 1024), 413],
      ['text/plain', all, 400],
      ['multipart/form-data; boundary=x', '--x--', 400],
      [...json([approval]), 400],
      [...json({ ...approval, name: ['Ana'] }), 400],
      [...json({ ...approval, name: '\ud800\0' }), 400],
      ['application/json', '{', 400],
    ];
    for (const [type, body, status] of bodies) {
      for (const accept of [navigates, asData]) {
        const reply = await service.fetch(path, {
          method: 'POST',
          body,
          headers: { ...accept, 'content-type': type },
        });
        expect([reply.status, String(body).slice(0, 200)]).toEqual([status, String(body).slice(0, 200)]);
        expect(await reply.text()).not.toBe('');
      }
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await service.fetch(path, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET,HEAD,POST']);
    }
    const head = await service.fetch(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(await events(id)).toHaveLength(1);
  });

  it('and nine others who answer at the same time move the quote once', async () => {
    const id = await quote();
    const { path } = await link(id);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        post(path, {
          ...approval,
          status: index % 2 ? 'approved' : 'rejected',
          said: 'So be it',
          name: `Reader ${index}`,
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 303));
    expect(await events(id)).toHaveLength(2);
  });

  it.each<[change: string, status: number, (sql: Sql, quote: string, link: string) => PromiseLike<unknown>]>([
    ['reprice', 409, (sql, id) => sql`update builder.quotes set total_price = 4800 where id = ${id}`],
    [
      'reprice in cents',
      409,
      (sql, id) => sql`update builder.quotes set unit_price = 20.01 where id = ${id}`,
    ],
    [
      'change the design',
      409,
      (sql, id) => sql`update builder.quotes set customization = '{}' where id = ${id}`,
    ],
    [
      'correct the sport',
      409,
      (sql, id) => sql`
        with corrected as (select set_config('builder.correction', 'on', true) as is)
        update builder.quotes set sport = 'golf' from corrected where id = ${id} and corrected.is = 'on'`,
    ],
    ['decline', 303, (sql, id) => sql`update builder.quotes set status = 'rejected' where id = ${id}`],
    ['end the offer', 303, (sql, id) => sql`update builder.quotes set expires_at = now() where id = ${id}`],
    ['delete', 404, (sql, id) => sql`update builder.quotes set deleted_at = now() where id = ${id}`],
    ['erase', 404, (sql, id) => sql`delete from builder.quotes where id = ${id}`],
    [
      'give away',
      404,
      (sql, id) => sql`update builder.quotes set account_id = ${randomUUID()} where id = ${id}`,
    ],
    [
      'revoke',
      404,
      (sql, _, link) => sql`update builder.quote_links set revoked_at = now() where id = ${link}`,
    ],
  ])('approves nothing that others %s while the approval waits for them', async (_, status, change) => {
    const id = await quote();
    const made = await link(id);
    let reply: Promise<Response> | undefined;
    await service.sql.begin(async transaction => {
      await change(transaction, id, made.id);
      reply = post(made.path, approval);
      await untilBlocked(service);
    });
    expect((await reply)?.status).toBe(status);
    expect((await events(id)).map(({ event }) => event)).not.toContain('quote.approved');
  });

  it('is named by the page only: a customer who sets what the page sets answers as a customer', async () => {
    const id = await quote();
    const { id: linkId } = await link(id);
    await asCustomer(service.sql, claimsOf(account), async sql => {
      await sql`select set_config('builder.answer', ${JSON.stringify({ link: linkId, signer: 'Ana' })}, true)`;
      await update(sql, 'quotes', id, { status: 'approved' });
    });
    expect((await events(id)).at(-1)).toMatchObject({ event: 'quote.approved', link_id: null, signer: null });
  });

  it('changes nothing else: the functions of the page are for it only', async () => {
    const id = await quote();
    const { id: linkId } = await link(id);
    for (const role of ['builder_customer', 'builder_staff', 'builder_reader']) {
      for (const call of [
        `builder.offer_of('${linkId}', 'en', false)`,
        `builder.answer_offer('${linkId}', 'approved', 1, 240, 'Ana', null)`,
      ]) {
        const attempt = service.sql.begin(async sql => {
          await sql`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${JSON.stringify({ sub: account })}, true)`;
          await sql.unsafe(`select ${call}`);
        });
        await expect(attempt).rejects.toThrow('permission denied');
      }
    }
  });
});
