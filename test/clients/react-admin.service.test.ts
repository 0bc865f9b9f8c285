/** Requests as react-admin's data provider for PostgREST writes them: a list that is filtered by several words. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Caller, callerOf, representation } from '../setup/wire.ts';

let service: Service;
let staff: Caller;
const names = ['Lion Head', 'Lion', 'Tiger Head', 'Head'];
beforeAll(async () => {
  service = await startService();
  staff = callerOf(service, service.secretKey, null);
  await staff.send(
    'POST',
    '/graphics',
    names.map(name => aGraphic({ name })),
  );
});
afterAll(() => service.stop());

/** Its query strings: one parameter for each word, encoded or not. */
const query = (words: string[]): string =>
  words.map((word, index) => `name${encodeURIComponent(`[${index}]`)}=ilike.*${word}*`).join('&');

describe('a list', () => {
  it.each([
    'name[0]=ilike.*lion*&name[1]=ilike.*head*',
    query(['lion', 'head']),
    query(['head', 'lion', 'i', 'o', 'n']),
    'name=ilike.*lion*&name[0]=ilike.*head*',
  ])('that is filtered by several words has the rows with all of them: %s', async filters => {
    const { status, body, headers } = await staff.get(`/graphics?${filters}&select=name&offset=0&limit=10`, {
      prefer: 'count=exact',
    });
    expect({ status, body, range: headers.get('content-range') }).toEqual({
      status: 200,
      body: [{ name: 'Lion Head' }],
      range: '0-0/1',
    });
  });

  it('goes on with the same filters on the next page', async () => {
    const first = await staff.get(`/graphics?${query(['i', 'o'])}&select=name&order=name&limit=1`);
    const next = /<.*(\?.*)>/.exec(first.headers.get('link') ?? '')?.[1];
    expect(first.body).toEqual([{ name: 'Lion' }]);
    expect((await staff.get(`/graphics${next}`)).body).toEqual([{ name: 'Lion Head' }]);
  });

  it('may have as many numbered filters as others, and no more', async () => {
    const words = (count: number) => Array<string>(count).fill('n');
    expect((await staff.get(`/graphics?${query(words(200))}`)).status).toBe(200);
    const { status, body } = await staff.get(`/graphics?${query(words(201))}`);
    expect([status, body.message]).toEqual([400, 'The request has too many filters']);
  });
});

describe('a numbered filter', () => {
  it('selects the row of a change, its version and a deletion as any other filter does', async () => {
    const { body } = await staff.send('POST', '/graphics', aGraphic(), representation);
    const path = `/graphics?id[0]=eq.${body[0].id}`;
    const read = await staff.get(path);
    const etag = read.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const changed = await staff.send(
      'PATCH',
      path,
      { name: 'Lynx' },
      { ...representation, 'if-match': etag },
    );
    expect(changed.body).toMatchObject([{ name: 'Lynx' }]);
    expect((await staff.send('PATCH', path, { name: 'Lion' }, { 'if-match': etag })).status).toBe(412);
    expect((await staff.send('DELETE', path, undefined, representation)).body).toHaveLength(1);
  });

  it('of a column that the caller may not read is refused', async () => {
    const token = await service.token({ account: randomUUID() });
    const customer = callerOf(service, service.publishableKey, token);
    const { status, body } = await customer.get('/quotes?internal_notes[0]=is.null');
    expect([status, body.code]).toEqual([403, '42501']);
  });

  it('of an unknown column names the nearest one', async () => {
    const { body } = await staff.get('/graphics?nmae[0]=eq.x');
    expect(body).toMatchObject({ code: '42703', hint: 'Perhaps you meant the column "graphics.name".' });
  });

  it.each([
    ['name[]', 'unexpected "]" expecting digit'],
    ['name[x]', 'unexpected "x" expecting digit'],
    ['name[0]x', "unexpected 'x' expecting end of input"],
    ['name[1000]', 'unexpected "0" expecting "]"'],
    ['name@0', /^unexpected '@' expecting letter/],
  ])('has a number and nothing else: %s', async (key, details) => {
    const { status, body } = await staff.get(`/graphics?${key}=eq.a`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'PGRST100', details: expect.stringMatching(details) });
    expect(body.message).toContain(`failed to parse tree path (${key})`);
  });
});
