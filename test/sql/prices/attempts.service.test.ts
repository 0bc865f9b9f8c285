/** A price is what both saw: what a customer who wants a lower price, and staff with an old page, may try over HTTP. */
import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { describe, expect, it } from 'vitest';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Caller, type Reply, representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const prices = { unit_price: 1, total_price: 5 };
const priced = { status: 'quoted', ...prices };

async function aDraft(more: object = {}): Promise<string> {
  const row = aQuote(account, { roster_count: 5, ...more });
  const { body } = await customer.send('POST', '/quotes?select=id', row, representation);
  return body[0].id;
}

const change = (caller: Caller, id: string, values: object, filter = '', headers = {}): Promise<Reply> =>
  caller.send('PATCH', `/quotes?id=eq.${id}${filter}`, values, headers);
const read = (id: string): Promise<Reply> => staff.get(`/quotes?id=eq.${id}&select=*`);
const etagOf = async (id: string): Promise<string> => (await read(id)).headers.get('etag') ?? '';

/** As the filter of a request that names what it read. */
async function versionOf(id: string): Promise<string> {
  return `&updated_at=eq.${encodeURIComponent((await read(id)).body[0].updated_at)}`;
}

/** Makes the changes, all of which must succeed, as whoever makes each. */
async function happen(id: string, ...changes: Step[]): Promise<void> {
  for (const [caller, values] of changes) {
    expect(await change(caller, id, values, await versionOf(id))).toMatchObject({ status: 204 });
  }
}

/** Who writes what. */
type Step = [caller: Caller, values: object];
const byStaff = (values: object): Step => [staff, values];
const byCustomer = (values: object): Step => [customer, values];

const submit = byCustomer({ status: 'submitted' });
const withdraw = byCustomer({ status: 'draft' });
const enlarge = byCustomer({ roster_count: 500 });
const withdrawEnlarged = byCustomer({ status: 'draft', roster_count: 500 });
const note = byCustomer({ customer_notes: 'two' });
const quote = byStaff(priced);
const quoteInEuros = byStaff({ ...priced, currency: 'EUR' });
const inEuros = byStaff({ currency: 'EUR' });
const redesign = byStaff({ customization: { team: 'Bears' }, roster_count: 20, total_price: 500 });
const takeBack = byStaff({ status: 'submitted' });
const approved = { status: 'approved' };
const approve = byCustomer(approved);
const refused = { status: 409, body: { code: 'PT409' } };

async function aSubmitted(): Promise<string> {
  const id = await aDraft();
  await happen(id, submit);
  return id;
}

async function aQuoted(): Promise<string> {
  const id = await aSubmitted();
  expect((await change(staff, id, priced)).status).toBe(204);
  return id;
}

type Attempt = [what: string, start: () => Promise<string>, before: Step[], attempt: Step];

const reject = byCustomer({ status: 'rejected' });

const needVersion: Attempt[] = [
  ['staff price a draft', aDraft, [], quote],
  ['staff order one at a price', aDraft, [enlarge], byStaff({ status: 'ordered', ...prices })],
  ['staff price a quote that was enlarged', aSubmitted, [withdraw, enlarge, submit], quote],
  ['it was priced in between', aSubmitted, [withdraw, enlarge, submit, quote, takeBack], quote],
  [
    'it is offered at another price',
    aSubmitted,
    [withdraw, enlarge, submit, quote],
    byStaff({ total_price: 4 }),
  ],
  ['it was enlarged in the request that withdrew it', aSubmitted, [withdrawEnlarged, submit], quote],
  ['the last price came with another design', aQuoted, [redesign], byStaff({ total_price: 45 })],
  ['staff price what was approved', aQuoted, [approve], byStaff({ ...priced, total_price: 6 })],

  ['staff approve a draft', aDraft, [], byStaff(approved)],
  ['a customer approves another price', aQuoted, [byStaff({ total_price: 1000 })], approve],
  ['a customer approves another currency', aQuoted, [byStaff({ currency: 'EUR' })], approve],
  ['a customer approves another size', aQuoted, [byStaff({ roster_count: 3 })], approve],
  ['a customer approves a new offer', aQuoted, [takeBack, byStaff({ ...priced, total_price: 9 })], approve],
  ['a customer approves once more', aQuoted, [approve, byStaff({ ...priced, total_price: 6 })], approve],
];

