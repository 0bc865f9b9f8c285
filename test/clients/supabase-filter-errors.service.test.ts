/** The errors of supabase-js's filters for comparisons that Postgres or the grammar doesn't have. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../setup/service.ts';
import { clientOf, expectError } from './supabase.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const library = () => clientOf(service, service.publishableKey).from('graphics').select('code');
type Query = ReturnType<typeof library>;
type GraphicsFilter = (query: Query) => Query;

describe('an impossible filter is an error', () => {
  const wrong: [name: string, filter: GraphicsFilter, status: number, code: string, message: RegExp][] = [
    [
      'rangeGt',
      q => q.rangeGt('created_at', '[1,2)'),
      404,
      '42883',
      /operator does not exist: .* >> unknown/,
    ],
    [
      'rangeGt, which shifts numbers',
      q => q.rangeGt('sort_order', '[1,2)'),
      400,
      '22P02',
      /type integer: "\[1,2\)"/,
    ],
    [
      'rangeGte',
      q => q.rangeGte('sort_order', '[1,2)'),
      404,
      '42883',
      /operator does not exist: integer &> unknown/,
    ],
    [
      'rangeLt',
      q => q.rangeLt('tags', '[1,2)'),
      404,
      '42883',
      /operator does not exist: text\[\] << unknown/,
    ],
    [
      'rangeLte',
      q => q.rangeLte('sort_order', '[1,2)'),
      404,
      '42883',
      /operator does not exist: integer &< unknown/,
    ],
    [
      'rangeAdjacent',
      q => q.rangeAdjacent('created_at', '[1,2)'),
      404,
      '42883',
      /operator does not exist: .* -\|- unknown/,
    ],
    ['contains, of a range', q => q.contains('sort_order', '[1,2)'), 404, '42883', /operator does not exist/],
    [
      'overlaps, of a number',
      q => q.overlaps('sort_order', '[1,2)'),
      404,
      '42883',
      /operator does not exist/,
    ],
    [
      'like, of a number',
      q => q.like('sort_order', '1%'),
      404,
      '42883',
      /operator does not exist: integer ~~/,
    ],
    [
      'textSearch, of an array',
      q => q.textSearch('tags', 'gold'),
      404,
      '42883',
      /function to_tsvector\(text\[\]\)/,
    ],
    ['textSearch, of no query', q => q.textSearch('name', 'gold &'), 400, '42601', /no operand in tsquery/],
    [
      'textSearch, in no language',
      q => q.textSearch('name', 'x', { config: 'klingon' }),
      400,
      '42704',
      /klingon/,
    ],
    ['is, of a number', q => q.is('sort_order', true), 400, '42804', /IS TRUE must be type boolean/],
    [
      'eq, of a number that is none',
      q => q.eq('sort_order', 'two'),
      400,
      '22P02',
      /invalid input syntax .*"two"/,
    ],
    [
      'eq, of a uuid that is none',
      q => q.eq('id', 'me'),
      400,
      '22P02',
      /invalid input syntax for type uuid: "me"/,
    ],
    ['gt, of no time', q => q.gt('created_at', 'soon'), 400, '22007', /timestamp with time zone: "soon"/],
    [
      'regexMatch, of no expression',
      q => q.regexMatch('name', '('),
      400,
      '2201B',
      /invalid regular expression/,
    ],
    [
      'contains, of no array',
      q => q.contains('tags', 'gold'),
      400,
      '22P02',
      /malformed array literal: "gold"/,
    ],
    ['eq, of no column', q => q.eq('colour', 'red'), 400, '42703', /column graphics.colour does not exist/],
    ['or, of no column', q => q.or('code.eq.A,colour.eq.red'), 400, '42703', /colour/],
    ['or, unfinished', q => q.or('and(code.eq.A'), 400, 'PGRST100', /failed to parse logic tree/],
    [
      'or, of another table',
      q => q.or('a.eq.1', { referencedTable: 'shops' }),
      400,
      'PGRST108',
      /'shops' is not an embedded/,
    ],
    ['filter, with no operator', q => q.filter('name', 'resembles', 'x'), 400, 'PGRST100', /resembles.x/],
  ];
  it.each(wrong)('%s', async (_, filter, status, code, message) => {
    expectError(await filter(library()), status, code, message);
  });
});

describe('a common mistake gets a hint', () => {
  const hinted: [what: string, filter: GraphicsFilter, hint: RegExp][] = [
    ['eq, of null', q => q.eq('category_id', null as never), /category_id=is\.null/],
    ['neq, of null', q => q.neq('width', null as never), /width=not\.is\.null/],
    ['in, of null', q => q.in('sort_order', [1, null]), /sort_order=is\.null/],
    ['a column in camel case', q => q.eq('sortOrder', 1), /"graphics\.sort_order"/],
    ['an operator nobody knows', q => q.filter('name', 'contains', 'x'), /The operators are eq/],
    ['or, without an operator', q => q.or('name.Lion'), /For example: or=/],
  ];
  it.each(hinted)('%s', async (_, filter, hint) => {
    const { error, status } = await filter(library());
    expect(status).toBe(400);
    expect(error?.hint).toMatch(hint);
  });

  it('a collection or function in camel case', async () => {
    const client = clientOf(service, service.publishableKey);
    expect((await client.from('Graphics').select()).error?.hint).toBe('Perhaps you meant "graphics".');
    const { error } = await client.rpc('nextQuoteNumber');
    expect(error?.hint).toBe('Perhaps you meant "next_quote_number".');
  });
});
