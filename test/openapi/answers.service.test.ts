/** A hundred answers of the service, of all kinds, are as the OpenAPI document of their caller says. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, callerOf, representation } from '../setup/wire.ts';
import { Comparison } from './answers.ts';

const account = randomUUID();
const names = ['anonymous', 'customer', 'staff'] as const;
type Name = (typeof names)[number];

const service = useService();
let callers: Record<Name, Caller>;
let comparisons: Record<Name, Comparison>;
/** By the mark that stands for one in a path, the ids of rows that no request has changed yet. */
const unused: Record<string, (string | number)[]> = {};

beforeAll(async () => {
  const { publishableKey } = service;
  callers = {
    anonymous: callerOf(service, publishableKey),
    customer: callerOf(service, publishableKey, await service.token({ account })),
    staff: callerOf(service, publishableKey, await service.token({ account: randomUUID(), staff: true })),
  };
  const documents = await Promise.all(names.map(name => callers[name].get('/openapi.json')));
  comparisons = Object.fromEntries(
    documents.map(({ body }, at) => [names[at], new Comparison(body)]),
  ) as typeof comparisons;
  // To compile them took seconds on a busy machine, and workerd has closed the connection: that is seen before it is used again.
  await pause(100);
  const twenty = (make: () => object) => Array.from({ length: 20 }, make);
  for (const [mark, path, rows] of [
    [
      '<quote>',
      '/quotes',
      twenty(() => aQuote(account, { colors: { primary: '#fff' }, size_breakdown: { M: 7 } })),
    ],
    ['<graphic>', '/graphics', twenty(() => aGraphic({ tags: ['animal', null], file_size: 1024 }))],
    ['<notification>', '/notifications', twenty(() => aNotification(account))],
  ] as const) {
    const { body } = await callers.staff.send('POST', path, rows, representation);
    unused[mark] = body.map(({ id }: { id: string | number }) => id);
  }
});

type Sent = Record<string, string>;
/** Who sends what, and the status that answers it. */
type Request = [status: number, name: Name, method: string, path: string, body?: unknown, headers?: Sent];

const accept = (type: string): Sent => ({ accept: type });
const prefer = (...preferences: string[]): Sent => ({ prefer: preferences.join(', ') });
const object = accept('application/vnd.pgrst.object+json');
const stripped = accept('application/vnd.pgrst.array+json;nulls=stripped');
const csv = accept('text/csv');
const planJson = accept('application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose');
const planText = accept('application/vnd.pgrst.plan+text');
const everyone = (status: number, path: string, headers: Sent = {}): Request[] =>
  names.map(name => [status, name, 'GET', path, undefined, headers]);
const csvBody = { 'content-type': 'text/csv' };

