/** supabase-js's filters (https://supabase.com/docs/reference/javascript/using-filters), each against real rows. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Client, clientOf, expectData } from './supabase.ts';

const category = randomUUID();
const graphics = [
  { code: 'BEAR', name: 'Black Bear', tags: ['animal', 'black'], sort_order: 2, file_format: 'png' },
  { code: 'LION', name: 'Golden Lion', tags: ['animal', 'gold'], sort_order: 1, category_id: category },
  { code: 'NOVA', name: 'nova', tags: null, sort_order: 5, description: 'Say "hi", (softly)\\ 100%' },
  {
    code: 'STAR',
    name: 'Gold Star',
    tags: ['shape', 'gold'],
    sort_order: 3,
    width: 300,
    description: 'a, b',
  },
  { code: 'WOLF', name: 'Grey Wolf', tags: [], sort_order: 4, width: 100, is_active: false },
].map(aGraphic);
const quotes = [
  { quote_number: 'QT-2026-00001', customization: { team: 'Lions', size: 12, logo: { tags: ['a', 'b'] } } },
  { quote_number: 'QT-2026-00002', customization: { team: 'Tigers', size: 9 }, colors: { primary: 'red' } },
  { quote_number: 'QT-2026-00003', customization: {}, rush_order: true, event_date: '2026-05-01' },
].map(more => aQuote(randomUUID(), more));

let service: Service;
let staff: Client;
beforeAll(async () => {
  service = await startService();
  staff = clientOf(service, service.secretKey);
  expectData(await staff.from('graphics').insert(graphics, { defaultToNull: false }), null, 201);
  expectData(await staff.from('quotes').insert(quotes, { defaultToNull: false }), null, 201);
});
afterAll(() => service.stop());

const library = () => staff.from('graphics').select('code').order('code');
const orders = () => staff.from('quotes').select('quote_number').order('quote_number');
type Filter<Query> = (query: Query) => Query;
type GraphicsFilter = Filter<ReturnType<typeof library>>;
type QuotesFilter = Filter<ReturnType<typeof orders>>;

const ofGraphics: [name: string, filter: GraphicsFilter, codes: string][] = [
  ['eq', q => q.eq('sort_order', 2), 'BEAR'],
  [
    'eq, of a text with every special character',
    q => q.eq('description', 'Say "hi", (softly)\\ 100%'),
    'NOVA',
  ],
  ['eq, of a uuid', q => q.eq('category_id', category), 'LION'],
  ['eq, of a boolean', q => q.eq('is_active', false), 'WOLF'],
  ['neq', q => q.neq('file_format', 'svg'), 'BEAR'],
  ['neq, which null does not pass', q => q.neq('width', 100), 'STAR'],
  ['gt', q => q.gt('sort_order', 4), 'NOVA'],
  ['gte', q => q.gte('sort_order', 4), 'NOVA WOLF'],
  ['lt', q => q.lt('sort_order', 2), 'LION'],
  ['lte', q => q.lte('sort_order', 2), 'BEAR LION'],
  ['lte, of a time with an offset', q => q.lte('created_at', '1999-01-01T00:00:00+02:00'), ''],
  ['like', q => q.like('name', 'Gold%'), 'LION STAR'],
  ['like, which tells capitals', q => q.like('name', 'Nova'), ''],
  ['like, with an escaped wildcard', q => q.like('description', '%100\\%'), 'NOVA'],
  ['likeAllOf', q => q.likeAllOf('name', ['%Gold%', '%n']), 'LION'],
  ['likeAnyOf', q => q.likeAnyOf('name', ['%Bear', '%Wolf']), 'BEAR WOLF'],
  ['ilike', q => q.ilike('name', 'NOVA'), 'NOVA'],
  ['ilikeAllOf', q => q.ilikeAllOf('name', ['gold%', '%STAR']), 'STAR'],
  ['ilikeAnyOf', q => q.ilikeAnyOf('name', ['%bear', 'n%']), 'BEAR NOVA'],
  ['regexMatch', q => q.regexMatch('name', '^G.*(n|f)$'), 'LION WOLF'],
  ['regexIMatch', q => q.regexIMatch('name', '^(NOVA|black bear)$'), 'BEAR NOVA'],
  ['is null', q => q.is('tags', null), 'NOVA'],
  ['is true', q => q.is('is_active', true), 'BEAR LION NOVA STAR'],
  ['is false', q => q.is('is_active', false), 'WOLF'],
  ['isDistinct, which null passes', q => q.isDistinct('width', 100), 'BEAR LION NOVA STAR'],
  ['in, of numbers', q => q.in('sort_order', [1, 2, 2]), 'BEAR LION'],
  ['in, of texts with commas and parentheses', q => q.in('description', ['a, b', '(x)']), 'STAR'],
  ['in, of nothing', q => q.in('code', []), ''],
  ['notIn', q => q.notIn('code', ['LION', 'NOVA']), 'BEAR STAR WOLF'],
  ['notIn, of nothing', q => q.notIn('code', []), 'BEAR LION NOVA STAR WOLF'],
  ['contains', q => q.contains('tags', ['gold', 'animal']), 'LION'],
  ['contains, of nothing', q => q.contains('tags', []), 'BEAR LION STAR WOLF'],
  ['containedBy', q => q.containedBy('tags', ['animal', 'black', 'shape']), 'BEAR WOLF'],
  ['overlaps', q => q.overlaps('tags', ['gold', 'black']), 'BEAR LION STAR'],
  ['overlaps, of an array as text', q => q.overlaps('tags', '{"gold",black}'), 'BEAR LION STAR'],
  ['textSearch', q => q.textSearch('name', "'gold' & !'lion'"), 'STAR'],
  ['textSearch, in English', q => q.textSearch('name', 'golden | bears', { config: 'english' }), 'BEAR LION'],
  ['textSearch, plain', q => q.textSearch('name', 'star gold', { type: 'plain' }), 'STAR'],
  ['textSearch, phrase', q => q.textSearch('name', 'star gold', { type: 'phrase' }), ''],
  [
    'textSearch, websearch',
    q => q.textSearch('name', 'wolf or "gold star"', { type: 'websearch' }),
    'STAR WOLF',
  ],
  [
    'textSearch, websearch in English',
    q => q.textSearch('name', 'stars -grey', { type: 'websearch', config: 'english' }),
    'STAR',
  ],
  ['match', q => q.match({ file_format: 'svg', sort_order: 1, width: undefined }), 'LION'],
  ['not, with is', q => q.not('width', 'is', null), 'STAR WOLF'],
  ['not, with eq', q => q.not('code', 'eq', 'LION'), 'BEAR NOVA STAR WOLF'],
  ['not, with in', q => q.not('code', 'in', '(LION,"NOVA")'), 'BEAR STAR WOLF'],
  ['not, with contains', q => q.not('tags', 'cs', '{animal}'), 'STAR WOLF'],
  ['or', q => q.or('sort_order.eq.1,width.gt.200'), 'LION STAR'],
  [
    'or, with and, not, in and arrays',
    q => q.or('and(tags.cs.{gold,shape},width.not.is.null),code.in.(NOVA,X)'),
    'NOVA STAR',
  ],
  ['or, with quoted values', q => q.or('description.eq."a, b",name.eq."Grey Wolf"'), 'STAR WOLF'],
  ['or, negated inside', q => q.or('not.and(sort_order.gte.2,sort_order.lte.5),code.eq.WOLF'), 'LION WOLF'],
  ['or, twice', q => q.or('code.eq.LION,code.eq.STAR').or('width.is.null,sort_order.eq.2'), 'LION'],
  ['filter', q => q.filter('sort_order', 'in', '(1,3)'), 'LION STAR'],
  ['filter, negated', q => q.filter('name', 'not.ilike', '%O%'), 'BEAR'],
  ['filter, with any', q => q.filter('sort_order', 'eq(any)', '{3,4}'), 'STAR WOLF'],
  ['several of one column', q => q.gt('sort_order', 1).lt('sort_order', 4), 'BEAR STAR'],
];

const ofQuotes: [name: string, filter: QuotesFilter, numbers: number[]][] = [
  ['eq, of a JSON path as text', q => q.eq('customization->>team', 'Lions'), [1]],
  ['eq, of a JSON path as JSON', q => q.eq('customization->size', 12), [1]],
  ['gt, which compares JSON numbers as numbers', q => q.gt('customization->size', 10), [1]],
  ['in, of a JSON path', q => q.in('customization->>team', ['Lions', 'Tigers']), [1, 2]],
  ['is, of a JSON path that is not there', q => q.is('customization->>team', null), [3]],
  ['contains, of JSON', q => q.contains('customization', { logo: { tags: ['b'] } }), [1]],
  ['contains, of an array inside JSON', q => q.contains('customization->logo->tags', '["a"]'), [1]],
  [
    'containedBy, of JSON',
    q => q.containedBy('customization', { team: 'Tigers', size: 9, extra: 1 }),
    [2, 3],
  ],
  ['textSearch, of JSON', q => q.textSearch('customization', 'tigers'), [2]],
  ['match, of JSON', q => q.match({ 'colors->>primary': 'red' }), [2]],
  ['or, of JSON', q => q.or('customization->>team.eq.Lions,rush_order.is.true'), [1, 3]],
  ['lte, of a date', q => q.lte('event_date', '2026-05-01'), [3]],
];

describe('a filter', () => {
  it.each(ofGraphics)('%s', async (_, filter, codes) => {
    const expected = codes
      .split(' ')
      .filter(code => code !== '')
      .map(code => ({ code }));
    expectData(await filter(library()), expected);
  });

  it.each(ofQuotes)('%s', async (_, filter, numbers) => {
    expectData(
      await filter(orders()),
      numbers.map(number => ({ quote_number: `QT-2026-0000${number}` })),
    );
  });
});
