/**
 * What a channel is sent by its bindings: events, filters and selections of columns.
 * @module-tag live
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { everyone } from '../../schema/everyone.ts';
import { useService } from '../setup/service.ts';
import { all, allQuotes, useLive } from './wire.ts';

const service = useService();
const live = useLive(service);

describe('a binding', () => {
  it('is sent only its events, and a change once with the ids of all bindings that it meets', async () => {
    const dismissed = { ...all, filter: 'dismissed=is.true' };
    const bindings = [{ ...all, event: 'INSERT' }, all, { ...all, event: 'DELETE' }, dismissed];
    const wire = await live.listen({ bindings });
    const id = await live.insert();
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

  it.each<[filter: string, quotes: string[]]>([
    ['rush_order=eq.true', ['rush']],
    ['company=in.(rush,comma)', ['rush']],
    ['company=eq."comma,eq"', ['comma']],
    ['roster_count=gt.5,roster_count=lt.20', ['rush']],
  ])('with the filter %s is sent the rows that meet it', async (filter, expected) => {
    const wire = await live.listen({ bindings: [{ ...allQuotes, filter }, all] });
    await live.insertQuote({ company: 'plain', roster_count: 5 });
    await live.insertQuote({ company: 'rush', rush_order: true, roster_count: 10 });
    await live.insertQuote({ company: 'comma,eq', roster_count: 20 });
    const [changes = []] = await live.settle(wire);
    const companies = changes.map(({ data }) => String(data.record?.['company']).split(',')[0]);
    expect(companies.sort()).toEqual(expected.sort());
  });

  it('is sent deletes if it filters by account or key', async () => {
    const [id, other] = [await live.insertQuote(), await live.insertQuote()];
    const filters = [
      `id=eq.${id}`,
      `account_id=eq.${live.account.toUpperCase()}`,
      `id=in.(${other},${randomUUID()})`,
      `account_id=eq.${live.account},id=eq.${id}`,
    ];
    const wire = await live.listen({ bindings: [...filters.map(filter => ({ ...allQuotes, filter })), all] });
    await service.sql`delete from builder.quotes where id = ${id}`;
    await service.sql`delete from builder.quotes where id = ${other}`;
    const [changes = []] = await live.settle(wire);
    expect(changes.map(({ ids }) => ids)).toEqual([
      [1, 2, 4],
      [2, 3],
    ]);
  });

  it('by account is sent rows of everyone only if it names that account too', async () => {
    const { account } = live;
    const filters = [`account_id=eq.${account}`, `account_id=in.(${account},${everyone})`];
    const wire = await live.listen({ bindings: filters.map(filter => ({ ...all, filter })) });
    await live.insert({}, everyone);
    await live.insert();
    expect((await wire.received(2)).map(({ ids }) => ids)).toEqual([[2], [1, 2]]);
  });

  it('that selects columns is sent only these', async () => {
    const selections = [['id', 'status'], ['id'], null];
    const wire = await live.listen({ bindings: selections.map(select => ({ ...allQuotes, select })) });
    const id = await live.insertQuote();
    const [some, one, whole] = await wire.received(3);
    expect(some?.ids).toEqual([1]);
    expect(some?.data.record).toEqual({ id, status: 'draft' });
    expect(one?.data.record).toEqual({ id });
    expect(some?.data.columns).toEqual([
      { name: 'id', type: 'uuid' },
      { name: 'status', type: 'text' },
    ]);
    expect(Object.keys(whole?.data.record ?? {}).length).toBeGreaterThan(20);
  });

  it('without a table is sent changes of all', async () => {
    const wire = await live.listen({ bindings: [{ event: '*', schema: 'public' }] });
    await live.insertQuote();
    await live.insert();
    const changes = await wire.received(2);
    expect(changes.map(({ data }) => data.table).sort()).toEqual(['notifications', 'quotes']);
  });
});