it.each(needVersion)('the version is needed when %s', async (_, start, before, [caller, values]) => {
  const id = await start();
  const old = await versionOf(id);
  await happen(id, ...before);
  const { status: unchanged } = (await read(id)).body[0];
  const reply = await change(caller, id, values);
  expect(reply).toMatchObject(refused);
  expect(reply.body.hint).toMatch(
    /\.match\(\{ id, (updated_at|total_price) \}\).*&\1=eq\..*read of \1 in the body(, or its ETag in If-Match)?\.$/,
  );
  expect((await change(caller, id, values, '', { 'if-match': '*' })).status).toBe(409);
  if (before.length > 0) {
    await change(caller, id, values, old);
    expect((await read(id)).body[0].status).toBe(unchanged);
  }
  expect((await change(caller, id, values, '', { 'if-match': await etagOf(id) })).status).toBe(204);
});

const needNone: Attempt[] = [
  ['staff price a draft’s estimate', aDraft, [], byStaff(prices)],
  ['staff price a draft that was withdrawn', aSubmitted, [withdraw], byStaff(prices)],
  ['a program prices what a program submitted', aDraft, [enlarge, takeBack], quote],
  ['staff price after a phone and a note', aSubmitted, [note, byCustomer({ contact_phone: '2' })], quote],
  ['it was withdrawn and submitted unchanged', aSubmitted, [withdraw, submit], quote],
  ['staff price a quote that they took back', aQuoted, [note, takeBack], quote],
  ['it was rejected and submitted again', aQuoted, [reject, submit], quote],
  ['it has its prices already', aSubmitted, [byStaff(prices)], byStaff({ status: 'quoted' })],
  ['staff change the price after a change', aQuoted, [note], byStaff({ total_price: 7 })],
  ['its currency was offered', aQuoted, [quoteInEuros, takeBack, inEuros], quote],
  ['a customer approves the only price', aQuoted, [byStaff({ internal_notes: 'mine' })], approve],
  ['staff approve a quote that was ordered', aQuoted, [byStaff({ status: 'ordered' })], byStaff(approved)],
];

it.each(needNone)('no version is needed when %s', async (_, start, before, [caller, values]) => {
  const id = await start();
  await happen(id, ...before);
  expect((await change(caller, id, values)).status).toBe(204);
});

it('a quote in another currency than dollars is quoted only by a request that names the currency', async () => {
  const id = await aDraft({ currency: 'VND' });
  await happen(id, submit);
  const { status, body } = await change(staff, id, priced);
  expect([status, body.code, body.message]).toEqual([409, 'PT409', expect.stringContaining('currency')]);
  expect(body.hint).toContain("currency: 'VND'");
  expect((await change(staff, id, { ...priced, currency: 'VND' })).status).toBe(204);
});

it('a customer approves by naming the total, unless staff changed other terms at the same total', async () => {
  const [priced, other] = [await aQuoted(), await aQuoted()];
  await happen(priced, byStaff({ total_price: 1000 }));
  await change(customer, priced, approved, '&total_price=eq.5');
  expect((await read(priced)).body[0].status).toBe('quoted');
  expect((await change(customer, priced, approved, '&total_price=eq.1000')).status).toBe(204);
  await happen(other, byStaff({ roster_count: 500 }));
  expect(await change(customer, other, approved, '&total_price=eq.5')).toMatchObject(refused);
});

