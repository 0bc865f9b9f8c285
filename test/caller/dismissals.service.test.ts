/** A message to everyone is dismissed by each customer for itself: no shared row is written. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { everyone } from '../../schema/everyone.ts';
import { untilBlocked } from '../setup/locks.ts';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, representation, signIn, useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);
const { customer: other } = useCallers(service);

let system: number;
let own: number;
beforeEach(async () => {
  await service.sql`delete from builder.notifications`;
  const rows = [aNotification(everyone, { body: 'Closed on Monday' }), aNotification(account)];
  const { body } = await staff.send('POST', '/notifications?select=id', rows, representation);
  [system, own] = body.map(({ id }: { id: number }) => id);
});

type Sent = Record<string, string>;
const patch = (caller: Caller, query: string, dismissed = true, headers: Sent = representation) =>
  caller.send('PATCH', `/notifications?${query}`, { dismissed }, headers);
const dismissedOf = async (caller: Caller, id = system) =>
  (await caller.get(`/notifications?id=eq.${id}`)).body[0].dismissed;
const countOf = async (caller: Caller, dismissed: string) => {
  const { headers } = await caller.get(`/notifications?dismissed=${dismissed}`, { prefer: 'count=exact' });
  return headers.get('content-range');
};

describe('a customer who dismisses a message to everyone', () => {
  it('reads it as dismissed, in filters, counts, orders and by its id, while others and staff do not', async () => {
    const { status, body } = await patch(customer, `id=eq.${system}`);
    expect([status, body[0]]).toMatchObject([200, { id: system, account_id: everyone, dismissed: true }]);
    expect(await dismissedOf(customer)).toBe(true);
    expect(await countOf(customer, 'is.false')).toBe('0-0/1');
    expect(await countOf(customer, 'eq.true')).toBe('0-0/1');
    const ordered = await customer.get('/notifications?select=id&order=dismissed');
    expect(ordered.body.map(({ id }: { id: number }) => id)).toEqual([own, system]);
    const grouped = await customer.get('/notifications?select=dismissed,id.count()&order=dismissed');
    expect(grouped.body).toEqual([
      { dismissed: false, count: 1 },
      { dismissed: true, count: 1 },
    ]);
    for (const caller of [other, staff]) {
      expect(await dismissedOf(caller)).toBe(false);
    }
    const [row] = await service.sql`select dismissed from builder.notifications where id = ${system}`;
    expect(row?.['dismissed']).toBe(false);
  });

  it('dismisses all at once, with its own, and the badge reaches 0', async () => {
    expect((await patch(customer, 'dismissed=is.false')).body).toHaveLength(2);
    expect(await countOf(customer, 'is.false')).toBe('*/0');
    expect(await countOf(other, 'is.false')).toBe('0-0/1');
    expect((await patch(customer, 'dismissed=is.false')).body).toEqual([]);
  });

  it('dismisses twice at once without harm, and undoes it with tx=rollback', async () => {
    await patch(customer, `id=eq.${system}`, true, { prefer: 'tx=rollback' });
    expect(await dismissedOf(customer)).toBe(false);
    await Promise.all(Array.from({ length: 6 }, () => patch(customer, `id=eq.${system}`)));
    expect(await service.sql`select from builder.dismissals`).toHaveLength(1);
  });

  it('neither writes anything else of it nor deletes it', async () => {
    const path = `/notifications?id=eq.${system}`;
    expect(await customer.send('PATCH', path, { body: 'mine' })).toMatchObject({ status: 403 });
    const removed = await customer.send('DELETE', path, undefined, representation);
    expect([removed.status, removed.body]).toEqual([200, []]);
    expect(await dismissedOf(other)).toBe(false);
  });
});

describe('the version of a message to everyone', () => {
  const etagOf = async (caller: Caller) =>
    (await caller.get(`/notifications?id=eq.${system}`)).headers.get('etag') ?? '';

  it('changes for who dismisses it, and with each later change of the message', async () => {
    const before = await etagOf(customer);
    const others = await etagOf(other);
    await patch(customer, `id=eq.${system}`);
    const dismissed = await etagOf(customer);
    await staff.send('PATCH', `/notifications?id=eq.${system}`, { body: 'Closed on Tuesday' });
    const changed = await etagOf(customer);
    expect(new Set([before, dismissed, changed]).size).toBe(3);
    expect(others).toBe(before);
    const stale = await customer.get(`/notifications?id=eq.${system}`, { 'if-none-match': before });
    expect(stale.status).toBe(200);
  });

  it('is what If-Match compares, of its own messages too', async () => {
    for (const id of [system, own]) {
      const etag = (await customer.get(`/notifications?id=eq.${id}`)).headers.get('etag') ?? '';
      expect(await patch(customer, `id=eq.${id}`, true, { 'if-match': etag })).toMatchObject({ status: 204 });
      const stale = await patch(customer, `id=eq.${id}`, false, { 'if-match': etag });
      expect(stale.status).toBe(412);
      expect(await dismissedOf(customer, id)).toBe(true);
    }
  });

  it('is compared again after a write that If-Match had to wait for', async () => {
    const etag = (await customer.get(`/notifications?id=eq.${own}`)).headers.get('etag') ?? '';
    const { waiting } = await service.sql.begin(async first => {
      await first`update builder.notifications set dismissed = true where id = ${own}`;
      const waiting = patch(customer, `id=eq.${own}`, false, { 'if-match': etag });
      await untilBlocked(service);
      return { waiting };
    });
    expect(await waiting).toMatchObject({ status: 412 });
    expect(await dismissedOf(customer, own)).toBe(true);
  });
});

describe('a dismissal', () => {
  it('is of the user, and not of the teams it acts for', async () => {
    const team = randomUUID();
    const [ann, bob] = await Promise.all(
      [randomUUID(), randomUUID()].map(each => signIn(service, { account: each, also: [team] })),
    );
    if (!ann || !bob) throw new Error('not signed in');
    await patch(ann, `id=eq.${system}`);
    expect([await dismissedOf(ann), await dismissedOf(bob)]).toEqual([true, false]);
  });

  it('goes with its message, and with its address to everyone', async () => {
    await patch(customer, `id=eq.${system}`);
    await staff.send('PATCH', `/notifications?id=eq.${system}`, { account_id: account });
    expect(await dismissedOf(customer)).toBe(false);
    await staff.send('DELETE', `/notifications?id=eq.${system}`);
    expect(await service.sql`select from builder.dismissals`).toHaveLength(0);
  });
});