const reads: Request[] = [
  ...everyone(200, '/graphics'),
  ...everyone(200, '/graphics?order=sort_order.desc,id&limit=3'),
  ...everyone(206, '/graphics?limit=3&offset=2', prefer('count=exact')),
  ...everyone(200, '/graphics?select=code,format:file_format,size:file_size::text&limit=2'),
  ...everyone(200, '/graphics?tags=cs.{animal}', csv),
  ...everyone(200, '/graphics?id=eq.<graphic>', object),
  ...everyone(304, '/graphics?id=eq.<graphic>', { 'if-none-match': '*' }),
  ...everyone(416, '/graphics?offset=1000', prefer('count=exact')),
  ...everyone(406, '/graphics', object),
  ...everyone(406, '/graphics', { 'accept-profile': 'billing' }),
  ...everyone(400, '/graphics?colour=eq.red'),
  ...everyone(404, '/graphics?tags=like.x'),
  ...everyone(
    200,
    '/graphics?or=(width.is.null,and(width.gt.2,height.lt.5))&not.and=(width.eq.1,height.eq.1)',
  ),
  [401, 'anonymous', 'GET', '/graphics', undefined, { authorization: 'Bearer expired' }],
  [200, 'customer', 'HEAD', '/graphics?limit=2'],
  [206, 'staff', 'HEAD', '/graphics?limit=2', undefined, prefer('count=exact')],
  [200, 'customer', 'GET', '/quotes'],
  [200, 'customer', 'GET', '/quotes?select=*&order=created_at.desc,id', undefined, { range: '0-4' }],
  [200, 'customer', 'GET', '/quotes?select=id,status,customization->team&status=in.(draft,submitted)'],
  [
    200,
    'customer',
    'GET',
    '/quotes?select=status,count()&limit=1',
    undefined,
    { 'accept-profile': 'public' },
  ],
  [200, 'customer', 'GET', '/quotes?limit=2', undefined, stripped],
  [200, 'customer', 'GET', '/quotes?limit=0', undefined, csv],
  [
    200,
    'customer',
    'GET',
    '/quotes?limit=5',
    undefined,
    prefer('timezone=America/Los_Angeles', 'handling=strict'),
  ],
  [
    200,
    'customer',
    'GET',
    '/quotes?id=eq.<quote>',
    undefined,
    accept('application/vnd.pgrst.object+json;nulls=stripped'),
  ],
  [406, 'customer', 'GET', '/quotes', undefined, accept('image/png')],
  [416, 'customer', 'GET', '/quotes?offset=99', undefined, prefer('count=exact')],
  [404, 'customer', 'GET', '/quotes?roster_count=like.5'],
  [400, 'customer', 'GET', '/quotes?sport=near.x'],
  [400, 'customer', 'GET', '/quotes', undefined, prefer('count=many', 'handling=strict')],
  [403, 'customer', 'GET', '/quotes?select=internal_notes'],
  [406, 'customer', 'GET', '/quotes', undefined, planText],
  [414, 'customer', 'GET', `/quotes?sport=eq.${'x'.repeat(17_000)}`],
  [431, 'customer', 'GET', '/quotes', undefined, prefer('x'.repeat(9000))],
  [200, 'customer', 'GET', '/notifications?dismissed=is.false'],
  [200, 'staff', 'GET', '/notifications?select=id,account_id,type&type=eq.info&limit=2'],
  [200, 'staff', 'GET', '/quotes'],
  [200, 'staff', 'GET', '/quotes', undefined, planJson],
  [200, 'staff', 'GET', '/quotes?select=id', undefined, planText],
];