describe('a body', () => {
  /** Ways to send a body that has the id of its row. */
  const ways: [way: string, send: (caller: Caller, row: { id: string }) => Promise<Reply>][] = [
    ['PATCH', (caller, row) => change(caller, row.id, row)],
    ['PATCH of an array', (caller, row) => caller.send('PATCH', '/quotes', [row])],
    ['PUT', (caller, row) => caller.send('PUT', `/quotes?id=eq.${row.id}`, row)],
    ['an upsert', (caller, row) => caller.send('POST', '/quotes', row, upsert)],
  ];
  const upsert = { prefer: 'resolution=merge-duplicates' };
  const rowOf = async (caller: Caller, id: string) => (await caller.get(`/quotes?id=eq.${id}`)).body[0];

  it.each(ways)('with the whole row that was read names its version: %s', async (_, send) => {
    const id = await aSubmitted();
    await happen(id, withdrawEnlarged, submit);
    const stale = { ...(await rowOf(staff, id)), ...priced };
    await happen(id, note);
    expect(await send(staff, stale)).toMatchObject(refused);
    expect((await send(staff, { ...(await rowOf(staff, id)), ...priced })).status).toBeLessThan(300);
    await happen(id, byStaff({ total_price: 6 }));
    const old = { ...(await rowOf(customer, id)), ...approved };
    await happen(id, byStaff({ total_price: 7 }));
    const { message } = (await send(customer, old)).body;
    expect(message).toContain('The price has changed');
    expect((await send(customer, { ...(await rowOf(customer, id)), ...approved })).status).toBeLessThan(300);
  });

  it('with the total_price approves that price, and no other', async () => {
    const id = await aQuoted();
    await happen(id, byStaff({ total_price: 1000 }));
    for (const total_price of [5, 6]) {
      const { status, body } = await change(customer, id, { ...approved, total_price });
      expect([status, body.code, body.message]).toEqual([
        409,
        'PT409',
        expect.stringContaining('The price has changed'),
      ]);
    }
    expect((await change(customer, id, { ...approved, total_price: 1000 })).status).toBe(204);
  });

  it('names the row of its own id only: not each row of a filter, nor by a key of another row', async () => {
    const id = await aSubmitted();
    await happen(id, withdrawEnlarged, submit);
    const { updated_at } = await rowOf(staff, id);
    const path = `/quotes?account_id=eq.${account}&quote_number=eq.QT-2026-00001`;
    expect(await staff.send('PATCH', path, { ...priced, updated_at })).toMatchObject(refused);
    const mixed = [
      { id, ...priced },
      { id: await aSubmitted(), ...priced, updated_at },
    ];
    expect(await staff.send('PATCH', '/quotes', mixed)).toMatchObject({ status: 400 });
    const named = `/quotes?columns=status,unit_price,total_price,updated_at`;
    expect(await staff.send('PATCH', named, [{ id, ...priced }])).toMatchObject(refused);
    expect(await change(staff, id, { ...priced, updated_at: '2026-01-01' })).toMatchObject(refused);
    expect((await change(staff, id, { ...priced, updated_at })).status).toBe(204);
  });
});

describe('one request', () => {
  const number = () => `QT-2026-${String(Math.floor(Math.random() * 1e5)).padStart(5, '0')}`;

  async function twoOf(quote_number: string, ...moves: Step[]): Promise<string[]> {
    const ids = [await aDraft({ quote_number }), await aDraft({ quote_number })];
    for (const id of ids) {
      await happen(id, submit, ...moves);
    }
    return ids;
  }
  const statusesOf = async (quote_number: string): Promise<string[]> => {
    const { body } = await staff.get(`/quotes?quote_number=eq.${quote_number}&select=status`);
    return body.map(({ status }: { status: string }) => status);
  };

  it('prices and approves one quote: a filter without an id is refused, also when one of several has the price', async () => {
    const quote_number = number();
    const [first = ''] = await twoOf(quote_number);
    const path = `/quotes?quote_number=eq.${quote_number}`;
    const reply = await staff.send('PATCH', path, priced);
    expect(reply).toMatchObject(refused);
    expect(reply.body.hint).toContain(".eq('id', quote.id)");
    expect((await change(staff, first, priced)).status).toBe(204);
    expect(await staff.send('PATCH', path, priced)).toMatchObject(refused);
    expect(await staff.send('PATCH', path, { total_price: 5 })).toMatchObject(refused);
    expect(await customer.send('PATCH', path, approved)).toMatchObject(refused);
    expect((await statusesOf(quote_number)).sort()).toEqual(['quoted', 'submitted']);
    expect((await staff.send('PATCH', path, { internal_notes: 'both' })).status).toBe(204);
  });

  it('prices each by its key: PATCH with an array, and an upsert', async () => {
    const patched = (await twoOf(number())).map(id => ({ id, ...priced }));
    expect((await staff.send('PATCH', '/quotes', patched)).status).toBe(204);
    const upserted = (await twoOf(number())).map(id => ({ ...aQuote(account), id, ...priced }));
    const headers = { prefer: 'resolution=merge-duplicates' };
    expect((await staff.send('POST', '/quotes', upserted, headers)).status).toBe(200);
    for (const { id } of upserted) {
      expect((await change(customer, id, { status: 'approved' })).status).toBe(204);
    }
  });
});

