import { describe, expect, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { useCallers } from '../setup/wire.ts';

const service = useService();
const { staff, anon } = useCallers(service);

const countGraphics = async (): Promise<number> =>
  (await service.sql`select id from builder.graphics`).length;

describe('a body', () => {
  const graphic = { name: 'Lion', code: 'LION', file_url: 'https://cdn.test/l.svg', file_format: 'svg' };
  const bodies: [what: string, body: string, code: string, says: RegExp][] = [
    ['malformed JSON', '{"name":', 'PGRST102', /invalid json/],
    ['nothing', '', 'PGRST102', /Empty or invalid json/],
    ['a number', '3', 'PGRST102', /object or an array of objects/],
    ['an array of numbers', '[1]', 'PGRST102', /object or an array of objects/],
    ['a NUL in a text', JSON.stringify({ ...graphic, name: 'a\0b' }), '22P05', /./],
    [
      'half a surrogate pair',
      '{"name":"\\ud800","code":"A","file_url":"https://u","file_format":"svg"}',
      '22P02',
      /./,
    ],
    ['an unknown column', JSON.stringify({ ...graphic, nmae: 'x' }), 'PGRST204', /nmae/],
    ['constructor as a column', JSON.stringify({ ...graphic, constructor: 'x' }), 'PGRST204', /constructor/],
    ['__proto__ as a column', '{"__proto__":"x"}', 'PGRST204', /__proto__/],
    ['a missing required column', JSON.stringify({ name: 'Lion' }), '23502', /./],
    ['null for a required column', JSON.stringify({ ...graphic, name: null }), '23502', /./],
    ['a wrong type', JSON.stringify({ ...graphic, sort_order: 'many' }), '22P02', /./],
    ['an object for a text', JSON.stringify({ ...graphic, name: {} }), '22P02', /./],
    ['an array for a text', JSON.stringify({ ...graphic, name: ['Lion'] }), '22P02', /./],
    ['a number out of range', JSON.stringify({ ...graphic, sort_order: 2147483648 }), '22003', /./],
    ['a bad uuid', JSON.stringify({ ...graphic, id: '123' }), '22P02', /./],
    ['a value that is not allowed', JSON.stringify({ ...graphic, file_format: 'gif' }), '23514', /./],
    ['a negative count', JSON.stringify({ ...graphic, width: -1 }), '23514', /./],
    [
      'a day that does not exist',
      JSON.stringify({ ...graphic, created_at: '2026-02-30T00:00:00Z' }),
      '22008',
      /./,
    ],
    ['no timestamp', JSON.stringify({ ...graphic, created_at: 'yesterdayish' }), '22007', /./],
    [
      'rows with different keys',
      JSON.stringify([graphic, { ...graphic, width: 1 }]),
      'PGRST102',
      /keys must match/,
    ],
  ];
  it.each(bodies)('with %s is refused and writes nothing', async (_, body, code, says) => {
    const before = await countGraphics();
    const reply = await staff.send('POST', '/graphics', body, { 'content-type': 'application/json' });
    expect(reply.status, reply.text).toBe(400);
    expect(reply.body).toMatchObject({ code, message: expect.stringMatching(says) });
    expect(Object.keys(reply.body)).toEqual(expect.arrayContaining(['code', 'message', 'details', 'hint']));
    expect(await countGraphics()).toBe(before);
  });

  it('gets all its issues at once, with their paths', async () => {
    const reply = await staff.send('POST', '/quotes', {
      quote_number: 'Q-1',
      size_breakdown: { S: 4, M: -1, L: 'many' },
      shipping_address: { street: '1 Main', planet: 'Mars' },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.message).toBe('account_id is required, and 7 more fields are invalid');
    for (const path of [
      'account_id',
      'product_id',
      'sport',
      'customization',
      'quote_number',
      'size_breakdown.M',
      'size_breakdown.L',
      'shipping_address.planet',
    ]) {
      expect(reply.body.details).toMatch(new RegExp(`(^|\\. )${path} (must|is) `));
      expect(reply.body.issues).toContainEqual({
        path,
        expected: expect.any(String),
        received: expect.any(String),
        message: expect.stringContaining(path),
      });
    }
  });

  it('with one invalid row among valid ones writes none', async () => {
    const code = `ROW-${Date.now()}`;
    const before = await countGraphics();
    const reply = await staff.send('POST', '/graphics', [aGraphic({ code }), aGraphic({ code })]);
    expect(reply.status).toBe(409);
    expect(reply.body.code).toBe('23505');
    expect(await countGraphics()).toBe(before);
  });

  it('over 1 MiB is refused with 413, with and without Content-Length', async () => {
    const body = JSON.stringify({ ...graphic, description: 'x'.repeat(1024 * 1024) });
    const told = await staff.send('POST', '/graphics', body);
    expect(told.status).toBe(413);
    expect(told.body.details).toContain('1048576');
    const untold = await service.fetch('/rest/v1/graphics', {
      method: 'POST',
      headers: { apikey: service.secretKey, authorization: `Bearer ${service.secretKey}` },
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(untold.status).toBe(413);
    await untold.arrayBuffer();
  });

  it('under 1 MiB is accepted, and customization is returned unchanged', async () => {
    const customization = { text: 'é🦤'.repeat(100_000), deep: { list: [1.5, null, true] } };
    const { body } = await staff.send(
      'POST',
      '/quotes?select=customization',
      { ...graphicless(), customization },
      { prefer: 'return=representation' },
    );
    expect(body).toEqual([{ customization }]);
  });
});

const graphicless = () => ({
  account_id: crypto.randomUUID(),
  quote_number: 'QT-2026-00001',
  product_id: crypto.randomUUID(),
  sport: 'golf',
});

describe('an error has a hint', () => {
  it.each([
    ['/graphics?name=Lion', 'Perhaps you meant "name=eq.Lion". All parameters are filters except select, '],
    ['/graphics?name=contains.Lion', 'The operators are eq, '],
    ['/graphics?category_id=eq.null', 'Compare with null by is: category_id=is.null, '],
    ['/graphics?width=not.eq.null', 'Compare with null by is: width=is.null, '],
    ['/graphics?created_at=lt.null', 'Compare with null by is: created_at=is.null, '],
    ['/graphics?or=(tags.eq.null,width.gt.5)', 'Compare with null by is: tags=is.null, '],
    ['/notifications?channel=in.(email,null)', 'Compare with null by is: channel=is.null, '],
    ['/graphics?createdAt=gt.2026-01-01', 'Perhaps you meant the column "graphics.created_at".'],
    ['/graphics?order=created_at.descending', 'For example: order=created_at.desc.nullslast,id.'],
    ['/graphics?order=-created_at', 'For example: order='],
    ['/graphics?select=id,', 'For example: select='],
    ['/graphics?or=(name.Lion,code.eq.A)', 'For example: or='],
    ['/graphics?name[x]=eq.a', 'For example: id=eq.1, customization->>team=eq.Tigers or id[0]=gt.1.'],
    ['/Graphics', 'Perhaps you meant "graphics".'],
    ['/quote', 'Perhaps you meant "quotes".'],
    ['/invoices', 'Known collections: quotes, graphics, notifications'],
    ['/rpc/nextQuoteNumber', 'Perhaps you meant "next_quote_number".'],
    ['/rpc/hello', 'Known functions: next_quote_number, duplicate_quote'],
    ['/rpc/next_quote_number', 'Functions are called with POST.'],
    ['/quotes/1', 'A collection is at /rest/v1/<collection>, and a row at '],
  ])('for GET %s', async (path, hint) => {
    const { status, body } = await staff.get(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.hint.slice(0, hint.length)).toBe(hint);
  });

  it.each([
    ['GET', '/quotes'],
    ['POST', '/graphics'],
    ['PATCH', '/notifications?id=eq.1'],
    ['POST', '/rpc/next_quote_number'],
  ])('for who is not signed in and may not: %s %s', async (method, path) => {
    const { status, body } = await anon.send(method, path, method === 'GET' ? undefined : {});
    expect([status, body.code, body.hint]).toEqual([
      401,
      '42501',
      expect.stringMatching(/^Not signed in\. /),
    ]);
  });

  it.each([
    [
      '/notifications?type=eq.nope',
      'invalid input value for enum builder.notification_type: "nope"',
      '22P02',
    ],
    ['/graphics?tags=eq.nope', 'malformed array literal: "nope"', '22P02'],
    ['/graphics?is_active=eq.nope', 'invalid input syntax for type boolean: "nope"', '22P02'],
    ['/quotes?event_date=eq.nope', 'invalid input syntax for type date: "nope"', '22007'],
  ])('for the word null, with the message that Postgres has for another one: %s', async (path, message, code) => {
    expect((await staff.get(path)).body).toMatchObject({ code, message });
    const { body } = await staff.get(path.replace('nope', 'null'));
    expect(body).toMatchObject({ code, message: message.replace('nope', 'null') });
  });
});

describe('a path or method', () => {
  it.each([
    ['GET', '/rest/v1/nothing', 404, 'PGRST205'],
    ['GET', '/rest/v1/quotes/1', 404, 'PGRST125'],
    ['GET', '/rest/v1/quotes/', 404, 'PGRST125'],
    ['GET', '/rest/v1//quotes', 404, 'PGRST125'],
    ['GET', '/rest/v2/quotes', 404, 'PGRST125'],
    ['POST', '/', 404, 'PGRST125'],
    ['POST', '/rest/v1/rpc/anything', 404, 'PGRST202'],
    ['PROPFIND', '/rest/v1/quotes', 405, 'PGRST117'],
  ])('%s %s is a %i with an error body', async (method, path, status, code) => {
    const response = await service.fetch(path, {
      method,
      headers: { apikey: service.secretKey, authorization: `Bearer ${service.secretKey}` },
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, message: expect.any(String) });
  });
});
