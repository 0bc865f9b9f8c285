/**
 * Requests as other clients write them, after their published sources, since neither npm nor Debian has them: the node for
 * Supabase of n8n (https://github.com/n8n-io/n8n, packages/nodes-base/nodes/Supabase), and supabase-py
 * (https://github.com/supabase/supabase-py, src/postgrest).
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { representation, useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { customer, staff } = useCallers(service, account);
const rows = [
  aGraphic({ name: 'Lion', width: '3', tags: ['cat', 'big'] }),
  aGraphic({ name: 'Head, (big)', width: '5', tags: ['cat', 'big'] }),
];
/** supabase-py sends both profiles and a content type with every request, and `{}` as the body of a DELETE. */
const profiles = { 'accept-profile': 'public', 'content-profile': 'public' };
const ofPython = { 'content-type': 'application/json', ...profiles };
const columns = Object.keys(rows[0] ?? {}).map(name => `"${name}"`);
const inserts = `/graphics?${new URLSearchParams({ on_conflict: 'code', columns: columns.join() })}`;
beforeAll(async () => {
  const prefer = 'return=representation,resolution=merge-duplicates,count=exact';
  const made = await staff.send('POST', inserts, rows, { ...ofPython, prefer });
  expect([made.status, made.headers.get('content-range')]).toEqual([201, '*/2']);
});

describe('supabase-py', () => {
  it.each<[call: string, name: string, value: string, count: number]>([
    ["eq('is_active', True)", 'is_active', 'eq.True', 2],
    ["is_('is_active', False)", 'is_active', 'is.False', 0],
    ["in_('name', ['Head, (big)', 'B'])", 'name', 'in.("Head, (big)",B)', 1],
    ["contains('tags', ['big', 'cat'])", 'tags', 'cs.{big,cat}', 2],
    ["gte('created_at', a datetime)", 'created_at', 'gte.2020-05-20 10:00:00.123456+00:00', 2],
    ["ilike_any_of('name', 'l%,x%')", 'name', 'ilike(any).{l%,x%}', 1],
  ])('%s finds rows, and counts them', async (_, name, value, count) => {
    const order = 'width.desc.nullslast';
    const query = new URLSearchParams({ select: 'id', [name]: value, order, limit: '1' });
    const found = await staff.get(`/graphics?${query}`, { ...ofPython, prefer: 'count=exact' });
    expect(found.headers.get('content-range')).toMatch(new RegExp(`/${count}$`));
  });

  it("contains('customization', a dict) finds quotes, and delete() has a body", async () => {
    const [{ id }] = (await customer.send('POST', '/quotes', aQuote(account), representation)).body;
    const query = new URLSearchParams({ select: 'id', customization: 'cs.{"team": "Lions"}' });
    expect((await customer.get(`/quotes?${query}`, ofPython)).body).toEqual([{ id }]);
    expect((await customer.send('DELETE', `/quotes?id=eq.${id}`, {}, ofPython)).status).toBe(204);
  });
});

describe('the node of n8n', () => {
  it('lists the tables, and the columns of one with their types', async () => {
    const { paths, definitions } = (await staff.get('/', representation)).body;
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(collections.map(({ name }) => `/${name}`)));
    expect(definitions.graphics.properties).toMatchObject({
      code: { type: 'string' },
      width: { type: 'integer' },
      is_active: { type: 'boolean' },
      tags: { type: 'array' },
    });
  });

  it.each<[method: string, query: string, body: object | undefined, count: number]>([
    ['GET', '?name=ilike.l*&width=eq.3&limit=50', undefined, 1],
    ['GET', '?or=%28name.eq.Lion%2Cwidth.gte.5%29&limit=50', undefined, 2],
    ['GET', `?${encodeURI('name=eq.Lion&is_active=is.true')}`, undefined, 1],
    ['PATCH', '?or=%28name.eq.Lion%29', { height: '7' }, 1],
    ['DELETE', '?name=plfts.lion', undefined, 1],
  ])('%s /graphics%s returns rows', async (method, query, body, count) => {
    const reply = await staff.send(method, `/graphics${query}`, body, representation);
    expect([reply.status, reply.body]).toEqual([200, Array(count).fill(expect.any(Object))]);
  });
});
