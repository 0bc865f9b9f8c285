/** What a channel is sent by its bindings: events, filters and selections of columns. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sample } from '../setup/full-size.ts';
import { useService } from '../setup/service.ts';
import { everyone } from '../sql/roles.ts';
import { all, allQuotes, useWires } from './wire.ts';
import * as writes from './writes.ts';

const service = useService();
const wires = useWires(service);

let account: string;
beforeEach(() => {
  account = randomUUID();
});

const listen = async (bindings: object[]) => wires.listen(await service.token({ account }), { bindings });

const insertNotification = (owner: string, more?: object) =>
  writes.insertNotification(service.sql, owner, more);
const insertQuote = (owner: string, more?: object) => writes.insertQuote(service.sql, owner, more);

describe('a binding', () => {
  it('is sent only its events, and a change once with the ids of all bindings that it meets', async () => {
    const wire = await listen([
      { ...all, event: 'INSERT' },
      all,
      { ...all, event: 'DELETE' },
      { ...all, filter: 'dismissed=is.true' },
    ]);
    const id = await insertNotification(account);
    await wire.received(1);
    await service.sql`update builder.notifications set dismissed = true where id = ${id}`;
    await wire.received(2);
    await service.sql`delete from builder.notifications where id = ${id}`;
    const changes = await wire.received(3);
    expect(changes.map(({ ids }) => ids)).toEqual([
      [1, 2],
      [2, 4],
      [2, 3, 4],
    ]);
  });

  it.each(
    sample<[filter: string, quotes: string[]]>(4, [
      ['status=eq.draft', ['plain', 'rush', 'comma']],
      ['status=neq.draft', []],
      ['rush_order=eq.true', ['rush']],
      ['rush_order=is.true', ['rush']],
      ['company=in.(rush,comma)', ['rush']],
      ['company=eq."comma,eq"', ['comma']],
      ['company=not.eq.plain', ['rush', 'comma']],
      ['company=gte.q', ['rush']],
      ['rush_order=eq.false,company=eq.plain', ['plain']],
      ['roster_count=gt.5,roster_count=lt.20', ['rush']],
    ]),
  )('with the filter %s is sent the rows that meet it', async (filter, expected) => {
    const wire = await listen([{ ...allQuotes, filter }, all]);
    await insertQuote(account, { company: 'plain', roster_count: 5 });
    await insertQuote(account, { company: 'rush', rush_order: true, roster_count: 10 });
    await insertQuote(account, { company: 'comma,eq', roster_count: 20 });
    const [changes = []] = await writes.settle(service.sql, wire);
    expect(changes.map(({ data }) => String(data.record?.['company']).split(',')[0]).sort()).toEqual(
      expected.sort(),
    );
  });

  it('is sent deletes if it filters by account or key', async () => {
    const id = await insertQuote(account);
    const other = await insertQuote(account);
    const wire = await listen([
      { ...allQuotes, filter: `id=eq.${id}` },
      { ...allQuotes, filter: `account_id=eq.${account.toUpperCase()}` },
      { ...allQuotes, filter: `account_id=neq.${account}` },
      { ...allQuotes, filter: `id=in.(${other},${randomUUID()})` },
      all,
    ]);
    await service.sql`delete from builder.quotes where id = ${id}`;
    await service.sql`delete from builder.quotes where id = ${other}`;
    const [changes = []] = await writes.settle(service.sql, wire);
    expect(changes.map(({ ids }) => ids)).toEqual([
      [1, 2],
      [2, 4],
    ]);
  });

  it('by account is sent rows of everyone only if it names that account too', async () => {
    const wire = await listen([
      { ...all, filter: `account_id=eq.${account}` },
      { ...all, filter: `account_id=in.(${account},${everyone})` },
    ]);
    await insertNotification(everyone);
    await insertNotification(account);
    const changes = await wire.received(2);
    expect(changes.map(({ ids }) => ids)).toEqual([[2], [1, 2]]);
  });

  it('that selects columns is sent only these', async () => {
    const wire = await listen([{ ...allQuotes, select: ['id', 'status'] }, allQuotes]);
    const id = await insertQuote(account);
    const changes = await wire.received(2);
    const [some, whole] = changes;
    expect(some?.ids).toEqual([1]);
    expect(some?.data.record).toEqual({ id, status: 'draft' });
    expect(some?.data.columns).toEqual([
      { name: 'id', type: 'uuid' },
      { name: 'status', type: 'text' },
    ]);
    expect(Object.keys(whole?.data.record ?? {}).length).toBeGreaterThan(20);
  });

  it('without a table is sent changes of all', async () => {
    const wire = await listen([{ event: '*', schema: 'public' }]);
    await insertQuote(account);
    await insertNotification(account);
    const changes = await wire.received(2);
    expect(changes.map(({ data }) => data.table).sort()).toEqual(['notifications', 'quotes']);
  });
});
