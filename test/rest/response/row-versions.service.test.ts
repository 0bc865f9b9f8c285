/** ETag, If-None-Match and If-Match of single rows: a write never replaces a version that its client has not read. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { unwrittenHint } from '../../../functions/common/failure/collection-failures.ts';
import { untilBlocked } from '../../setup/locks.ts';
import { aNotification, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Reply, representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const object = 'application/vnd.pgrst.object+json';
/** A tag without what it says of the representation. */
const versionIn = (etag: string): string => etag.slice(0, etag.lastIndexOf('-'));
const etagIn = ({ headers }: Reply): string => headers.get('etag') ?? 'none';

async function newQuote(owner = account): Promise<{ id: string; path: string; etag: string }> {
  const reply = await staff.send('POST', '/quotes', aQuote(owner), representation);
  const { id } = reply.body[0];
  return { id, path: `/quotes?id=eq.${id}`, etag: etagIn(reply) };
}
const ifMatch = (etag: string, more: object = {}) => ({ 'if-match': etag, ...more });

describe('the ETag of a row', () => {
  it('is on every response about one row, and its version is the same until the row is written', async () => {
    const { path, etag } = await newQuote();
    const replies = [
      await customer.get(path),
      await customer.get(path, { accept: object }),
      await customer.get(`${path}&select=sport`, { accept: 'text/csv' }),
      await customer.send('HEAD', path),
    ];
    const version = versionIn(etag);
    for (const reply of replies) {
      expect([reply.status, versionIn(etagIn(reply))]).toEqual([200, version]);
    }
    expect(etagIn(await customer.get(path))).toBe(etagIn(await customer.send('HEAD', path)));
  });

  it('of a write is that of the written row, whatever the response contains', async () => {
    const { path, etag } = await newQuote();
    const minimal = await customer.send('PATCH', path, { sport: 'golf' });
    expect(minimal.status).toBe(204);
    const read = etagIn(await customer.get(path));
    expect(versionIn(read)).toBe(versionIn(etagIn(minimal)));
    expect(versionIn(read)).not.toBe(versionIn(etag));
    const written = await customer.send('PATCH', path, { sport: 'polo' }, representation);
    expect(etagIn(written)).toBe(etagIn(await customer.get(path)));
  });

  it('differs between media types, time zones, null handling and sets of columns', async () => {
    const { path } = await newQuote();
    const json = await customer.get(path);
    const others = [
      await staff.get(path),
      await customer.get(path, { accept: object }),
      await customer.get(path, { accept: 'text/csv' }),
      await customer.get(path, { prefer: 'timezone=Asia/Tokyo' }),
    ];
    const tags = [json, ...others].map(etagIn);
    expect(new Set(tags).size).toBe(tags.length);
    expect(tags).not.toContain('none');
  });

  it('is absent for a list, an aggregate, no row, a removed row and a write that is rolled back', async () => {
    const { path } = await newQuote();
    const note = await staff.send('POST', '/notifications', aNotification(account), representation);
    const replies = [
      await customer.get('/quotes?sport=eq.baseball'),
      await customer.get(`${path}&select=count()`),
      await customer.get(`/quotes?id=eq.${randomUUID()}`),
      await customer.send('PATCH', path, { sport: 'golf' }, { prefer: 'tx=rollback' }),
      await customer.send('DELETE', `/notifications?id=eq.${note.body[0].id}`),
    ];
    expect(replies.map(etagIn)).toEqual(replies.map(() => 'none'));
    expect(etagIn(note)).not.toBe('none');
  });
});

it('If-None-Match gets 304 without a body until the row changes', async () => {
  const { path } = await newQuote();
  const etag = etagIn(await customer.get(path));
  for (const tags of [etag, `W/${etag}`, `"x, y" ,W/${etag},  "z"`, '*']) {
    const reply = await customer.get(path, { 'if-none-match': tags });
    expect([reply.status, reply.text, etagIn(reply)]).toEqual([304, '', etag]);
    expect(reply.headers.get('vary')).toContain('Accept');
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
    expect(reply.headers.get('content-range')).toBeNull();
  }
  const others = [etag.slice(1, -1), etag.slice(0, -1), `${etag} "b"`, `w/${etag}`, `${etag}, *`, '"x"', ','];
  for (const tags of others) {
    expect([tags, (await customer.get(path, { 'if-none-match': tags })).status]).toEqual([tags, 200]);
  }
  await customer.send('PATCH', path, { sport: 'golf' });
  expect((await customer.get(path, { 'if-none-match': etag })).status).toBe(200);
  expect((await customer.send('PATCH', path, { sport: 'polo' }, { 'if-none-match': '*' })).status).toBe(400);
});

const sportOf = async (path: string): Promise<string> =>
  (await staff.get(`${path}&select=sport`)).body[0].sport;

