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
const read = async (id: string): Promise<Reply['body']> =>
  (await staff.get(`/quotes?id=eq.${id}&select=*`)).body[0];
const etagOf = async (id: string): Promise<string> =>
  (await staff.get(`/quotes?id=eq.${id}&select=*`)).headers.get('etag') ?? '';
const statusOf = async (id: string): Promise<string> => (await read(id)).status;

/** The columns by which a request names what its caller has read. */
const nameColumns = ['updated_at', 'submitted_at', 'quoted_at', 'total_price'];

/** Returns the names that the update in a hint has besides its change, with the values that are read now. */
async function asHinted(id: string, { hint }: { hint: string }, own: object = {}): Promise<object> {
  const row = await read(id);
  const [, written = ''] = /\.update\(\{ (.*?) \}\)/.exec(hint) ?? [];
  const names = written.split(', ').filter(name => nameColumns.includes(name) && !Object.hasOwn(own, name));
  return { ...own, ...Object.fromEntries(names.map(name => [name, row[name]])) };
}

/** Makes the changes, each by whoever makes it, and as its hint says where it is refused at first. */
async function happen(id: string, ...changes: Step[]): Promise<void> {
  for (const [caller, values] of changes) {
    const reply = await change(caller, id, values);
    if (reply.status !== 204) {
      expect(reply).toMatchObject(refused);
      expect(await change(caller, id, await asHinted(id, reply.body, values))).toMatchObject({ status: 204 });
    }
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
const redesign = byStaff({ customization: { team: 'Bears' }, roster_count: 20, total_price: 500 });
const takeBack = byStaff({ status: 'submitted' });
const approved = { status: 'approved' };
const approve = byCustomer(approved);
const refused = { status: 409, body: { code: 'PT409' } };
const offerChanged = { code: 'PT409', message: 'The offer has changed, so nothing was written' };

/** As the filter of a request that names what it read. */
const versionFilter = async (id: string): Promise<string> =>
  `&updated_at=eq.${encodeURIComponent((await read(id)).updated_at)}`;

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

/** `names`: what the request must name, as the hint has it. */
type Named = [what: string, start: () => Promise<string>, before: Step[], attempt: Step, names: string];

const version = 'updated_at';
const submission = 'updated_at, submitted_at';
const size = byStaff({ roster_count: 3 });

const needNames: Named[] = [
  ['staff price a draft', aDraft, [], quote, version],
  ['staff order one at a price', aDraft, [enlarge], byStaff({ status: 'ordered', ...prices }), version],
  ['it was priced in between', aSubmitted, [withdraw, enlarge, submit, quote, takeBack], quote, submission],
  [
    'it is offered at another price',
    aSubmitted,
    [withdraw, enlarge, submit, quote],
    byStaff({ total_price: 4 }),
    submission,
  ],
  [
    'it was enlarged in the request that withdrew it',
    aSubmitted,
    [withdrawEnlarged, submit],
    quote,
    submission,
  ],
  ['the last price had another design', aQuoted, [redesign], byStaff({ total_price: 45 }), submission],
  ['staff approve a draft', aDraft, [], byStaff(approved), version],
  ['staff approve at a first price', aSubmitted, [], byStaff({ ...approved, ...prices }), submission],
  ['a customer approves another currency', aQuoted, [byStaff({ currency: 'EUR' })], approve, 'quoted_at'],
  [
    'a customer approves a new offer',
    aQuoted,
    [takeBack, byStaff({ ...priced, total_price: 9 })],
    approve,
    'total_price',
  ],
  ['staff order another size', aQuoted, [size], byStaff({ status: 'ordered' }), 'quoted_at'],
];

it.each(needNames)('what was read is named when %s', async (_, start, before, [caller, values], names) => {
  const id = await start();
  await happen(id, ...before);
  const unchanged = await statusOf(id);
  const reply = await change(caller, id, values);
  expect(reply).toMatchObject(refused);
  const { hint } = reply.body;
  expect(hint).toContain(`, ${names} }).eq('id', id).select('status').single().throwOnError()`);
  expect(hint).toContain(`PATCH …/quotes?id=eq.${id}, `);
  // A tag is a precondition: it can be had without reading.
  expect((await change(caller, id, values, '', { 'if-match': await etagOf(id) })).status).toBe(409);
  const stale = await asHinted(id, reply.body, values);
  await happen(id, note);
  await happen(id, byStaff({ internal_notes: 'called' }));
  if (names.includes('updated_at')) {
    expect(await change(caller, id, stale)).toMatchObject(refused);
  }
  expect(await statusOf(id)).toBe(unchanged);
  expect((await change(caller, id, await asHinted(id, reply.body, values))).status).toBe(204);
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
  expect(await statusOf(priced)).toBe('quoted');
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

  it.each(ways)('with the whole row that was read names all of it: %s', async (_, send) => {
    const id = await aSubmitted();
    await happen(id, withdrawEnlarged, submit);
    const stale = { ...(await rowOf(staff, id)), ...priced };
    await happen(id, note);
    expect(await send(staff, stale)).toMatchObject(refused);
    expect((await send(staff, { ...(await rowOf(staff, id)), ...priced })).status).toBeLessThan(300);
    await happen(id, byStaff({ total_price: 6 }));
    const old = { ...(await rowOf(customer, id)), ...approved };
    await happen(id, byStaff({ total_price: 7 }));
    expect((await send(customer, old)).body).toMatchObject(offerChanged);
    const current = { ...(await rowOf(customer, id)), ...approved };
    await happen(id, byStaff({ internal_notes: 'called' }));
    expect((await send(customer, current)).status).toBeLessThan(300);
  });

  it.each(ways)('with another offer than the stored one approves nothing: %s', async (_, send) => {
    const id = await aQuoted();
    const first = await rowOf(customer, id);
    await happen(id, byStaff({ total_price: 1000 }), byStaff({ total_price: 5, roster_count: 500 }));
    const { customization, total_price, ...rest } = await rowOf(customer, id);
    for (const other of [{ quoted_at: first.quoted_at }, { total_price: 1000 }, { quoted_at: null }]) {
      const whole = { ...rest, customization, total_price, ...approved, ...other };
      const { status, body } = await send(customer, whole);
      expect([status, body]).toMatchObject([409, offerChanged]);
      const { hint } = body as { hint: string };
      expect(hint).toContain(id);
      expect(hint).toMatch(/total_price, quoted_at/);
    }
    expect(await statusOf(id)).toBe('quoted');
  });

  it('of staff with another price than the offered one is told to set the price first', async () => {
    const id = await aQuoted();
    const agreed = { ...approved, total_price: 4 };
    const { status, body } = await change(staff, id, agreed, await versionFilter(id));
    expect([status, body]).toMatchObject([409, offerChanged]);
    expect(body.hint).toContain('set the price first, then approve');
    expect(body.hint).not.toContain("status: 'approved'");
    const set = await asHinted(id, body, { ...priced, total_price: 4 });
    expect((await change(staff, id, set)).status).toBe(204);
    expect((await change(staff, id, agreed)).status).toBe(204);
  });

  it('names the row of its own id only: not each row of a filter, nor by a key of another row', async () => {
    const id = await aSubmitted();
    await happen(id, withdrawEnlarged, submit);
    const { updated_at, submitted_at } = await rowOf(staff, id);
    const path = `/quotes?account_id=eq.${account}&quote_number=eq.QT-2026-00001`;
    expect(await staff.send('PATCH', path, { ...priced, updated_at, submitted_at })).toMatchObject(refused);
    const mixed = [
      { id, ...priced },
      { id: await aSubmitted(), ...priced, updated_at },
    ];
    expect(await staff.send('PATCH', '/quotes', mixed)).toMatchObject({ status: 400 });
    const named = `/quotes?columns=status,unit_price,total_price,updated_at,submitted_at`;
    expect(await staff.send('PATCH', named, [{ id, ...priced }])).toMatchObject(refused);
    expect(await change(staff, id, { ...priced, updated_at })).toMatchObject(refused);
    expect(await change(staff, id, { ...priced, submitted_at })).toMatchObject(refused);
    expect((await change(staff, id, { ...priced, updated_at, submitted_at })).status).toBe(204);
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

describe('an array', () => {
  it('is told which of its quotes must be read again, and what its row must have', async () => {
    const [id, other] = [await aQuoted(), await aQuoted()];
    await happen(other, size);
    const reply = await customer.send(
      'PATCH',
      '/quotes',
      [id, other].map(id => ({ id, ...approved })),
    );
    expect(reply).toMatchObject(refused);
    expect(reply.body.hint).toContain(`Read the quote ${other} again`);
    expect(reply.body.hint).toContain("{ id, status: 'approved', quoted_at }");
    const rows = await Promise.all(
      [id, other].map(async id => ({ id, ...approved, quoted_at: (await read(id)).quoted_at })),
    );
    expect((await customer.send('PATCH', '/quotes', rows)).status).toBe(204);
  });

  it('with a name that one of its rows lacks is refused with what to send', async () => {
    const ids = [await aQuoted(), await aQuoted()];
    const rows = ids.map((id, index) => ({ id, ...approved, ...(index === 0 && { total_price: 5 }) }));
    const { status, body } = await customer.send('PATCH', '/quotes', rows);
    expect([status, body.hint]).toEqual([400, expect.stringContaining('send the same keys in all rows')]);
  });

  it('names no row by what names another of the same request', async () => {
    const [id, other] = [await aQuoted(), await aQuoted()];
    await happen(id, size);
    await happen(other, size);
    const { quoted_at } = await read(id);
    const reply = await change(customer, other, { ...approved, quoted_at });
    expect([reply.status, reply.body]).toMatchObject([409, offerChanged]);
    const rows = [aQuote(account), aQuote(account)];
    const { body } = await staff.send('POST', '/quotes', rows, representation);
    expect(body[0].updated_at).not.toBe(body[1].updated_at);
  });
});

describe('nothing is known without having been read', () => {
  /** Ways to get the tag of a row whose price and design are not shown. */
  const tags: [way: string, tag: (id: string) => Promise<Reply>][] = [
    ['HEAD', id => customer.send('HEAD', `/quotes?id=eq.${id}`, undefined)],
    ['304', id => customer.get(`/quotes?id=eq.${id}`, { 'if-none-match': '*' })],
    ['select=id', id => customer.get(`/quotes?id=eq.${id}&select=id`)],
    ['a read', id => customer.get(`/quotes?id=eq.${id}`)],
    ['a save', id => change(customer, id, { customer_notes: 'soon' })],
  ];
  it.each(tags)('the tag of %s approves nothing', async (_, tag) => {
    const id = await aQuoted();
    await happen(id, byStaff({ total_price: 1000 }));
    const etag = (await tag(id)).headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    expect(await change(customer, id, approved, '', { 'if-match': etag })).toMatchObject(refused);
    expect((await change(customer, id, { customer_notes: 'x' }, '', { 'if-match': etag })).status).toBe(204);
    expect((await change(customer, id, approved, '', { 'if-match': etag })).status).toBe(412);
  });
});

describe('a row of staff that is older than what its customer has corrected', () => {
  it.each([
    ['prices', aSubmitted, priced],
    ['orders', aQuoted, { status: 'ordered' }],
  ] as const)('%s nothing', async (_, start, values) => {
    const id = await start();
    const old = await read(id);
    await happen(id, byCustomer({ contact_email: 'right@example.com', shipping_address: { city: 'Ulm' } }));
    for (const send of [
      () => change(staff, id, { ...old, ...values }),
      () => staff.send('PATCH', '/quotes', [{ ...old, ...values }]),
      () => staff.send('PUT', `/quotes?id=eq.${id}`, { ...old, ...values }),
    ]) {
      const { status, body } = await send();
      expect([status, body.code, body.message]).toEqual([
        409,
        'PT409',
        expect.stringContaining('has changed since it was read'),
      ]);
      expect(body.hint).toContain(id);
    }
    expect(await read(id)).toMatchObject({ contact_email: 'right@example.com', status: old.status });
    expect((await change(staff, id, { ...(await read(id)), ...values })).status).toBe(204);
  });

  it('is saved where it neither prices nor orders, and a later time of its own clock is no obstacle', async () => {
    const id = await aSubmitted();
    const old = await read(id);
    await happen(id, note);
    expect((await change(staff, id, { ...old, internal_notes: 'called' })).status).toBe(204);
    const updated_at = new Date(Date.now() + 60_000).toISOString();
    expect((await change(staff, id, { ...priced, updated_at })).status).toBe(204);
    expect(Date.parse((await read(id)).updated_at)).toBeLessThan(Date.now() + 5000);
  });
});

describe('a hint has the whole update:', () => {
  it.each<[what: string, start: () => Promise<string>, steps: Step[], values: object]>([
    ['an approval at a first price', aSubmitted, [], { ...approved, ...prices }],
    ['an order of a draft at a price', aDraft, [], { status: 'ordered', ...prices }],
    ['a submission with a price', aDraft, [], { status: 'submitted', ...prices }],
    [
      'a rejection at a price',
      aSubmitted,
      [withdraw, enlarge, submit],
      { status: 'rejected', total_price: 1 },
    ],
    ['another size of what was approved', aQuoted, [approve], { roster_count: 3 }],
    ['another size of what was ordered', aQuoted, [byStaff({ status: 'ordered' })], { roster_count: 3 }],
  ])('%s', async (_, start, steps, values) => {
    const id = await start();
    await happen(id, ...steps);
    const { status, body } = await change(staff, id, values);
    expect([status, body.code]).toEqual([409, 'PT409']);
    const [, update = ''] = /\.update\(\{ (.*?) \}\)/.exec(body.hint) ?? [];
    for (const [name, value] of Object.entries(values)) {
      expect(update).toContain(name === 'status' ? `status: '${value}'` : name);
    }
    const shown = /status: '(\w+)'/.exec(update)?.[1];
    const more = shown === 'quoted' ? priced : {};
    expect((await change(staff, id, await asHinted(id, body, { ...values, ...more }))).status).toBe(204);
    expect(await read(id)).toMatchObject({ ...values, ...(shown && { status: shown }) });
  });

  it('a row that was read, with what is changed', async () => {
    const id = await aSubmitted();
    const old = await read(id);
    await happen(id, note);
    const { body } = await change(staff, id, { ...old, ...priced });
    expect(body.hint).toContain(
      ".update({ ...row, status: 'quoted', unit_price, total_price, currency, updated_at, submitted_at }).eq('id', id)",
    );
  });

  it('what has expired is offered longer, or asked for again', async () => {
    const id = await aQuoted();
    await service.sql.begin(async own => {
      // As if its end had passed meanwhile.
      await own`set local session_replication_role = replica`;
      await own`update builder.quotes set expires_at = now() where id = ${id}`;
    });
    const [ofCustomer, ofStaff] = [await change(customer, id, approved), await change(staff, id, approved)];
    expect(ofCustomer.body.hint).toContain(".update({ status: 'submitted' })");
    expect(ofStaff.body.hint).toContain(".update({ status: 'approved', expires_at: null })");
    expect((await change(staff, id, { ...approved, expires_at: null })).status).toBe(204);
  });
});

describe('a stamp', () => {
  const future = '2999-01-01T00:00:00+00:00';
  const times = ['created_at', 'updated_at', 'submitted_at', 'quoted_at', 'approved_at'];
  const isPast = (row: Reply['body'], names: string[]) =>
    expect(names.filter(name => Date.parse(row[name]) > Date.now() + 5000)).toEqual([]);

  it('after now becomes now, so that the next versions of two rows differ', async () => {
    const stamps = Object.fromEntries(times.map(name => [name, future]));
    const made = [1, 2].map(() => aQuote(account, { ...stamps, ...priced, status: 'approved' }));
    const { body } = await staff.send('POST', '/quotes', made, representation);
    const ids = body.map((row: { id: string }) => row.id);
    for (const row of body) {
      isPast(row, times);
    }
    const path = `/quotes?id=in.(${ids})`;
    const saved = await staff.send('PATCH', path, { internal_notes: 'x' }, representation);
    expect(saved.body[0].updated_at).not.toBe(saved.body[1].updated_at);
    const id = await aSubmitted();
    await happen(
      id,
      byStaff({ ...priced, quoted_at: future }),
      byStaff({ ...approved, approved_at: future }),
    );
    isPast(await read(id), times);
  });

  it('that was read names what it names, and is no new stamp', async () => {
    const id = await aQuoted();
    const { quoted_at, submitted_at } = await read(id);
    await happen(id, byStaff({ quoted_at: '2026-01-01', submitted_at: future, internal_notes: 'x' }));
    expect(await read(id)).toMatchObject({ quoted_at, submitted_at });
    await happen(id, byStaff({ total_price: 6, quoted_at }));
    expect((await read(id)).quoted_at).not.toBe(quoted_at);
  });

  it('is later by a millisecond than the one that it replaces, also if staff supply it', async () => {
    const made = { ...priced, updated_at: '2026-01-03', quoted_at: '2026-02-03T00:00:00.123456Z' };
    const { body } = await staff.send('POST', '/quotes', aQuote(account, made), representation);
    const [{ id, quoted_at }] = body;
    for (const supplied of ['2026-02-03T00:00:00.123Z', '2026-02-03T00:00:00.123999Z']) {
      expect((await change(staff, id, { total_price: 60, quoted_at: supplied })).status).toBe(204);
      const { body: told } = await change(customer, id, { ...approved, quoted_at });
      expect(told).toMatchObject(offerChanged);
      await change(staff, id, { total_price: 61 });
    }
  });
});

it('psql names what its filter compares by settings of its transaction', async () => {
  const id = await aDraft();
  const price = (sql: Sql | TransactionSql) =>
    sql`update builder.quotes set status = 'quoted', unit_price = 1, total_price = 5 where id = ${id}`;
  await expect(price(service.sql)).rejects.toMatchObject({ code: 'PT409' });
  await service.sql.begin(async transaction => {
    await transaction`set local request.rows = 'one'`;
    await transaction`set local request.compared = 'updated_at'`;
    await price(transaction);
  });
  expect(await statusOf(id)).toBe('quoted');
});
