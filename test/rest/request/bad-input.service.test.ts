/** Requests that are wrong or unlucky: what their errors say, and that they write and reveal nothing. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { untilBlocked } from '../../setup/locks.ts';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { callerOf, representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer, anon } = useCallers(service, account);

const countGraphics = async (): Promise<number> =>
  (await service.sql`select id from builder.graphics`).length;

describe('a body', () => {
  const graphic = { name: 'Lion', code: 'LION', file_url: 'https://cdn.test/l.svg', file_format: 'svg' };
  const including = (more: object) => JSON.stringify({ ...graphic, ...more });
  it.each<[what: string, body: string, code: string, says?: RegExp]>([
    ['nothing', '', 'PGRST102', /Empty or invalid json/],
    ['null', 'null', 'PGRST102', /object or an array of objects/],
    ['a NUL in a text', including({ name: 'a\0b' }), '22P05'],
    ['half a surrogate pair', including({}).replace('Lion', '\\ud800'), '22P02'],
    ['__proto__ as a column', '{"__proto__":"x"}', 'PGRST204', /__proto__/],
    ['rows with different keys', JSON.stringify([{ name: 'A' }, { code: 'A' }]), 'PGRST102', /must match/],
  ])('with %s is refused and writes nothing', async (_, body, code, says = /./) => {
    const before = await countGraphics();
    const reply = await staff.send('POST', '/graphics', body, { 'content-type': 'application/json' });
    expect(reply.status, reply.text).toBe(400);
    expect(reply.body).toMatchObject({ code, message: expect.stringMatching(says) });
    expect(Object.keys(reply.body)).toEqual(expect.arrayContaining(['code', 'message', 'details', 'hint']));
    expect(await countGraphics()).toBe(before);
  });

  it('over 1 MiB is refused with 413 without a Content-Length', async () => {
    const untold = await service.fetch('/rest/v1/graphics', {
      method: 'POST',
      headers: { apikey: service.secretKey },
      body: new Blob([including({ description: 'x'.repeat(1024 * 1024) })]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(untold.status).toBe(413);
    await untold.arrayBuffer();
  });
});

describe('an error has a hint', () => {
  it.each([
    ['/graphics?name=Lion', 'Perhaps you meant "name=eq.Lion". All parameters except select, '],
    ['/quotes?status=', 'Write a value, "status=eq.<value>", or "status=is.null" '],
    ['/graphics?page=2', 'Perhaps you meant "limit=20&offset=20".'],
    ['/graphics?per_page=50', 'Perhaps you meant "limit=50".'],
    ['/graphics?sort=-created_at', 'Perhaps you meant "order=created_at.desc".'],
    ['/graphics?sortBy=created_at:DESC', 'Perhaps you meant "order=created_at.desc".'],
    ['/graphics?order_by=name', 'Perhaps you meant "order=name.asc".'],
    ['/graphics?fields=id,name', 'Perhaps you meant "select=id,name".'],
    ['/graphics?search=lion', 'Perhaps you meant "<column>=ilike.*<text>*".'],
    ['/graphics?name=contains.Lion', 'The operators are eq, '],
    ['/graphics?select=name::strange', 'The supported types are '],
    ['/graphics?or=(tags.eq.null,width.gt.5)', 'Compare with null by is: tags=is.null, '],
    ['/graphics?createdAt=gt.2026-01-01', 'Perhaps you meant the column "graphics.created_at".'],
    ['/graphics?order=created_at.descending', 'For example: order=a.desc.nullslast,b.'],
    ['/Graphics', 'Perhaps you meant "graphics".'],
    ['/invoices', 'Known collections: quotes, graphics, notifications'],
    ['/rpc/next_quote_number', 'Functions are called with POST.'],
    ['/quotes/1', 'A collection is at /rest/v1/<collection>, and a row at '],
  ])('for GET %s', async (path, hint) => {
    const { status, body } = await staff.get(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.hint.slice(0, hint.length)).toBe(hint);
  });

  it('also where its response has no body: in the header Proxy-Status', async () => {
    const { status, headers } = await staff.send('HEAD', '/graphics?name%C3%A9=eq.Lion');
    expect([status, headers.get('proxy-status')]).toEqual([
      400,
      expect.stringMatching(/^PostgREST; error=\w+; details="[ -~]*name\?[ -~]*"$/),
    ]);
  });

  it('for a token that is refused', async () => {
    const { body } = await callerOf(service, service.publishableKey, 'not.a.token').get('/quotes');
    expect(body.hint).toMatch(/^Sign in again, and send the new token as Authorization: Bearer /);
  });

  it('for who is not signed in', async () => {
    const { status, body } = await anon.get('/quotes');
    expect([status, body.code, body.hint]).toEqual([401, '42501', expect.stringMatching(/^Not signed in\./)]);
  });
});

it.each([
  ['GET', '/rest/v1/quotes/1', 404, 'PGRST125'],
  ['GET', '/rest/v2/quotes', 404, 'PGRST125'],
  ['POST', '/', 404, 'PGRST125'],
  ['POST', '/rest/v1/rpc/anything', 404, 'PGRST202'],
  ['PROPFIND', '/rest/v1/quotes', 405, 'PGRST117'],
  ['POST', '/health', 405, 'PGRST117'],
])('%s %s is a %i with an error body', async (method, path, status, code) => {
  const response = await service.fetch(path, { method, headers: { apikey: service.secretKey } });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ code, message: expect.any(String) });
});

it('a count by the planner is exact for a customer, so that it reveals nothing of other accounts', async () => {
  const others = Array.from({ length: 300 }, () => aQuote(randomUUID(), { sport: 'quidditch' }));
  await staff.send('POST', '/quotes', others);
  await service.sql`analyze builder.quotes`;
  for (const count of ['planned', 'estimated']) {
    const reply = await customer.get('/quotes?sport=eq.quidditch', { prefer: `count=${count}` });
    expect(reply.headers.get('content-range')).toBe('*/0');
  }
  const guess = await staff.get('/quotes?sport=eq.quidditch', { prefer: 'count=planned' });
  expect(Number(guess.headers.get('content-range')?.split('/')[1])).toBeGreaterThan(100);
});

