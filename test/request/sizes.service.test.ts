/** The limit of each part of a request: the largest size is accepted, and one more is refused. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Reply, signIn, useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer, anon } = useCallers(service, account);

const times = (count: number, text: string, separator = ',') => Array(count).fill(text).join(separator);
const json: Record<string, string> = { 'content-type': 'application/json' };
const csv: Record<string, string> = { 'content-type': 'text/csv' };
const form: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
/** `width,c1,c2` */
const names = (count: number) =>
  ['width', ...Array.from({ length: count - 1 }, (_, n) => `c${n + 1}`)].join();
const nested = (levels: number, inside = '1') => '['.repeat(levels) + inside + ']'.repeat(levels);
/** A new one each time. */
const graphic = (more: object = {}) => JSON.stringify(aGraphic(more));
const padded = (bytes: number) => graphic().replace(/}$/, `${' '.repeat(bytes - graphic().length)}}`);
/** The customization is the second level. */
const deepQuote = (levels: number, inside?: string) =>
  JSON.stringify(aQuote(account)).replace('"Lions"', nested(levels - 2, inside));
const textThatLooksDeep = '"[[[[\\"[[[["';

type Refused = [status: number, code: string, says: RegExp];
/** `ask` sends a request of the given size. */
type Limit = [
  what: string,
  largest: number,
  ask: (count: number) => Promise<Reply>,
  accepted: number,
  refused: Refused,
];

const tooMany = (what: string, limit: number, hint = 'several requests'): Refused => [
  400,
  'PGRST100',
  new RegExp(`too many ${what} .*At most ${limit} are accepted.*${hint}`),
];
const tooDeep = tooMany('levels of nesting in its body', 500, 'less deeply');
const longNumber: Refused = [400, '22003', /customization.team must be a number of at most 1000 characters/];
const deepTree: Refused = [400, 'PGRST100', /nesting of more than 32 levels/];
const longPath: Refused = [400, 'PGRST100', /path of more than 32 steps/];

const read = (query: (count: number) => string) => (count: number) => anon.get(`/graphics?${query(count)}`);
const readQuotes = (query: (count: number) => string) => (count: number) =>
  customer.get(`/quotes?${query(count)}`);
const write =
  (body: (count: number) => string, headers = json) =>
  (count: number) =>
    staff.send('POST', '/graphics', body(count), headers);
const writeNone =
  (body: (count: number) => string, headers = json) =>
  (count: number) =>
    staff.send('PATCH', '/graphics?code=eq.NONE', body(count), headers);
const quote = (body: (count: number) => string) => (count: number) =>
  customer.send('POST', '/quotes', body(count), json);