const draft = (more: object = {}) => aQuote(account, more);
const writes: Request[] = [
  [201, 'customer', 'POST', '/quotes', draft()],
  [201, 'customer', 'POST', '/quotes', draft(), representation],
  [201, 'customer', 'POST', '/quotes', draft(), { ...representation, ...object }],
  [
    201,
    'customer',
    'POST',
    '/quotes',
    [draft({ sport: 'hockey' }), draft({ sport: 'hockey' })],
    prefer('return=representation', 'count=exact'),
  ],
  [201, 'customer', 'POST', '/quotes', draft(), prefer('return=headers-only', 'tx=commit')],
  [201, 'customer', 'POST', '/quotes', draft(), prefer('return=representation', 'tx=rollback')],
  [201, 'customer', 'POST', '/quotes?select=id,number:quote_number', draft(), representation],
  [201, 'customer', 'POST', '/quotes', draft(), { ...representation, 'idempotency-key': 'a' }],
  [422, 'customer', 'POST', '/quotes', { ...draft(), sport: 'golf' }, { 'idempotency-key': 'a' }],
  [
    201,
    'customer',
    'POST',
    '/quotes?columns=account_id,quote_number,product_id,sport,customization',
    draft(),
    prefer('missing=default'),
  ],
  [400, 'customer', 'POST', '/quotes', { sport: 5, colors: { pink: '#f0f' } }],
  [400, 'customer', 'POST', '/quotes', '{'],
  [400, 'customer', 'POST', '/quotes', draft(), { 'content-type': 'text/plain' }],
  [403, 'customer', 'POST', '/quotes', { ...draft(), unit_price: 1 }],
  [403, 'customer', 'POST', '/quotes', aQuote(randomUUID())],
  [409, 'customer', 'POST', '/quotes', { ...draft(), status: 'approved' }],
  [413, 'customer', 'POST', '/quotes', { ...draft(), sport: 'x'.repeat(1_100_000) }],
  [201, 'staff', 'POST', '/graphics', aGraphic(), { ...representation, ...stripped }],
  [
    201,
    'staff',
    'POST',
    '/graphics',
    'name,code,file_url,file_format\nA,A-1,https://a.test/a,svg',
    { ...representation, ...csvBody, ...csv },
  ],
  [409, 'staff', 'POST', '/graphics', [aGraphic({ code: 'B-1' }), aGraphic({ code: 'B-1' })]],
  [
    201,
    'staff',
    'POST',
    '/graphics?on_conflict=code',
    aGraphic({ code: 'C-1' }),
    prefer('return=representation', 'resolution=merge-duplicates'),
  ],
  [
    200,
    'staff',
    'POST',
    '/graphics?on_conflict=code',
    aGraphic({ code: 'C-1' }),
    prefer('return=representation', 'resolution=merge-duplicates'),
  ],
  [
    200,
    'staff',
    'POST',
    '/graphics?on_conflict=code',
    aGraphic({ code: 'C-1' }),
    prefer('resolution=merge-duplicates'),
  ],
  [
    201,
    'staff',
    'POST',
    '/graphics?on_conflict=code',
    aGraphic({ code: 'C-1' }),
    prefer('return=representation', 'resolution=ignore-duplicates'),
  ],
  [201, 'staff', 'POST', '/notifications', aNotification(account), representation],
  [200, 'staff', 'POST', '/notifications', aNotification(account), planJson],
  [200, 'customer', 'PATCH', '/quotes?id=eq.<quote>', { sport: 'soccer' }, representation],
  [
    200,
    'customer',
    'PATCH',
    '/quotes?id=eq.<quote>',
    { customer_notes: 'soon' },
    { ...representation, ...object },
  ],
  [200, 'customer', 'PATCH', '/quotes?id=eq.<quote>&select=sport', { sport: 'golf' }, representation],
  [204, 'customer', 'PATCH', '/quotes?id=eq.<quote>', { status: 'submitted' }],
  [204, 'customer', 'PATCH', '/quotes?sport=eq.chess', { sport: 'golf' }, prefer('count=exact')],
  [200, 'customer', 'PATCH', '/quotes?sport=eq.chess', { sport: 'golf' }, representation],
  [412, 'customer', 'PATCH', '/quotes?id=eq.<quote>', { sport: 'golf' }, { 'if-match': '"1-x"' }],
  [404, 'customer', 'PATCH', '/quotes', [{ id: randomUUID(), sport: 'golf' }]],
  [400, 'customer', 'PATCH', '/quotes', { sport: 'golf' }],
  [
    400,
    'customer',
    'PATCH',
    '/quotes?sport=eq.hockey',
    { sport: 'golf' },
    prefer('handling=strict', 'max-affected=1'),
  ],
  [403, 'customer', 'PATCH', '/quotes?id=eq.<quote>', { unit_price: 5 }],
  [409, 'customer', 'PATCH', '/quotes?id=eq.<quote>', { status: 'ordered' }],
  [204, 'customer', 'PATCH', '/notifications?id=eq.<notification>', { dismissed: true }],
  [200, 'staff', 'PATCH', '/quotes?id=eq.<quote>', { internal_notes: 'a' }, planText],
  [200, 'staff', 'PATCH', '/quotes?id=eq.<quote>', { internal_notes: 'a' }, { ...representation, ...csv }],
  [204, 'customer', 'DELETE', '/quotes?id=eq.<quote>'],
  [200, 'customer', 'DELETE', '/quotes?id=eq.<quote>', undefined, representation],
  [400, 'customer', 'DELETE', '/quotes'],
  [
    200,
    'customer',
    'DELETE',
    '/notifications?id=eq.<notification>',
    undefined,
    { ...representation, ...object },
  ],
  [204, 'staff', 'DELETE', '/graphics?id=eq.<graphic>', undefined, prefer('return=minimal', 'count=exact')],
  [412, 'staff', 'DELETE', '/graphics?id=eq.<graphic>', undefined, { 'if-match': '"1-x"' }],
  [
    204,
    'staff',
    'PUT',
    '/graphics?id=eq.aaaaaaaa-0000-4000-8000-000000000001',
    aGraphic({ id: 'aaaaaaaa-0000-4000-8000-000000000001' }),
  ],
  [
    201,
    'staff',
    'PUT',
    '/graphics?id=eq.aaaaaaaa-0000-4000-8000-000000000002',
    aGraphic({ id: 'aaaaaaaa-0000-4000-8000-000000000002' }),
    representation,
  ],
  [
    200,
    'staff',
    'PUT',
    '/graphics?id=eq.aaaaaaaa-0000-4000-8000-000000000002',
    aGraphic({ id: 'aaaaaaaa-0000-4000-8000-000000000002' }),
    representation,
  ],
  [405, 'staff', 'PUT', '/graphics?name=eq.x', aGraphic()],
];

