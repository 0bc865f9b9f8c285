/**
 * The requests of n8n's node for Supabase, as it sends them
 * (https://github.com/n8n-io/n8n/tree/master/packages/nodes-base/nodes/Supabase): always with `Prefer: return=representation`,
 * filters as parameters or together in `or`, and new rows in an array.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';

const service = useService();

interface Row {
  [name: string]: unknown;
}

async function request<T = Row[]>(
  method: string,
  resource: string,
  body: object = {},
  qs: Record<string, string> = {},
) {
  const query = new URLSearchParams(qs).toString();
  const hasBody = Object.keys(body).length > 0;
  const response = await service.fetch(`/rest/v1${resource}${query && `?${query}`}`, {
    method,
    headers: {
      accept: 'application/json',
      prefer: 'return=representation',
      apikey: service.secretKey,
      authorization: `Bearer ${service.secretKey}`,
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as T;
}

describe('the Supabase node of n8n', () => {
  it('lists the tables, and the columns of one with their types', async () => {
    const { paths } = await request<{ paths: object }>('GET', '/');
    for (const { name } of collections) {
      expect(Object.keys(paths)).toContain(`/${name}`);
    }
    type Definitions = Record<string, { properties: Record<string, { type?: string }> }>;
    const { definitions } = await request<{ definitions: Definitions }>('GET', '/');
    const { properties } = definitions['graphics'] ?? { properties: {} };
    expect(Object.entries(properties).map(([name, { type }]) => `${name} - (${type})`)).toEqual(
      expect.arrayContaining([
        'code - (string)',
        'width - (integer)',
        'is_active - (boolean)',
        'tags - (array)',
      ]),
    );
  });

  it('creates rows, and finds, updates and deletes them by filters that it builds', async () => {
    const made = await request('POST', '/graphics', [
      aGraphic({ name: 'A', width: '3' }),
      aGraphic({ name: 'B', width: '5' }),
    ]);
    expect(made.map(({ name }) => name)).toEqual(['A', 'B']);
    const [{ id, code } = {}, other = {}] = made;
    expect(
      await request('GET', '/graphics', {}, { code: `eq.${code}`, name: 'ilike.a*', limit: '50' }),
    ).toHaveLength(1);
    const either = { or: `(code.eq.${code},width.gte.5)`, limit: '50' };
    expect(await request('GET', '/graphics', {}, either)).toHaveLength(2);
    expect(await request('GET', `/graphics?${encodeURI(`code=eq.${code}&is_active=is.true`)}`)).toHaveLength(
      1,
    );
    expect(await request('PATCH', '/graphics', { name: 'C' }, { id: `eq.${id}` })).toMatchObject([
      { name: 'C' },
    ]);
    expect(await request('PATCH', '/graphics', { height: '7' }, { or: `(id.eq.${id})` })).toMatchObject([
      { height: 7 },
    ]);
    expect(await request('DELETE', '/graphics', {}, { id: `eq.${other['id']}` })).toMatchObject([
      { name: 'B' },
    ]);
    expect(await request('GET', '/graphics', {}, either)).toHaveLength(1);
  });

  it('creates a quote, and searches its text', async () => {
    const account = randomUUID();
    const [quote] = await request('POST', '/quotes', [
      aQuote(account, { customer_notes: 'two running lions' }),
    ]);
    const [found] = await request('GET', '/quotes', {}, { customer_notes: 'plfts.running', limit: '1' });
    expect(found?.['id']).toBe(quote?.['id']);
  });
});
