/** What plans make of the parts of a request that only some requests have. */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { limits } from '../../functions/common/limits.ts';
import type { Collection } from '../../schema/collection.ts';
import { graphics } from '../../schema/graphics.ts';
import { quotes } from '../../schema/quotes.ts';
import { id, planAsStaff as plan, quote, type TestRequest } from './plan-of.ts';

const refused = (failure: object) => ({ ok: false, failure });
const accepted = { ok: true };

describe('what is selected', () => {
  const outputs = (select: string) => {
    const planned = plan({ query: `select=${select}` });
    return planned.ok ? planned.value.outputs : planned.failure;
  };

  it.each([
    ['customization->team->0', 'team'],
    ['customization->team->0->1', 'team'],
    ['customization->0', 'customization'],
    ['customization->a->b', 'b'],
    ['roster_count.max()', 'max'],
    ['count', 'count'],
    ['count()', 'count'],
    ['n:count', 'n'],
  ])('%s is named %s', (select, name) => {
    expect(outputs(select)).toMatchObject([{ name }]);
  });

  it('may be the number of rows without parentheses, with either cast', () => {
    expect(outputs('count::text')).toEqual([{ name: 'count', aggregate: 'count', aggregateCast: 'text' }]);
    expect(outputs('count()::text')).toEqual([{ name: 'count', aggregate: 'count', aggregateCast: 'text' }]);
    expect(outputs('count')).toEqual([{ name: 'count', aggregate: 'count' }]);
    expect(outputs('count->a')).toMatchObject({ is: 'unknown column' });
    expect(outputs('count::uuid')).toEqual({
      is: 'invalid value',
      sqlstate: '42846',
      message: 'The selected value cannot be cast to uuid',
      hint: expect.stringMatching(/^Cast it to text/),
    });
  });

  it('named count is the column of this name where there is one', () => {
    const columns = { ...quotes.columns, count: quotes.columns.roster_count };
    const of: Collection = { ...quotes, name: 'counted', columns };
    expect(plan({ of, query: 'select=count' })).toMatchObject({
      value: { outputs: [{ field: { column: 'count' } }] },
    });
  });

  it('that an anonymous caller may not read asks it to sign in', () => {
    const { name } = graphics.columns;
    const columns = { ...graphics.columns, name: { ...name, privileges: { ...name.privileges, anon: [] } } };
    const of: Collection = { ...graphics, name: 'hidden', columns };
    const read = (as: Caller) => plan({ as, of, query: 'select=name' });
    expect(read({ kind: 'anon', audience: 'anon' })).toMatchObject(refused({ authenticated: false }));
    expect(read({ kind: 'customer', audience: 'customer' })).toMatchObject(accepted);
  });

  it('is explained as it would be sent: CSV of a row by its key is built around the row', () => {
    const explained = (rows: string) => {
      const accept = `application/vnd.pgrst.plan; for="${rows}"`;
      return plan({ query: `id=eq.${id}`, headers: { accept } });
    };
    expect(explained('application/json')).toMatchObject({ value: { atMostOne: true } });
    expect(explained('text/csv')).toMatchObject({ value: { atMostOne: false } });
  });

  it.each([
    ['created_at.max()::date', true],
    ['created_at.min()::date', true],
    ['created_at.count()::date', false],
    ['roster_count.sum()::text', true],
    ['sport.max()::date', false],
    ['sport::text.max()::int', true],
    ['sport::int.max()::bigint', true],
    ['sport::numeric.max()::text', true],
    ['sport::boolean.max()::text', true],
    ['sport::uuid.max()::text', true],
    ['created_at::date.max()::timestamptz', true],
    ['customization->a::json.max()::jsonb', true],
    ['sport.min()::integer', true],
    ['roster_count::date', false],
    ['created_at::uuid', false],
    ['customization->a::boolean', true],
    ['customization->>a::uuid', true],
    ['customization->a::uuid', false],
  ])('%s is a cast that is possible: %s', (select, isPossible) => {
    expect(plan({ query: `select=${select}` })).toMatchObject(
      isPossible ? accepted : refused({ is: 'invalid value', sqlstate: '42846' }),
    );
  });

  it.each([
    ['a'.repeat(limits.query.nameBytes), true],
    ['a'.repeat(limits.query.nameBytes + 1), false],
    ['ñ'.repeat(31), true],
    ['ñ'.repeat(32), false],
    ['""', false],
  ])('may be named %s: %s', (alias, isUsable) => {
    expect(plan({ query: `select=${alias}:id` })).toMatchObject(
      isUsable ? accepted : refused({ is: 'unusable name' }),
    );
  });

  it('is at most a hundred columns, those of * among them', () => {
    const columns = Object.keys(quotes.columns).length;
    const select = (others: number) =>
      plan({ query: `select=*,${Array.from({ length: others }, (_, at) => `n${at}:id`)}` });
    expect(select(limits.query.outputs - columns)).toMatchObject(accepted);
    expect(select(limits.query.outputs - columns + 1)).toMatchObject(
      refused({ is: 'too complex', what: 'columns to select' }),
    );
  });
});