const others: Request[] = [
  ...everyone(200, '/'),
  ...everyone(200, '/', accept('application/openapi+json;version=2')),
  ...everyone(200, '/', accept('application/typescript')),
  [406, 'customer', 'GET', '/', undefined, { 'accept-profile': 'billing' }],
  [200, 'customer', 'POST', '/rpc/next_quote_number'],
  [200, 'customer', 'POST', '/rpc/next_quote_number', undefined, accept('text/csv')],
  [200, 'customer', 'POST', '/rpc/next_quote_number', undefined, accept('application/vnd.pgrst.object+json')],
  [406, 'customer', 'POST', '/rpc/next_quote_number', undefined, accept('text/plain')],
  [404, 'customer', 'POST', '/rpc/next_quote_number', { a: 1 }],
  [404, 'customer', 'POST', '/rpc/duplicate_quote', { id: crypto.randomUUID() }],
  [400, 'customer', 'POST', '/rpc/duplicate_quote', { id: 'x' }],
  [406, 'customer', 'POST', '/rpc/duplicate_quote', { id: crypto.randomUUID() }, accept('text/csv')],
];

const requests = [...reads, ...writes, ...others];

describe('an answer is as the OpenAPI document says', () => {
  it('to more than a hundred requests', () => {
    expect(requests.length).toBeGreaterThan(100);
  });

  it('or the comparison says what differs', () => {
    const problemsOf = (path: string, status: number, text: string, more: Sent = {}) => {
      const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', ...more });
      return comparisons.customer.problemsOf('GET', path, { status, headers, text, body: undefined });
    };
    expect(problemsOf('/quotes', 418, '[]')).toEqual(['418 is not described']);
    expect(problemsOf('/quotes', 200, '[]', { 'x-new': '' })).toEqual([expect.stringContaining('x-new')]);
    expect(problemsOf('/quotes', 200, '', {})).toEqual(['200 has no body']);
    expect(problemsOf('/quotes', 200, '[]', { 'content-type': 'image/png' })).toEqual([
      'image/png is not described',
    ]);
    expect(problemsOf('/quotes', 200, '[{"id":5}]')).toEqual([
      expect.stringMatching(/must have required property 'account_id'.*must be string/),
    ]);
    expect(problemsOf('/quotes?select=id', 200, '[{"id":5}]')).toEqual([
      expect.stringMatching(/^\S+ must be string/),
    ]);
  });

  it.each(
    requests.map(request => {
      const [status, name, method, path, , headers] = request;
      return [
        `${status} to ${method} ${path.slice(0, 99)} of ${name} ${JSON.stringify(headers ?? {}).slice(0, 99)}`,
        request,
      ] as const;
    }),
  )('%s', async (_, [status, name, method, template, body, headers]) => {
    const path = template.replace(/<\w+>/, mark => String(unused[mark]?.shift()));
    const reply = await callers[name].send(method, path, body, headers);
    expect(reply.status, reply.text).toBe(status);
    expect(comparisons[name].problemsOf(method, path, reply)).toEqual([]);
  });
});
