/** An Idempotency-Key is valid for one caller, one request and one day. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { untilBlocked } from '../setup/locks.ts';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Reply, representation, signIn, useCallers } from '../setup/wire.ts';
import { keyedQuotes } from './keyed-quotes.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const { withKey, newQuote, countOf } = keyedQuotes(account, staff);

describe('another request with the same key', () => {
  it.each<[string, (row: object, key: string) => Promise<Reply>]>([
    ['another body', (row, key) => customer.send('POST', '/quotes', { ...row, sport: 'golf' }, withKey(key))],
    ['another query', (row, key) => customer.send('POST', '/quotes?select=id', row, withKey(key))],
    ['another Prefer', (row, key) => customer.send('POST', '/quotes', row, withKey(key, representation))],
    [
      'another Accept',
      (row, key) => customer.send('POST', '/quotes', row, withKey(key, { accept: 'text/csv' })),
    ],
  ])('is refused, and writes nothing: %s', async (_, send) => {
    const row = newQuote();
    const key = randomUUID();
    expect((await customer.send('POST', '/quotes', row, withKey(key))).status).toBe(201);
    const reply = await send(row, key);
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        code: 'PT422',
        message: 'The Idempotency-Key was used for another request, so nothing was written',
        details: 'The body, the path, the query or a header of the first request with this key was another.',
        hint: 'Send a retry unchanged, and every new request with a key of its own.',
      },
    ]);
    expect(await countOf(row)).toBe(1);
  });

  it('is refused for another collection', async () => {
    const key = randomUUID();
    expect((await staff.send('POST', '/graphics', aGraphic(), withKey(key))).status).toBe(201);
    expect((await staff.send('POST', '/quotes', newQuote(), withKey(key))).status).toBe(422);
  });
});

describe('a key', () => {
  it('belongs to its caller: others may use the same and learn nothing from it', async () => {
    const key = randomUUID();
    const row = newQuote();
    const other = await signIn(service, { account: randomUUID(), also: [account] });
    const asStaff = await signIn(service, { account, staff: true });
    const callers = [customer, other, asStaff, staff];
    const replies: Reply[] = [];
    for (const caller of callers) {
      replies.push(await caller.send('POST', '/quotes?select=id', row, withKey(key, representation)));
    }
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(4);
    expect(await countOf(row)).toBe(4);
  });

  it('can be used again after a failure', async () => {
    const key = randomUUID();
    const row = newQuote();
    const foreign = await customer.send(
      'POST',
      '/quotes',
      { ...row, account_id: randomUUID() },
      withKey(key),
    );
    expect(foreign.status).toBe(403);
    const invalid = await customer.send('POST', '/quotes', { ...row, sport: null }, withKey(key));
    expect(invalid.status).toBe(400);
    expect((await customer.send('POST', '/quotes', row, withKey(key))).status).toBe(201);
    expect(await countOf(row)).toBe(1);
  });

  it('can be used by a waiting request when the first one fails', async () => {
    const key = randomUUID();
    const graphic = aGraphic();
    let waiting: Promise<Reply>[] = [];
    const undone = service.sql.begin(async first => {
      await first`insert into builder.graphics ${first({ ...graphic })}`;
      waiting = [1, 2].map(() => staff.send('POST', '/graphics', graphic, withKey(key)));
      await untilBlocked(service, 2);
      throw new Error('given up');
    });
    await expect(undone).rejects.toThrow('given up');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201]);
    const found = await staff.get(`/graphics?select=id&code=eq.${graphic.code}`);
    expect(found.body).toHaveLength(1);
  });

  it('is not stored by a write that is rolled back', async () => {
    const key = randomUUID();
    const row = newQuote();
    const rolledBack = withKey(key, { prefer: 'return=representation, tx=rollback' });
    expect((await customer.send('POST', '/quotes', row, rolledBack)).status).toBe(201);
    expect(await countOf(row)).toBe(0);
    expect((await customer.send('POST', '/quotes', row, withKey(key))).status).toBe(201);
  });

  it.each(['', 'with space', 'x'.repeat(256), 'ñ'])('is refused when it is invalid: %s', async key => {
    const reply = await customer.send('POST', '/quotes', newQuote(), withKey(key));
    expect([reply.status, reply.body.code, reply.body.details]).toEqual([
      400,
      'PT400',
      'It must have 1 to 255 visible ASCII characters.',
    ]);
  });

  it('may have 255 characters, and is ignored on other methods', async () => {
    const key = '~'.repeat(255);
    const row = newQuote();
    const made = await customer.send('POST', '/quotes', row, withKey(key, representation));
    expect(made.status).toBe(201);
    const path = `/quotes?id=eq.${made.body[0].id}`;
    expect((await customer.send('PATCH', path, { sport: 'golf' }, withKey(key))).status).toBe(204);
  });

  it('is deleted by the sweep after a day', async () => {
    const [old, recent] = [randomUUID(), randomUUID()];
    for (const key of [old, recent]) {
      await customer.send('POST', '/quotes', newQuote(), withKey(key));
    }
    const age = (key: string, hours: number) => service.sql`
      update builder.idempotency_keys set created_at = now() - ${hours} * interval '1 hour' where key = ${key}`;
    await age(old, 24);
    await age(recent, 23);
    await service.sweep();
    const retry = async (key: string) =>
      (await customer.send('POST', '/quotes', newQuote(), withKey(key))).status;
    expect([await retry(old), await retry(recent)]).toEqual([201, 422]);
    await expect.poll(() => service.logs.join()).toMatch(/keys_forgotten\D+1\b/);
  });
});