describe('the order', () => {
  const order = (terms: string) => {
    const planned = plan({ query: `select=id&order=${terms}` });
    return planned.ok ? planned.value.order.map(({ field: { column, path } }) => [column, path.length]) : [];
  };

  it('has a column once, and ends with the key unless it has it already', () => {
    expect(order('sport,status')).toEqual([
      ['sport', 0],
      ['status', 0],
      ['id', 0],
    ]);
    expect(order('sport,sport.desc')).toEqual([
      ['sport', 0],
      ['id', 0],
    ]);
    expect(order('sport,customization->a,customization->b,customization->a')).toEqual([
      ['sport', 0],
      ['customization', 1],
      ['customization', 1],
      ['id', 0],
    ]);
    expect(order('sport,id.desc')).toEqual([
      ['sport', 0],
      ['id', 0],
    ]);
    expect(order('id->a')).toEqual([
      ['id', 1],
      ['id', 0],
    ]);
  });
});

describe('the headers about versions', () => {
  const header = (name: string, details: string) => refused({ is: 'unusable header', header: name, details });
  const byKey = 'It is only for PATCH, PUT and DELETE of one row: id=eq.<key>.';
  const ifMatch = { 'if-match': '"1-a"' };

  it.each<[string, Partial<TestRequest>, object]>([
    ['If-Match on a read', { query: `id=eq.${id}`, headers: ifMatch }, header('If-Match', byKey)],
    [
      'If-Match on a POST',
      { method: 'POST', query: `id=eq.${id}`, headers: ifMatch, body: quote },
      header('If-Match', byKey),
    ],
    [
      'If-Match without a key',
      { method: 'DELETE', query: 'sport=eq.a', headers: ifMatch },
      header('If-Match', byKey),
    ],
    ['If-Match by key', { method: 'DELETE', query: `id=eq.${id}`, headers: ifMatch }, accepted],
    [
      'If-Match that is malformed',
      { method: 'DELETE', query: `id=eq.${id}`, headers: { 'if-match': 'x' } },
      header('If-Match', 'It is * or the ETag of an earlier response, with its quotes.'),
    ],
    [
      'If-Match beside the keys of a body',
      { method: 'PATCH', query: `id=eq.${id}`, headers: ifMatch, body: [{ id, sport: 'golf' }] },
      header('If-Match', 'It is only for one row, but the body is an array of rows with their keys.'),
    ],
    [
      'If-None-Match on a write',
      { method: 'DELETE', query: `id=eq.${id}`, headers: { 'if-none-match': '"1-a"' } },
      header('If-None-Match', 'It is only for reads. For a write, use If-Match.'),
    ],
  ])('%s', (_, request, expected) => {
    expect(plan(request)).toMatchObject(expected);
  });

  it('are compared here where no cache does it', () => {
    const headers = { 'if-none-match': '"1-a"' };
    expect(plan({ headers })).toMatchObject({ value: { ifNoneMatch: '"1-a"' } });
    expect(plan({})).not.toHaveProperty('value.ifNoneMatch');
    expect(plan({ of: graphics, headers })).not.toHaveProperty('value.ifNoneMatch');
  });
});

describe('other headers', () => {
  it('a time zone that is none is refused, and a profile is repeated', () => {
    expect(plan({ headers: { prefer: 'timezone=Nowhere/Land' } })).toEqual(
      refused({
        is: 'invalid value',
        sqlstate: '22023',
        message: 'invalid value for parameter "TimeZone": "Nowhere/Land"',
        hint: expect.stringContaining('as Europe/Berlin, or an offset'),
      }),
    );
    expect(plan({ headers: { 'accept-profile': 'public' } })).toMatchObject({ value: { profile: 'public' } });
    expect(plan({})).not.toHaveProperty('value.profile');
  });
});
