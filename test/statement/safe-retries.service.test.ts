/** Idempotency-Key: a repeated POST writes once and gets the first response. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { untilBlocked } from '../setup/locks.ts';
import { useService } from '../setup/service.ts';
import { type Reply, representation, signIn, useCallers } from '../setup/wire.ts';
import { keyedQuotes } from './keyed-quotes.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const { withKey, newQuote, countOf } = keyedQuotes(account, staff);

const perRequest = ['x-request-id', 'server-timing', 'date'];
/** The parts of a response that don't differ between retries. */
const responseOf = ({ status, headers, text }: Reply) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !perRequest.includes(name)),
});

describe('a POST that is repeated with its key', () => {
  it.each([
    'return=representation',
    'return=minimal',
    'return=headers-only',
    'return=representation, count=exact',
    'return=representation, resolution=merge-duplicates',
    'return=representation, timezone=Asia/Tokyo',
  ])('gets the first response, and writes once: %s', async prefer => {
    const row = newQuote();
    const send = () =>
      customer.send('POST', '/quotes', row, withKey(`again ${prefer}`.replace(/ /g, '-'), { prefer }));
    const first = await send();
    expect(first.status).toBe(201);
    const again = [await send(), await send()];
    expect(first.headers.get('etag')).toMatch(/^"\d+-/);
    expect(again.map(responseOf)).toEqual([responseOf(first), responseOf(first)]);
    expect(await countOf(row)).toBe(1);
  });

  it('gets the first response in any media type', async () => {
    for (const accept of ['text/csv', 'application/vnd.pgrst.object+json;nulls=stripped']) {
      const row = newQuote();
      const headers = withKey(randomUUID(), { accept, ...representation });
      const first = await customer.send('POST', '/quotes', row, headers);
      expect(first.text).toContain(row.company);
      expect(responseOf(await customer.send('POST', '/quotes', row, headers))).toEqual(responseOf(first));
    }
  });

  it('gets the first response even if the row has changed since, is deleted, or the token is new', async () => {
    const row = newQuote();
    const headers = withKey(randomUUID(), representation);
    const first = await customer.send('POST', '/quotes', row, headers);
    const path = `/quotes?id=eq.${first.body[0].id}`;
    await customer.send('PATCH', path, { sport: 'golf' });
    expect(responseOf(await customer.send('POST', '/quotes', row, headers))).toEqual(responseOf(first));
    await customer.send('DELETE', path);
    const later = await signIn(service, { account, claims: { email: 'later@club.test' } });
    expect(responseOf(await later.send('POST', '/quotes', row, headers))).toEqual(responseOf(first));
    expect(await countOf(row)).toBe(0);
  });

  it('writes an array once', async () => {
    const rows = [newQuote(), newQuote()];
    const headers = withKey(randomUUID(), representation);
    const first = await customer.send('POST', '/quotes', rows, headers);
    expect(responseOf(await customer.send('POST', '/quotes', rows, headers))).toEqual(responseOf(first));
    expect(await Promise.all(rows.map(countOf))).toEqual([1, 1]);
  });

  it('twenty times at once writes one row, and has one response', async () => {
    const row = newQuote();
    const headers = withKey(randomUUID(), representation);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => customer.send('POST', '/quotes', row, headers)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(replies.map(reply => JSON.stringify(responseOf(reply)))).size).toBe(1);
    expect(await countOf(row)).toBe(1);
  });

  it('after a lost response writes one row', async () => {
    const row = newQuote();
    const headers = { ...service.headers(await service.token({ account })), ...withKey(randomUUID()) };
    const aborted = new AbortController();
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', prefer: 'return=representation' },
      body: JSON.stringify(row),
    };
    let lost: Promise<unknown> = Promise.resolve();
    await service.sql.begin(async holder => {
      await holder`lock table builder.quotes in exclusive mode`;
      lost = service.fetch('/rest/v1/quotes', { ...init, signal: aborted.signal }).catch(() => 'lost');
      await untilBlocked(service);
      aborted.abort();
      expect(await lost).toBe('lost');
    });
    const again = await service.fetch('/rest/v1/quotes', init);
    expect(again.status).toBe(201);
    expect(await again.json()).toMatchObject([{ company: row.company }]);
    expect(await countOf(row)).toBe(1);
  });
});
