/** An error says what to send instead, and one without a body names its code in `Proxy-Status`. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { everyone } from '../../../schema/everyone.ts';
import { aGraphic, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { useCallers } from '../../setup/wire.ts';

const service = useService();
const account = randomUUID();
const callers = useCallers(service, account);
const { staff, customer } = callers;
const merge = { prefer: 'resolution=merge-duplicates' };

describe('the hint of an error', () => {
  it('shows a value in quotes where a comma divides it, and such a value is taken', async () => {
    for (const query of ['or=(company.eq.Smith, John,id.eq.1)', 'and=(company.in.(a,(b)),id.eq.1)']) {
      const { status, body } = await customer.get(`/quotes?${query}`);
      expect([status, body.code]).toEqual([400, 'PGRST100']);
      expect(body.hint).toContain('or=(a.eq."Smith, John",b.eq.1)');
    }
    const company = 'Smith, John (Inc.)';
    expect((await customer.send('POST', '/quotes', aQuote(account, { company }))).status).toBe(201);
    const { body } = await customer.get(`/quotes?select=company&or=(company.eq."${company}",sport.eq.x)`);
    expect(body).toEqual([{ company }]);
  });

  it('of an upsert without required columns names the PATCH', async () => {
    const row = { id: randomUUID(), sport: 'golf' };
    const { body } = await customer.send('POST', '/quotes', [row], merge);
    expect([body.code, body.hint]).toEqual(['23502', expect.stringContaining('PATCH, each with its id')]);
    const put = await staff.send('PUT', `/quotes?id=eq.${row.id}`, row);
    expect([put.body.code, put.body.hint]).toEqual(['23502', expect.stringContaining('send a PATCH')]);
  });

  it('of another account names the accounts of the token', async () => {
    const quote = { ...aQuote(account), id: randomUUID() };
    expect((await customer.send('POST', '/quotes', quote)).status).toBe(201);
    for (const reply of [
      await customer.send('POST', '/quotes', [aQuote(randomUUID())]),
      await customer.send('PATCH', `/quotes?id=eq.${quote.id}`, { account_id: randomUUID() }),
      await customer.send('PUT', `/quotes?id=eq.${quote.id}`, { ...quote, account_id: randomUUID() }),
    ]) {
      const demand = 'account_id must be an account of the token';
      expect([reply.status, reply.body]).toMatchObject([
        403,
        {
          code: '42501',
          hint: `The accounts of the token: ${account}.`,
          issues: [{ message: `${demand}.` }],
        },
      ]);
      expect(reply.body.message).toContain(demand);
    }
  });

  it.each([
    ['nmae', 'contact_name'],
    ['email', 'contact_email'],
    ['roster', 'customization'],
    ['Numbers', 'customization'],
  ])('of an unknown column leads to one that exists: %s, %s', async (name, column) => {
    const hint = expect.stringContaining(column);
    const { body } = await staff.send('POST', '/quotes', { ...aQuote(account), [name]: 'x' });
    expect([body.code, body.hint]).toEqual(['PGRST204', hint]);
    const read = await staff.get(`/quotes?select=${name}`);
    expect([read.body.code, read.body.hint]).toEqual(['42703', hint]);
  });

  it('of an array whose rows lack a column names missing=default, and following it succeeds', async () => {
    const rows = [aQuote(account), aQuote(account, { currency: 'EUR' })];
    const first = await customer.send('POST', '/quotes', rows);
    expect([first.status, first.body.hint]).toEqual([400, expect.stringContaining('missing=default')]);
    const [, columns = ''] = /(columns=[\w,]+)/.exec(first.body.hint) ?? [];
    const second = await customer.send('POST', `/quotes?${columns}`, rows);
    expect([second.status, second.body.hint]).toEqual([400, expect.stringContaining('missing=default')]);
    const third = await customer.send('POST', `/quotes?${columns}`, rows, { prefer: 'missing=default' });
    expect(third.status).toBe(201);
  });

  it('of a message to no account names the nil uuid', async () => {
    const message = { account_id: null, body: 'Hello', dismissed: false };
    const { status, body } = await staff.send('POST', '/notifications', [message]);
    expect(status).toBe(400);
    expect(body.hint).toBe(`To address everyone, send the account_id ${everyone}.`);
  });

  it('of a number beyond its type names a wider type, which the same request takes', async () => {
    const id = randomUUID();
    const row = aQuote(account, { id, status: 'quoted', unit_price: 1, total_price: 1e12 });
    expect((await staff.send('POST', '/quotes', row)).status).toBe(201);
    const { status, body } = await staff.get(`/quotes?id=eq.${id}&select=total_price::int`);
    expect([status, body.code, body.hint]).toEqual([400, '22003', expect.stringContaining('numeric')]);
    expect((await staff.get(`/quotes?id=eq.${id}&select=total_price::numeric`)).body).toEqual([
      { total_price: 1e12 },
    ]);
  });

  it('of a version named in milliseconds says to send the text that was read', async () => {
    const row = { ...aQuote(account), id: randomUUID() };
    expect((await customer.send('POST', '/quotes', row)).status).toBe(201);
    const [{ updated_at }] = (await customer.get(`/quotes?id=eq.${row.id}&select=updated_at`)).body;
    const path = (at: string) => `/quotes?id=eq.${row.id}&updated_at=eq.${encodeURIComponent(at)}`;
    const object = { accept: 'application/vnd.pgrst.object+json', prefer: 'return=representation' };
    const cut = `${new Date(updated_at).toISOString().slice(0, -2)}9Z`;
    const changed = await customer.send('PATCH', path(cut), { company: 'X' }, object);
    expect(changed.status).toBe(406);
    expect(changed.body.hint).toMatch(/^changed: .* updated_at exactly as it was read/);
    expect((await customer.send('PATCH', path(updated_at), { company: 'X' }, object)).status).toBe(200);
    const missed = await customer.send(
      'PATCH',
      `/quotes?id=eq.${row.id}&total_price=eq.48`,
      { company: 'Y' },
      object,
    );
    expect(missed.body.hint).toMatch(/^changed: .* Read it again\.$/);
  });
});

it('a compressed body is refused with 415 where it says so, and else with a hint', async () => {
  const send = async (path: string, headers: Record<string, string>) => {
    const response = await service.fetch(`/rest/v1${path}`, {
      method: 'POST',
      headers: { apikey: service.secretKey, 'content-type': 'application/json', ...headers },
      body: new Uint8Array(gzipSync(JSON.stringify(aGraphic()))),
    });
    const { status, headers: received } = response;
    return { status, accepts: received.get('accept-encoding'), ...((await response.json()) as object) };
  };
  for (const encoding of ['GZIP', 'deflate, gzip', 'br']) {
    for (const path of ['/graphics', '/rpc/duplicate_quote', '/rpc/next_quote_number']) {
      const refusal = { status: 415, code: 'PT415', accepts: 'identity' };
      expect(await send(path, { 'content-encoding': encoding })).toMatchObject(refusal);
    }
  }
  const hint = expect.stringContaining('UTF-8');
  expect(await send('/graphics', {})).toMatchObject({ status: 400, code: 'PGRST102', hint });
  const plain = await staff.send('POST', '/graphics', aGraphic(), { 'content-encoding': 'identity' });
  expect(plain.status).toBe(201);
});

it.each([
  ['an unknown collection', 'customer', '/shirts?select=*', 'PGRST205'],
  ['an unreadable column', 'customer', '/quotes?select=internal_notes', '42501'],
  ['an unknown schema', 'customer', '/', 'PGRST106'],
] as const)('the response to a failing HEAD has the code and the message of the error: %s', async (_, who, path, code) => {
  const headers = { prefer: 'count=exact', ...(path === '/' && { 'accept-profile': 'billing' }) };
  const head = await callers[who].send('HEAD', path, undefined, headers);
  const get = await callers[who].get(path, headers);
  expect([head.status, head.text]).toEqual([get.status, '']);
  expect(get.body.code).toBe(code);
  const details = [get.body.message, get.body.hint].filter(Boolean).join('. ').replaceAll('"', '\\"');
  for (const [reply, said] of [
    [head, `; details="${details}"`],
    [get, ''],
  ] as const) {
    expect(reply.headers.get('proxy-status')).toBe(`PostgREST; error=${code}${said}`);
    expect(reply.headers.get('access-control-expose-headers')).toContain('Proxy-Status');
  }
});