describe('a version of one row names no other row that the same request wrote', () => {
  /** Two quotes that have had two offers each, the last ones written by one request, which returns them. */
  async function twoOffers(): Promise<[read: Reply['body'], other: Reply['body']]> {
    const [id, other] = [await aQuoted(), await aQuoted()];
    await happen(id, withdrawn);
    await happen(other, withdrawn);
    const rows = [id, other].map(id => ({ id, ...priced, total_price: id === other ? 5000 : 20 }));
    const versioned = await Promise.all(
      rows.map(async row => ({ ...row, updated_at: (await read(row.id)).body[0].updated_at })),
    );
    const { status, body } = await staff.send('PATCH', '/quotes', versioned, representation);
    expect([status, body.length]).toEqual([200, 2]);
    return [id, other].map(id => body.find((row: { id: string }) => row.id === id)) as [object, object];
  }
  const withdrawn = byStaff({ status: 'submitted', roster_count: 6 });

  it.each<[where: string, approve: (id: string, read: Reply['body']) => Promise<Reply>]>([
    [
      'If-Match',
      async (id, read) => change(customer, id, approved, '', { 'if-match': await etagOf(read.id) }),
    ],
    [
      'the filter',
      (id, { updated_at }) =>
        change(customer, id, approved, `&updated_at=eq.${encodeURIComponent(updated_at)}`, representation),
    ],
    ['the body', (id, { updated_at }) => change(customer, id, { ...approved, updated_at })],
  ])('in %s', async (_, approve) => {
    const [seen, other] = await twoOffers();
    await approve(other.id, seen);
    expect((await read(other.id)).body[0].status).toBe('quoted');
    expect((await approve(seen.id, seen)).status).toBeLessThan(300);
    expect((await read(seen.id)).body[0].status).toBe('approved');
  });

  it('also for rows that one request inserts', async () => {
    const rows = [aQuote(account), aQuote(account)];
    const { body } = await staff.send('POST', '/quotes', rows, representation);
    expect(body[0].updated_at).not.toBe(body[1].updated_at);
  });
});

describe('If-Match names a version that was read', () => {
  it('not one of several, which a client may have guessed', async () => {
    const id = await aQuoted();
    await happen(id, byStaff({ total_price: 1000 }));
    const tags = [await etagOf(id)];
    await happen(id, byStaff({ total_price: 2000 }));
    tags.push(await etagOf(id));
    expect(await change(customer, id, approved, '', { 'if-match': tags.join() })).toMatchObject(refused);
    expect((await change(customer, id, approved, '', { 'if-match': tags[1] ?? '' })).status).toBe(204);
  });

  it('not the tag of a save that returned nothing, unless the save named the version before', async () => {
    const id = await aQuoted();
    await happen(id, byStaff({ total_price: 1000 }));
    const save = async (headers = {}) =>
      (await change(customer, id, { customer_notes: 'soon' }, '', headers)).headers.get('etag') ?? '';
    const unread = { 'if-match': await save() };
    expect(await change(customer, id, approved, '', unread)).toMatchObject(refused);
    expect(await change(customer, id, approved, '', { 'if-match': await save(unread) })).toMatchObject(
      refused,
    );
    const bare = await change(customer, id, { customer_notes: 'now' }, '&select=id', representation);
    const withoutPrice = { 'if-match': bare.headers.get('etag') ?? '' };
    expect(await change(customer, id, approved, '', withoutPrice)).toMatchObject(refused);
    const named = await change(customer, id, { customer_notes: 'soon' }, await versionOf(id));
    const chained = await save({ 'if-match': named.headers.get('etag') ?? '' });
    expect((await change(customer, id, approved, '', { 'if-match': chained })).status).toBe(204);
  });
});

it('the hint of a price that was approved leads to another offer', async () => {
  const id = await aQuoted();
  await happen(id, approve);
  const { body } = await change(staff, id, { total_price: 90 });
  expect([body.code, body.hint]).toEqual([
    'PT409',
    expect.stringContaining("status: 'quoted', unit_price, total_price"),
  ]);
  expect((await change(staff, id, { ...priced, total_price: 90 }, await versionOf(id))).status).toBe(204);
});

it('psql names the version by a setting of its transaction beside the filter', async () => {
  const id = await aDraft();
  const price = (sql: Sql | TransactionSql) =>
    sql`update builder.quotes set status = 'quoted', unit_price = 1, total_price = 5 where id = ${id}`;
  await expect(price(service.sql)).rejects.toMatchObject({ code: 'PT409' });
  await service.sql.begin(async transaction => {
    await transaction`set local request.version = 'compared'`;
    await price(transaction);
  });
  expect((await read(id)).body[0].status).toBe('quoted');
});
