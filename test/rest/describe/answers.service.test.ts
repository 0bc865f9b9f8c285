/** Answers of the service, of all kinds, are as the OpenAPI document of their caller says. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Caller, callerOf, representation } from '../../setup/wire.ts';
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
  const quote = () => aQuote(account, { colors: { primary: '#fff' }, size_breakdown: { M: 7 } });
  const graphic = () => aGraphic({ tags: ['animal', null], file_size: 1024 });
  for (const [mark, path, rows] of [
    ['<quote>', '/quotes', twenty(quote)],
    ['<graphic>', '/graphics', twenty(graphic)],
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
const one = { ...representation, ...object };
const stripped = accept('application/vnd.pgrst.array+json;nulls=stripped');
const csv = accept('text/csv');
const planJson = accept('application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose');
const planText = accept('application/vnd.pgrst.plan+text');
const get = (status: number, name: Name, path: string, headers: Sent = {}): Request => {
  return [status, name, 'GET', path, undefined, headers];
};
const everyone = (status: number, path: string, headers: Sent = {}): Request[] =>
  names.map(name => get(status, name, path, headers));

const reads: Request[] = [
  ...everyone(200, '/graphics'),
  ...everyone(206, '/graphics?limit=3&offset=2', prefer('count=exact')),
  ...everyone(200, '/graphics?id=eq.<graphic>', object),
  ...everyone(304, '/graphics?id=eq.<graphic>', { 'if-none-match': '*' }),
  ...everyone(416, '/graphics?offset=1000', prefer('count=exact')),
  ...everyone(406, '/graphics', object),
  ...everyone(400, '/graphics?colour=eq.red'),
  [401, 'anonymous', 'GET', '/graphics', undefined, { authorization: 'Bearer expired' }],
  [200, 'customer', 'HEAD', '/graphics?limit=2'],
  get(200, 'customer', '/quotes'),
  get(200, 'customer', '/quotes?select=id,status,customization->team&status=in.(draft,submitted)'),
  get(200, 'customer', '/quotes?select=status,count()&limit=1', { 'accept-profile': 'public' }),
  get(200, 'customer', '/quotes?limit=5', prefer('timezone=America/Los_Angeles', 'handling=strict')),
  get(200, 'customer', '/quotes?id=eq.<quote>', accept('application/vnd.pgrst.object+json;nulls=stripped')),
  get(406, 'customer', '/quotes', accept('image/png')),
  get(400, 'customer', '/quotes', prefer('count=many', 'handling=strict')),
  get(403, 'customer', '/quotes?select=internal_notes'),
  get(414, 'customer', `/quotes?sport=eq.${'x'.repeat(17_000)}`),
  get(431, 'customer', '/quotes', prefer('x'.repeat(9000))),
  get(200, 'staff', '/quotes'),
  get(200, 'staff', '/quotes', planJson),
  get(200, 'staff', '/quotes?select=id', planText),
];

const draft = (more: object = {}) => aQuote(account, more);
const required = 'account_id,quote_number,product_id,sport,customization';
const graphicCsv = 'name,code,file_url,file_format\nA,A-1,https://a.test/a,svg';
const both = [draft({ sport: 'hockey' }), draft({ sport: 'hockey' })];
const c1 = aGraphic({ code: 'C-1' });
const merge = 'resolution=merge-duplicates';
const onCode = '/graphics?on_conflict=code';
const putId = 'aaaaaaaa-0000-4000-8000-000000000001';
const put = aGraphic({ id: putId });
const oneAtMost = prefer('handling=strict', 'max-affected=1');
const writes: Request[] = [
  [201, 'customer', 'POST', '/quotes', draft()],
  [201, 'customer', 'POST', '/quotes', draft(), one],
  [201, 'customer', 'POST', '/quotes', both, prefer('return=representation', 'count=exact')],
  [201, 'customer', 'POST', '/quotes', draft(), prefer('return=representation', 'tx=rollback')],
  [201, 'customer', 'POST', '/quotes', draft(), { ...representation, 'idempotency-key': 'a' }],
  [422, 'customer', 'POST', '/quotes', { ...draft(), sport: 'golf' }, { 'idempotency-key': 'a' }],
  [201, 'customer', 'POST', `/quotes?columns=${required}`, draft(), prefer('missing=default')],
  [400, 'customer', 'POST', '/quotes', { sport: 5, colors: { pink: '#f0f' } }],
  [403, 'customer', 'POST', '/quotes', { ...draft(), unit_price: 1 }],
  [409, 'customer', 'POST', '/quotes', { ...draft(), status: 'approved' }],
  [413, 'customer', 'POST', '/quotes', { ...draft(), sport: 'x'.repeat(1_100_000) }],
  [201, 'staff', 'POST', '/graphics', aGraphic(), { ...representation, ...stripped }],
  [201, 'staff', 'POST', '/graphics', graphicCsv, { ...representation, 'content-type': 'text/csv', ...csv }],
  [409, 'staff', 'POST', '/graphics', [aGraphic({ code: 'B-1' }), aGraphic({ code: 'B-1' })]],
  [201, 'staff', 'POST', onCode, c1, prefer('return=representation', merge)],
  [200, 'staff', 'POST', onCode, c1, prefer(merge)],
  [201, 'staff', 'POST', onCode, c1, prefer('return=representation', 'resolution=ignore-duplicates')],
  [201, 'staff', 'POST', '/notifications', aNotification(account), representation],
  [200, 'staff', 'POST', '/notifications', aNotification(account), planJson],
  [200, 'customer', 'PATCH', '/quotes?id=eq.<quote>', { company: 'a' }, one],
  [200, 'customer', 'PATCH', '/quotes?id=eq.<quote>&select=sport', { sport: 'golf' }, representation],
  [204, 'customer', 'PATCH', '/quotes?sport=eq.chess', { sport: 'golf' }, prefer('count=exact')],
  [412, 'customer', 'PATCH', '/quotes?id=eq.<quote>', { sport: 'golf' }, { 'if-match': '"1-x"' }],
  [404, 'customer', 'PATCH', '/quotes', [{ id: randomUUID(), sport: 'golf' }]],
  [400, 'customer', 'PATCH', '/quotes', { sport: 'golf' }],
  [400, 'customer', 'PATCH', '/quotes?sport=eq.hockey', { sport: 'golf' }, oneAtMost],
  [403, 'customer', 'PATCH', '/quotes?id=eq.<quote>', { unit_price: 5 }],
  [409, 'customer', 'PATCH', '/quotes?id=eq.<quote>', { status: 'ordered' }],
  [200, 'staff', 'PATCH', '/quotes?id=eq.<quote>', { internal_notes: 'a' }, planText],
  [200, 'staff', 'PATCH', '/quotes?id=eq.<quote>', { internal_notes: 'a' }, { ...representation, ...csv }],
  [204, 'customer', 'DELETE', '/quotes?id=eq.<quote>'],
  [200, 'customer', 'DELETE', '/notifications?id=eq.<notification>', undefined, one],
  [400, 'customer', 'DELETE', '/quotes'],
  [204, 'staff', 'DELETE', '/graphics?id=eq.<graphic>', undefined, prefer('return=minimal', 'count=exact')],
  [201, 'staff', 'PUT', `/graphics?id=eq.${putId}`, put, representation],
  [200, 'staff', 'PUT', `/graphics?id=eq.${putId}`, put, representation],
  [405, 'staff', 'PUT', '/graphics?name=eq.x', aGraphic()],
];

const others: Request[] = [
  ...everyone(200, '/'),
  ...everyone(200, '/', accept('application/typescript')),
  get(406, 'customer', '/', { 'accept-profile': 'billing' }),
  [200, 'customer', 'POST', '/rpc/next_quote_number'],
  [200, 'customer', 'POST', '/rpc/next_quote_number', undefined, accept('text/csv')],
  [406, 'customer', 'POST', '/rpc/next_quote_number', undefined, accept('text/plain')],
  [200, 'customer', 'POST', '/rpc/next_quote_number', undefined, prefer('tx=rollback')],
  [404, 'customer', 'POST', '/rpc/duplicate_quote', { id: randomUUID() }],
  [400, 'customer', 'POST', '/rpc/duplicate_quote', { id: 'x' }],
  [416, 'customer', 'POST', '/rpc/next_quote_number?limit=-1'],
  [404, 'staff', 'POST', '/rpc/redeliver', { id: 4711 }, object],
];

const requests = [...reads, ...writes, ...others];

const titled = requests.map(request => {
  const [status, name, method, path, , headers = {}] = request;
  const sent = Object.keys(headers).length > 0 ? ` with ${JSON.stringify(headers).slice(0, 99)}` : '';
  const title = `${status} to ${method} ${path.slice(0, 99)} by ${name}${sent}`;
  return [title, request] as const;
});
it.each(titled)('a response is as the OpenAPI document says: %s', async (_, [
  status,
  name,
  method,
  template,
  body,
  headers,
]) => {
  const path = template.replace(/<\w+>/, mark => String(unused[mark]?.shift()));
  const reply = await callers[name].send(method, path, body, headers);
  expect(reply.status, reply.text).toBe(status);
  expect(comparisons[name].problemsOf(method, path, reply)).toEqual([]);
});

it('a retried copy of over 64 KiB, whose body is not stored, is as the OpenAPI document says', async () => {
  const { staff } = callers;
  const large = aQuote(account, { customization: { notes: 'x'.repeat(70_000) } });
  const { id } = (await staff.send('POST', '/quotes', large, representation)).body[0];
  const send = (key: Sent) => staff.send('POST', '/rpc/duplicate_quote', { id }, key);
  const key = { 'idempotency-key': randomUUID() };
  await send(key);
  const retry = await send(key);
  expect(retry.status).toBe(201);
  expect(comparisons.staff.problemsOf('POST', '/rpc/duplicate_quote', retry)).toEqual([]);
});