/** Two quotes that every scan reads in this order: that of their ids, and that of their places in the table. */
async function insertInOrder(): Promise<[string, string]> {
  for (;;) {
    const ids = [randomUUID(), randomUUID()].sort() as [string, string];
    const rows = ids.map(id => aQuote(account, { id }));
    await staff.send('POST', '/quotes', rows);
    const [row] = await service.sql`select id from builder.quotes where id = any (${ids}) order by ctid`;
    if (row?.['id'] === ids[0]) {
      return ids;
    }
  }
}

it('a request that Postgres undid to end a deadlock is sent again', async () => {
  const [first, second] = await insertInOrder();
  const path = `/quotes?id=in.(${first},${second})`;
  // The other transaction locks the second row first, and leaves it to the request to notice that each waits for the other.
  const request = await service.sql.begin(async other => {
    await other`set local deadlock_timeout = '1min'`;
    await other`update builder.quotes set sport = 'golf' where id = ${second}`;
    const request = staff.send('PATCH', path, { company: 'Lions' }, representation);
    await untilBlocked(service);
    await other`update builder.quotes set sport = 'golf' where id = ${first}`;
    return [request];
  });
  const reply = await request[0];
  expect(reply?.status, reply?.text).toBe(200);
  expect(reply?.body).toHaveLength(2);
  expect(reply?.body[0]).toMatchObject({ sport: 'golf', company: 'Lions' });
});

describe('a body that is not read', () => {
  it('does not break the connection for the next request', async () => {
    for (let time = 0; time < 20; time++) {
      const response = await service.fetch('/rest/v1/quotes', { method: 'POST', body: 'x'.repeat(200_000) });
      expect(response.status).toBe(401);
      await response.text();
    }
  });

  it('may come with a DELETE, as both profiles may, which supabase-py sends with every request', async () => {
    const profiles = { 'accept-profile': 'public', 'content-profile': 'public' };
    const path = `/quotes?id=eq.${randomUUID()}`;
    expect((await customer.send('DELETE', path, {}, profiles)).status).toBe(204);
    expect((await customer.get(path, profiles)).status).toBe(200);
  });
});
