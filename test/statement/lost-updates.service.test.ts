/** If-Match: a write never replaces a version that its client has not read. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { unwrittenHints } from '../../functions/failure/collection-rows.ts';
import { untilBlocked } from '../setup/locks.ts';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Reply, representation, useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const etagIn = ({ headers }: Reply): string => headers.get('etag') ?? 'none';
const ifMatch = (etag: string, more: object = {}) => ({ 'if-match': etag, ...more });

async function newQuote(owner = account): Promise<{ id: string; path: string; etag: string }> {
  const reply = await staff.send('POST', '/quotes', aQuote(owner), representation);
  const { id } = reply.body[0];
  return { id, path: `/quotes?id=eq.${id}`, etag: etagIn(reply) };
}

const sportOf = async (path: string): Promise<string> =>
  (await staff.get(`${path}&select=sport`)).body[0].sport;

describe('If-Match', () => {
  const refusal = (why: 'changed' | 'gone') => ({ code: 'PT412', hint: unwrittenHints[why] });

  it('accepts a chain of writes, each with the ETag of the one before', async () => {
    const { path, etag } = await newQuote();
    let last = etag;
    for (const sport of ['golf', 'polo', 'soccer']) {
      const reply = await customer.send('PATCH', path, { sport }, ifMatch(last));
      expect(reply.status).toBe(204);
      last = etagIn(reply);
    }
    for (const tags of [`W/${last}`, '*']) {
      expect((await customer.send('PATCH', path, { sport: 'judo' }, ifMatch(tags))).status).toBe(204);
    }
  });

  it.each<[string, (path: string, id: string, headers: Record<string, string>) => Promise<Reply>]>([
    ['PATCH', (path, _, headers) => customer.send('PATCH', path, { sport: 'golf' }, headers)],
    [
      'PUT',
      (path, id, headers) => customer.send('PUT', path, aQuote(account, { id, sport: 'golf' }), headers),
    ],
    ['DELETE', (path, _, headers) => customer.send('DELETE', path, undefined, headers)],
  ])('tells a changed row from a missing one, and a foreign row looks like a missing one: %s', async (_, send) => {
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

  it.each<[string, string, unknown, string]>([
    ['POST', '/quotes', aQuote(account), '"1-a"'],
    ['PATCH', '/quotes?sport=eq.none', { sport: 'golf' }, '"1-a"'],
    ['PATCH', `/quotes?id=not.eq.${randomUUID()}`, { sport: 'golf' }, '"1-a"'],
    ['GET', `/quotes?id=eq.${randomUUID()}`, undefined, '*'],
    ['PATCH', `/quotes?id=eq.${randomUUID()}`, [{ id: randomUUID(), sport: 'golf' }], '*'],
    ['PATCH', `/quotes?id=eq.${randomUUID()}`, { sport: 'golf' }, '1-a'],
  ])('is refused for any request but a write of one row by its key: %s %s', async (method, path, body, tags) => {
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
  expect(await waiting).toMatchObject({ status: 412, body: { hint: unwrittenHints.changed } });
  expect(await sportOf(path)).toBe('golf');
});
