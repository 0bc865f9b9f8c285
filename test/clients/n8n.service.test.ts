/**
 * The requests of n8n's node for Supabase, as it sends them
 * (https://github.com/n8n-io/n8n/tree/master/packages/nodes-base/nodes/Supabase): always with `Prefer: return=representation`,
 * filters as parameters or together in `or`, and new rows in an array.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { representation, useCallers } from '../setup/wire.ts';

const service = useService();

const { staff } = useCallers(service);

/** As the node does: `Prefer: return=representation` on every request, and parameters encoded as in a form. */
async function request(
  method: string,
  resource: string,
  body?: object,
  parameters: Record<string, string> = {},
) {
  const query = new URLSearchParams(parameters).toString();
  const reply = await staff.send(method, `${resource}${query && `?${query}`}`, body, representation);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
}

it('the Supabase node of n8n lists the tables, and the columns of one with their types', async () => {
  const { paths, definitions } = await request('GET', '/');
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(collections.map(({ name }) => `/${name}`)));
  expect(definitions.graphics.properties).toMatchObject({
    code: { type: 'string' },
    width: { type: 'integer' },
    is_active: { type: 'boolean' },
    tags: { type: 'array' },
  });
});

it('the Supabase node of n8n creates rows, and finds, updates and deletes them by filters that it builds', async () => {
  const rows = [aGraphic({ name: 'A', width: '3' }), aGraphic({ name: 'B', width: '5' })];
  const [{ id, code }, other] = await request('POST', '/graphics', rows);
  const one = { code: `eq.${code}`, name: 'ilike.a*', limit: '50' };
  const either = { or: `(code.eq.${code},width.gte.5)`, limit: '50' };
  expect(await request('GET', '/graphics', undefined, one)).toHaveLength(1);
  expect(await request('GET', '/graphics', undefined, either)).toHaveLength(2);
  expect(await request('GET', `/graphics?${encodeURI(`code=eq.${code}&is_active=is.true`)}`)).toHaveLength(1);
  const changed = await request('PATCH', '/graphics', { height: '7' }, { or: `(id.eq.${id})` });
  expect(changed).toMatchObject([{ height: 7 }]);
  const deleted = await request('DELETE', '/graphics', undefined, { id: `eq.${other.id}` });
  expect(deleted).toMatchObject([{ name: 'B' }]);
});

it('the Supabase node of n8n creates a quote, and searches its text', async () => {
  const quote = aQuote(randomUUID(), { customer_notes: 'two running lions' });
  const [{ id }] = await request('POST', '/quotes', [quote]);
  const found = await request('GET', '/quotes', undefined, { customer_notes: 'plfts.running', limit: '1' });
  expect(found).toMatchObject([{ id }]);
});
