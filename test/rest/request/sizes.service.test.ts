/** The limit of each part of a request: the largest size is accepted, and one more is refused. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { aGraphic, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Reply, signIn, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer, anon } = useCallers(service, account);

const times = (count: number, text: string, separator = ',') => Array(count).fill(text).join(separator);
const aliased = (count: number, text: string) =>
  Array.from({ length: count }, (_, n) => `c${n}:${text}`).join();
const json: Record<string, string> = { 'content-type': 'application/json' };
const csv: Record<string, string> = { 'content-type': 'text/csv' };
const form: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
/** `width,c1,c2` */
const names = (count: number) =>
  ['width', ...Array.from({ length: count - 1 }, (_, n) => `c${n + 1}`)].join();
/** A new one each time. */
const graphic = (more: object = {}) => JSON.stringify(aGraphic(more));
const padded = (bytes: number) => graphic().replace(/}$/, `${' '.repeat(bytes - graphic().length)}}`);

type Refused = [status: number, code: string, says: RegExp];
/** `ask` sends a request of the given size. */
type Limit = [what: string, largest: number, ask: (count: number) => Promise<Reply>, refused: Refused];

const tooMany = (what: string, hint = 'several requests'): Refused => {
  return [400, 'PGRST100', new RegExp(`too many ${what} .*At most \\d+ are accepted.*${hint}`)];
};
const tooDeep = tooMany('levels of nesting in its body', 'less deeply');
const tooManyLists = tooMany('lists and objects in its body', 'smaller ones');
const tooManyColumns = tooMany('columns in its body', 'columns of the collection');
const longNumber: Refused = [400, '22003', /customization.team must be a number of at most 1000 characters/];
const deepTree: Refused = [400, 'PGRST100', /nesting of at most 32 levels/];
const longPath: Refused = [400, 'PGRST100', /path of at most 32 steps/];
const longAddress: Refused = [414, 'PT414', /too long .*At most 16000 characters.*fewer keys/];
const longHeader: Refused = [431, 'PT431', /header.*too long .*At most 8000 characters.*Shorten Accept/];
const longName: Refused = [400, '42622', /A name must have 1 to 63 bytes/];
const longKey: Refused = [400, 'PT400', /1 to 255 visible ASCII characters/];
const largeBody: Refused = [413, 'PGRST102', /too large .*At most 1048576 bytes.*fewer rows/];

const read = (query: (count: number) => string) => (count: number) => anon.get(`/graphics?${query(count)}`);
const readQuotes = (query: (count: number) => string) => (count: number) =>
  customer.get(`/quotes?${query(count)}`);
const writeNone =
  (body: (count: number) => string, headers = json) =>
  (count: number) =>
    staff.send('PATCH', '/graphics?code=eq.NONE', body(count), headers);
const quote = (body: (count: number) => string) => (count: number) =>
  customer.send('POST', '/quotes', body(count), json);

