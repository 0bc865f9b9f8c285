import { describe, expect, it } from 'vitest';
import { castTypeNames } from '../../functions/plan/cast-types.ts';
import { nearest } from '../../functions/plan/nearest.ts';
import { quotes } from '../../schema/quotes.ts';
import { planOf, quote, staff, type TestRequest } from './plan-of.ts';

const columns = ['id', 'code', 'name', 'width', 'height', 'file_size', 'file_url', 'sort_order'];

describe('the names nearest to a misspelt one', () => {
  it.each([
    '',
    'zzzzzz',
    'constructor',
    'größe',
    'x'.repeat(64),
    `code${' '.repeat(60)}`,
  ])('are none when nothing is near: %j', name => {
    expect(nearest(name, columns)).toEqual([]);
    expect(nearest('code', [])).toEqual([]);
  });
});

const upsert = { prefer: 'resolution=merge-duplicates' };

/** Plans a request for quotes, a customer's unless `as` is another caller. */
const plan = (request: Partial<TestRequest>) =>
  planOf({ as: { kind: 'customer', audience: 'customer' }, of: quotes, ...request });

describe('an unknown column', () => {
  it.each<[string, Partial<TestRequest>, string[]]>([
    ['in select', { query: 'select=sprot' }, ['sport']],
    ['in a filter', { query: 'sprot=eq.golf' }, ['sport']],
    ['in a logic tree', { query: 'or=(and(sprot.eq.golf))' }, ['sport']],
    ['in order', { query: 'order=sprot' }, ['sport']],
    [
      'in on_conflict',
      { method: 'POST', query: 'on_conflict=sprot', headers: upsert, body: quote },
      ['sport'],
    ],
    ['far from every one', { query: 'select=zzzzzzzzzz' }, []],
    ['of every prototype', { query: 'select=__proto__' }, []],
  ])('gets the nearest one as suggestion: %s', (_, request, nearest) => {
    expect(plan(request)).toMatchObject({ failure: { is: 'unknown column', collection: 'quotes', nearest } });
  });

  it.each<[string, Partial<TestRequest>]>([
    ['insert', { method: 'POST', body: { ...quote, customer_note: 'x' } }],
    ['columns=', { method: 'POST', query: 'columns=customer_note', body: quote }],
  ])('in a body gets the nearest one as suggestion: %s', (_, request) => {
    expect(plan(request)).toMatchObject({
      failure: { is: 'unknown body column', column: 'customer_note', nearest: ['customer_notes'] },
    });
  });

  it.each([
    'internal_note',
    'internal_notess',
    'Internal_Notes',
  ])('does not reveal internal_notes to a customer: %s', name => {
    const read = plan({ query: `select=${name}` });
    const write = plan({ method: 'PATCH', query: 'id=eq.1', body: { [name]: 'x' } });
    expect(JSON.stringify([read, write])).not.toContain('"internal_notes"');
    expect(plan({ query: `select=${name}`, as: staff })).toMatchObject({
      failure: { nearest: ['internal_notes'] },
    });
  });

  it('in a body gets only suggestions that the caller may write', () => {
    const body = { unit_prices: 1 };
    expect(plan({ method: 'PATCH', query: 'id=eq.1', body })).toMatchObject({ failure: { nearest: [] } });
    expect(plan({ method: 'PATCH', query: 'id=eq.1', body, as: staff })).toMatchObject({
      failure: { nearest: ['unit_price'] },
    });
  });

  it.each([
    ['select=items(*)', { is: 'embedding', collection: 'quotes', name: 'items' }],
    ['order=items(name)', { is: 'not embedded', name: 'items' }],
    ['select=sport::strange', { is: 'unknown type', name: 'strange', known: castTypeNames }],
    [`select=${'é'.repeat(32)}:sport`, { is: 'unusable name', name: 'é'.repeat(32) }],
  ])('is refused according to its kind: %s', (query, failure) => {
    expect(plan({ query })).toEqual({ ok: false, failure });
  });
});