describe('If-Match', () => {
  const refusal = (why: 'changed' | 'gone') => ({ code: 'PT412', hint: unwrittenHint(why) });

  it('accepts a chain of writes, each with the ETag of the one before, and no version that the row never had', async () => {
    const { id, path, etag } = await newQuote();
    let last = etag;
    for (const tags of ['<etag>', '<etag>', 'W/<etag>', '"1-a", <etag>', '*']) {
      const headers = ifMatch(tags.replace('<etag>', last));
      const reply = await customer.send('PATCH', path, { sport: tags }, headers);
      expect([tags, reply.status]).toEqual([tags, 204]);
      last = etagIn(reply);
    }
    const nothing = await customer.send(
      'PATCH',
      `${path}&select=id&order=sport`,
      {},
      ifMatch('*', representation),
    );
    expect([nothing.status, nothing.body]).toEqual([200, []]);
    const other = await newQuote();
    for (const tags of [etag, other.etag, '"741"', `"1-${id}-a"`, '"1-%-a"', '"1-%00-a"', `"1'-a"`]) {
      const reply = await customer.send('PATCH', path, { sport: 'golf' }, ifMatch(tags));
      expect([tags, reply.status]).toEqual([tags, 412]);
    }
  });

  it.each<[string, (path: string, id: string, headers: Record<string, string>) => Promise<Reply>]>([
    ['PATCH', (path, _, headers) => customer.send('PATCH', path, { sport: 'golf' }, headers)],
    ['PUT', (path, id, headers) => customer.send('PUT', path, aQuote(account, { id }), headers)],
    ['DELETE', (path, _, headers) => customer.send('DELETE', path, undefined, headers)],
  ])('distinguishes a changed row from a missing one, and a foreign row looks like a missing one: %s', async (_, send) => {
    const stale = await newQuote();
    await staff.send('PATCH', stale.path, { sport: 'polo' });
    const deleted = await newQuote();
    await customer.send('DELETE', deleted.path);
    const foreign = await newQuote(randomUUID());
    const none = { id: randomUUID(), etag: foreign.etag };
    for (const { id, etag } of [stale, deleted, foreign, none]) {
      const reply = await send(`/quotes?id=eq.${id}`, id, ifMatch(etag));
      expect(reply).toMatchObject({ status: 412, body: refusal(id === stale.id ? 'changed' : 'gone') });
    }
    for (const { id } of [deleted, foreign, none]) {
      const reply = await send(`/quotes?id=eq.${id}`, id, ifMatch('*'));
      expect(reply).toMatchObject({ status: 412, body: refusal('gone') });
    }
    expect(await sportOf(stale.path)).toBe('polo');
    expect((await staff.get(`/quotes?select=id&id=eq.${none.id}`)).body).toEqual([]);
  });

  it('accepts the current version for PUT and DELETE', async () => {
    const { id, path, etag } = await newQuote();
    const row = aQuote(account, { id, sport: 'golf' });
    const put = await customer.send('PUT', path, row, ifMatch(etag, representation));
    expect([put.status, put.body[0].sport]).toEqual([200, 'golf']);
    expect((await customer.send('DELETE', path, undefined, ifMatch(etagIn(put)))).status).toBe(204);
  });

  it.each<[method: string, path: string, tags: string, body?: unknown]>([
    ['POST', '/quotes', '"1-a"', aQuote(account)],
    ['PATCH', '/quotes?sport=eq.none', '"1-a"', { sport: 'golf' }],
    ['PATCH', `/quotes?id=not.eq.${randomUUID()}`, '"1-a"', { sport: 'golf' }],
    ['GET', `/quotes?id=eq.${randomUUID()}`, '*'],
    ['PATCH', `/quotes?id=eq.${randomUUID()}`, '*', [{ id: randomUUID(), sport: 'golf' }]],
    ...['1-a', '"1-a', '"a" "b"'].map((tags): [string, string, string, unknown] => {
      return ['PATCH', `/quotes?id=eq.${randomUUID()}`, tags, { sport: 'golf' }];
    }),
  ])('is refused for any request but a write of one row by its key, and when it is malformed: %s %s with %s', async (method, path, tags, body) => {
    const reply = await customer.send(method, path, body, ifMatch(tags));
    expect([reply.status, reply.body.code]).toEqual([400, 'PT400']);
  });
});

it('of two concurrent saves with If-Match, the one that waits for the other is refused and writes nothing', async () => {
  const { id, path, etag } = await newQuote();
  const { waiting } = await service.sql.begin(async first => {
    await first`update builder.quotes set sport = 'golf' where id = ${id}`;
    const waiting = customer.send('PATCH', path, { sport: 'polo' }, ifMatch(etag));
    await untilBlocked(service);
    return { waiting };
  });
  expect(await waiting).toMatchObject({
    status: 412,
    body: { hint: unwrittenHint('changed') },
  });
  expect(await sportOf(path)).toBe('golf');
});