const address = (count: number) => count - `${service.url}/rest/v1/graphics?name=eq.`.length;
const tree = (count: number) => `${times(count - 1, '(and', '')}(name.eq.a)${times(count - 1, ')', '')}`;
const withCustomization = (text: string) => JSON.stringify(aQuote(account)).replace('"Lions"', text);
/** Lists and objects. */
const aQuoteHas = JSON.stringify(aQuote(account)).match(/[[{]/g)?.length ?? 0;
const inParentheses = (count: number) => `${times(count, '(', '')}a${times(count, ')', '')}`;

const limits: Limit[] = [
  [
    'characters of an address',
    16_000,
    read(n => `name=eq.${'a'.repeat(address(n))}`),
    200,
    [414, 'PT414', /too long .*At most 16000 characters.*several requests/],
  ],
  [
    'characters of a header',
    8000,
    n => anon.get('/graphics', { prefer: 'x'.repeat(n) }),
    200,
    [431, 'PT431', /header.*too long .*At most 8000 characters.*fewer things/],
  ],
  ['filters', 200, read(n => times(n, 'name=neq.a', '&')), 200, tooMany('filters', 200)],
  ['filters in logic trees', 200, read(n => `or=(${times(n, 'name.eq.a')})`), 200, tooMany('filters', 200)],
  ['levels of a logic tree', 32, read(n => `or=${tree(n)}`), 200, deepTree],
  [
    'values in a list',
    1000,
    read(n => `sort_order=in.(${times(n, '1')})`),
    200,
    tooMany('values in a list', 1000),
  ],
  [
    'values in a list in a tree',
    1000,
    read(n => `or=(sort_order.in.(${times(n, '1')}))`),
    200,
    tooMany('values in a list', 1000),
  ],
  ['columns to select', 100, read(n => `select=${times(n, 'id')}`), 200, tooMany('columns to select', 100)],
  ['columns to order by', 50, read(n => `order=${times(n, 'id')}`), 200, tooMany('columns to order by', 50)],
  [
    'bytes of a name',
    63,
    read(n => `select=${'a'.repeat(n)}:id`),
    200,
    [400, '42622', /A name must have 1 to 63 bytes/],
  ],
  ['steps of a selected path', 32, readQuotes(n => `select=customization${'->a'.repeat(n)}`), 200, longPath],
  [
    'steps of a path to order by',
    32,
    readQuotes(n => `order=customization${'->a'.repeat(n)}`),
    200,
    longPath,
  ],
  ['steps of a filter’s path', 32, readQuotes(n => `customization${'->a'.repeat(n)}=eq.1`), 200, longPath],
  [
    'negations of a text search',
    30,
    read(n => `name=fts.${'!'.repeat(n)}a`),
    200,
    tooMany('negations in a row', 30),
  ],
  [
    'parentheses of a text search',
    100,
    read(n => `name=fts.${inParentheses(n)}`),
    200,
    tooMany('parentheses in a full-text query', 100),
  ],
  [
    'characters of an Idempotency-Key',
    255,
    n => write(() => graphic(), { ...json, 'idempotency-key': 'k'.repeat(n) })(n),
    201,
    [400, 'PT400', /1 to 255 visible ASCII characters/],
  ],
  [
    'bytes of a body',
    2 ** 20,
    write(padded),
    201,
    [413, 'PGRST102', /too large .*At most 1048576 bytes.*fewer rows/],
  ],
  ['levels of a body', 500, quote(n => deepQuote(n)), 201, tooDeep],
  [
    'levels beside texts that look deep',
    500,
    quote(n => deepQuote(n, times(80, textThatLooksDeep))),
    201,
    tooDeep,
  ],
  [
    'rows of a body',
    20_000,
    writeNone(n => `[${times(n, '{"width":1}')}]`),
    204,
    tooMany('rows in its body', 20_000),
  ],
  [
    'lists and objects of a body',
    50_000,
    quote(n => withCustomization(`[${times(n - aQuoteHas - 1, '[]')}]`)),
    201,
    tooMany('lists and objects in its body', 50_000, 'smaller ones'),
  ],
  ['characters of a number', 1000, quote(n => withCustomization('1'.repeat(n))), 201, longNumber],
  ['digits of an exponent', 2, quote(n => withCustomization(`1.5e-${'9'.repeat(n)}`)), 201, longNumber],
  [
    'columns of CSV',
    200,
    n => staff.send('PATCH', '/graphics?code=eq.NONE&columns=width', `${names(n)}\n1\n`, csv),
    204,
    tooMany('columns in its body', 200, 'columns of the collection'),
  ],
  [
    'fields of a form',
    200,
    n => staff.send('PATCH', '/graphics?code=eq.NONE&columns=width', names(n).replaceAll(',', '=1&'), form),
    204,
    tooMany('columns in its body', 200, 'columns of the collection'),
  ],
  [
    'columns in a list',
    200,
    n => staff.send('PATCH', `/graphics?code=eq.NONE&columns=${times(n, 'width')}`, '{"width":1}', json),
    204,
    tooMany('columns in a list', 200, 'Name each column once'),
  ],
  [
    'rows of CSV',
    20_000,
    writeNone(n => `width\n${'1\n'.repeat(n)}`, csv),
    204,
    tooMany('rows in its body', 20_000),
  ],
];

describe('a request', () => {
  it.each(
    limits,
  )('has %s, at most %i, and an error names the limit', async (_, largest, ask, accepted, refused) => {
    const most = await ask(largest);
    expect(most.status, most.text).toBe(accepted);
    const { status, body } = await ask(largest + 1);
    const [wanted, code, says] = refused;
    expect([status, body.code]).toEqual([wanted, code]);
    expect(`${body.message} ${body.details} ${body.hint}`).toMatch(says);
  });
});

describe('a response', () => {
  const sizeLimit = 16 * 1024 * 1024;
  const rows = 17;
  /** Each text is wrapped in `{"t":""}`, rows are separated by `, \n `, and brackets surround them all. */
  const around = rows * 8 + (rows - 1) * 4 + 2;

  it('has at most 16 MiB; one byte more is an error with a hint', async () => {
    const owner = randomUUID();
    const large = await signIn(service, { account: owner });
    const length = Math.floor((sizeLimit - around) / rows);
    const lengths = Array.from(
      { length: rows },
      (_, index) => length + (index < (sizeLimit - around) % rows ? 1 : 0),
    );
    for (const each of lengths) {
      const quote = aQuote(owner, { customization: { text: 'x'.repeat(each) } });
      expect((await large.send('POST', '/quotes', quote)).status).toBe(201);
    }
    const most = await large.get('/quotes?select=t:customization->>text');
    expect([most.status, most.text.length]).toEqual([200, sizeLimit]);
    const { status, body } = await large.get('/quotes?select=tt:customization->>text');
    expect(status).toBe(400);
    expect(body).toEqual({
      code: '54000',
      message: 'The response is too large, so nothing was done',
      details: 'A response may have at most 16777216 bytes, and each of its rows at most 3145728.',
      hint: 'Select fewer columns, or request fewer rows with limit.',
    });
  });
});