const address = (count: number) => count - `${service.url}/rest/v1/graphics?name=eq.`.length;
const tree = (count: number) => `${'(and'.repeat(count - 1)}(name.eq.a)${')'.repeat(count - 1)}`;
const withCustomization = (text: string) => JSON.stringify(aQuote(account)).replace('"Lions"', text);
/** The customization is the second level. */
const deep = (levels: number) => withCustomization('['.repeat(levels - 2) + ']'.repeat(levels - 2));
/** Lists and objects. */
const aQuoteHas = JSON.stringify(aQuote(account)).match(/[[{]/g)?.length ?? 0;
const lists = (count: number) => `[${times(count - aQuoteHas - 1, '[]')}]`;
const inParentheses = (count: number) => `name=fts.${'('.repeat(count)}a${')'.repeat(count)}`;

const ofWidth = (body: (count: number) => string, headers: Record<string, string>) => (count: number) =>
  staff.send('PATCH', '/graphics?code=eq.NONE&columns=width', body(count), headers);
const withKey = (count: number) =>
  staff.send('POST', '/graphics', graphic(), { ...json, 'idempotency-key': 'k'.repeat(count) });
const listed = (count: number) =>
  staff.send('PATCH', `/graphics?code=eq.NONE&columns=${times(count, 'width')}`, '{"width":1}', json);

it.each<Limit>([
  ['characters of an address', 16_000, read(n => `name=eq.${'a'.repeat(address(n))}`), longAddress],
  ['characters of a header', 8000, n => anon.get('/graphics', { prefer: 'x'.repeat(n) }), longHeader],
  ['filters', 200, read(n => times(n, 'name=neq.a', '&')), tooMany('filters')],
  ['filters in logic trees', 200, read(n => `or=(${times(n, 'name.eq.a')})`), tooMany('filters')],
  ['levels of a logic tree', 32, read(n => `or=${tree(n)}`), deepTree],
  ['values in a list', 1000, read(n => `sort_order=in.(${times(n, '1')})`), tooMany('values in a list')],
  ['columns to select', 100, read(n => `select=${times(n, 'id')}`), tooMany('columns to select')],
  [
    'columns to order by',
    50,
    read(n => `order=${times(n, 'id')}`),
    tooMany('columns to order by', 'fewer columns'),
  ],
  ['bytes of a name', 63, read(n => `select=${'a'.repeat(n)}:id`), longName],
  ['steps of a selected path', 32, readQuotes(n => `select=customization${'->a'.repeat(n)}`), longPath],
  ['steps of a path to order by', 32, readQuotes(n => `order=customization${'->a'.repeat(n)}`), longPath],
  ['steps of a filter’s path', 32, readQuotes(n => `customization${'->a'.repeat(n)}=eq.1`), longPath],
  [
    'negations of a search',
    30,
    read(n => `name=fts.${'!'.repeat(n)}a`),
    tooMany('negations in a row', 'cancel out'),
  ],
  ['parentheses of a search', 100, read(inParentheses), tooMany('parentheses in a full-text query')],
  [
    'reads of a large column',
    8,
    readQuotes(n => `select=${aliased(n, 'customization->>a')}`),
    tooMany('reads of customization', 'in the client'),
  ],
  ['casts', 20, readQuotes(n => `select=${aliased(n, 'sport::text')}`), tooMany('casts', 'fewer columns')],
  [
    'bytes of regular expressions',
    100,
    read(n => `name=match.${'a'.repeat(n)}`),
    tooMany('bytes in its regular', 'ilike'),
  ],
  ['full-text searches', 10, read(n => `and=(${times(n, 'name.fts.a')})`), tooMany('full-text searches')],
  ['array elements to search for', 100, read(n => `tags=ov.{${times(n, 'a')}}`), tooMany('array elements')],
  ['characters of an Idempotency-Key', 255, withKey, longKey],
  ['bytes of a body', 2 ** 20, n => staff.send('POST', '/graphics', padded(n), json), largeBody],
  ['levels of a body', 500, quote(deep), tooDeep],
  ['rows of a body', 20_000, writeNone(n => `[${times(n, '{"width":1}')}]`), tooMany('rows in its body')],
  ['lists and objects of a body', 50_000, quote(n => withCustomization(lists(n))), tooManyLists],
  ['characters of a number', 1000, quote(n => withCustomization('1'.repeat(n))), longNumber],
  ['digits of an exponent', 2, quote(n => withCustomization(`1.5e-${'9'.repeat(n)}`)), longNumber],
  ['columns of CSV', 200, ofWidth(n => `${names(n)}\n1\n`, csv), tooManyColumns],
  ['fields of a form', 200, ofWidth(n => names(n).replaceAll(',', '=1&'), form), tooManyColumns],
  ['columns in a list', 200, listed, tooMany('columns in a list', 'Name each column once')],
  ['rows of CSV', 20_000, writeNone(n => `width\n${'1\n'.repeat(n)}`, csv), tooMany('rows in its body')],
])('a request may have only so many %s: %i are accepted, one more is refused with the limit', async (_, largest, ask, refused) => {
  const [status, code, says] = refused;
  const most = await ask(largest);
  expect(most.status, most.text).toBeLessThan(300);
  const more = await ask(largest + 1);
  expect([more.status, more.body.code]).toEqual([status, code]);
  const said = `${more.body.message} ${more.body.details} ${more.body.hint}`;
  expect(said).toMatch(says);
  expect(says.source.includes('\\d+') ? Number(/At most (\d+)/.exec(said)?.[1]) : largest).toBe(largest);
});

it('a response has at most 16 MiB; one byte more is an error with a hint, and undoes a write', async () => {
  const [bytes, rows, owner] = [16 * 1024 * 1024, 17, randomUUID()];
  // Each text is wrapped in `{"t":""}`, rows are separated by `, \n `, and brackets surround them all.
  const ofTexts = bytes - (rows * 8 + (rows - 1) * 4 + 2);
  const large = await signIn(service, { account: owner });
  for (let row = 0; row < rows; row++) {
    const text = 'x'.repeat(Math.floor(ofTexts / rows) + (row < ofTexts % rows ? 1 : 0));
    const quote = aQuote(owner, { customization: { text } });
    expect((await large.send('POST', '/quotes', quote)).status).toBe(201);
  }
  const most = await large.get('/quotes?select=t:customization->>text');
  expect([most.status, most.text.length]).toEqual([200, bytes]);
  const { status, body } = await large.get('/quotes?select=tt:customization->>text');
  expect([status, body.code]).toEqual([400, '54000']);
  expect(body.hint).toContain('Select fewer columns');
  expect(body.details).toContain(`${bytes} bytes`);
  const path = '/quotes?sport=eq.baseball&select=customization';
  const write = await large.send('PATCH', path, { sport: 'golf' }, { prefer: 'return=representation' });
  expect([write.status, write.body.code]).toEqual([400, '54000']);
  expect((await large.get('/quotes?sport=eq.baseball&select=id')).body).toHaveLength(rows);
});
