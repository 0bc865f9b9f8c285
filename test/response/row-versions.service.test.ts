/** ETag and If-None-Match of single rows. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Reply, representation, useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const object = 'application/vnd.pgrst.object+json';
const etagIn = ({ headers }: Reply): string => headers.get('etag') ?? 'none';

async function newQuote(owner = account): Promise<{ id: string; path: string; etag: string }> {
  const reply = await staff.send('POST', '/quotes', aQuote(owner), representation);
  const { id } = reply.body[0];
  return { id, path: `/quotes?id=eq.${id}`, etag: etagIn(reply) };
}

describe('the ETag of a row', () => {
  it('is on every response about one row, and its version is the same until the row is written', async () => {
    const { path, etag } = await newQuote();
    const replies = [
      await customer.get(path),
      await customer.get(path, { accept: object }),
      await customer.get(`${path}&select=sport`, { accept: 'text/csv' }),
      await customer.send('HEAD', path),
    ];
    const version = etag.split('-')[0] ?? '';
    for (const reply of replies) {
      expect([reply.status, etagIn(reply).split('-')[0]]).toEqual([200, version]);
    }
    expect(etagIn(await customer.get(path))).toBe(etagIn(await customer.send('HEAD', path)));
  });

  it('of a write is that of the written row, whatever the response contains', async () => {
    const { path, etag } = await newQuote();
    const minimal = await customer.send('PATCH', path, { sport: 'golf' });
    expect(minimal.status).toBe(204);
    const read = etagIn(await customer.get(path));
    expect(read.split('-')[0]).toBe(etagIn(minimal).split('-')[0]);
    expect(read.split('-')[0]).not.toBe(etag.split('-')[0]);
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

describe('If-None-Match', () => {
  it('gets 304 without a body until the row changes', async () => {
    const { path } = await newQuote();
    const etag = etagIn(await customer.get(path));
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const reply = await customer.get(path, { 'if-none-match': tags });
      expect([reply.status, reply.text, etagIn(reply)]).toEqual([304, '', etag]);
      expect(reply.headers.get('vary')).toContain('Accept');
      expect(reply.headers.get('cache-control')).toBe('private, no-store');
      expect(reply.headers.get('content-range')).toBeNull();
    }
    await customer.send('PATCH', path, { sport: 'golf' });
    expect((await customer.get(path, { 'if-none-match': etag })).status).toBe(200);
  });
});
