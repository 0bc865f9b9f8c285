import { describe, expect, it } from 'vitest';
import { nearest } from '../../functions/plan/nearest.ts';
import { quotes } from '../../schema/quotes.ts';
import { planOf, staff, type TestRequest } from './plan-of.ts';

const columns = ['id', 'code', 'name', 'width', 'height', 'file_size', 'file_url', 'sort_order'];

describe('the names nearest to a misspelt one', () => {
  it.each(['', 'x'.repeat(64), `code${' '.repeat(60)}`])('are none when nothing is near: %j', name => {
    expect(nearest(name, columns)).toEqual([]);
    expect(nearest('code', [])).toEqual([]);
  });
});

/** Plans a request for quotes, a customer's unless `as` is another caller. */
const plan = (request: Partial<TestRequest>) =>
  planOf({ as: { kind: 'customer', audience: 'customer' }, of: quotes, ...request });

describe('an unknown column', () => {
  it.each<[string, Partial<TestRequest>, string[]]>([
    ['in select', { query: 'select=sprot' }, ['sport']],
    ['in a filter', { query: 'sprot=eq.golf' }, ['sport']],
    ['in a logic tree', { query: 'or=(and(sprot.eq.golf))' }, ['sport']],
    ['far from every one', { query: 'select=zzzzzzzzzz' }, []],
    ['of every prototype', { query: 'select=__proto__' }, []],
  ])('gets the nearest one as suggestion: %s', (_, request, nearest) => {
    expect(plan(request)).toMatchObject({ failure: { is: 'unknown column', collection: 'quotes', nearest } });
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
});
