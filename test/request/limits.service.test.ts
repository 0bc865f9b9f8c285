/** Limits of requests, and database errors whose own words would reveal too much. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { untilBlocked } from '../setup/locks.ts';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

describe('a count', () => {
  it('by the planner is exact for a customer, so that it reveals nothing of other accounts', async () => {
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
});

/** Two quotes that every scan reads in this order: that of their ids, and that of their places in the table. */
async function insertInOrder(): Promise<[string, string]> {
  for (;;) {
    const ids = [randomUUID(), randomUUID()].sort() as [string, string];
    await staff.send(
      'POST',
      '/quotes',
      ids.map(id => aQuote(account, { id })),
    );
    const [row] =
      await service.sql`select id from builder.quotes where id in ${service.sql(ids)} order by ctid`;
    if (row?.['id'] === ids[0]) {
      return ids;
    }
  }
}

describe('a deadlock', () => {
  it('is a 503 with a message of this service, to try again', async () => {
    const [first, second] = await insertInOrder();
    // The other transaction locks the second row first, and leaves it to the request to notice that each waits for the other.
    const reply = await service.sql.begin(async other => {
      await other`set local deadlock_timeout = '1min'`;
      await other`update builder.quotes set sport = 'golf' where id = ${second}`;
      const request = staff.send('PATCH', `/quotes?id=in.(${first},${second})`, { sport: 'polo' });
      await untilBlocked(service);
      await other`update builder.quotes set sport = 'golf' where id = ${first}`;
      return request;
    });
    expect(reply.status, reply.text).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(reply.body).toMatchObject({
      code: '40P01',
      message: expect.stringContaining('try again'),
      details: null,
    });
  });
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
