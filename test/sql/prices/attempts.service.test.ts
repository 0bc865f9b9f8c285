/** A price is what both saw: what a customer who wants a lower price, and staff with an old page, may try over HTTP. */
import { randomUUID } from 'node:crypto';
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
async function happen(id: string, ...changes: [Caller, object][]): Promise<void> {
  for (const [caller, values] of changes) {
    expect(await change(caller, id, values, await versionOf(id))).toMatchObject({ status: 204 });
  }
}

async function aSubmitted(): Promise<string> {
  const id = await aDraft();
  await happen(id, [customer, { status: 'submitted' }]);
  return id;
}

async function aQuoted(): Promise<string> {
  const id = await aSubmitted();
  expect((await change(staff, id, priced)).status).toBe(204);
  return id;
}

const refused = { status: 409, body: { code: 'PT409' } };

describe('staff who read a draft of 5', () => {
  it.each([
    ['makes it 500', [{ roster_count: 500 }]],
    ['makes it 500 and cancels', [{ roster_count: 500 }, { status: 'cancelled' }]],
  ])('cannot price it after its customer %s: 409, with a hint in the words of supabase-js', async (_, edits) => {
    const id = await aDraft();
    const old = await versionOf(id);
    const etag = await etagOf(id);
    await happen(id, ...edits.map((edit): [Caller, object] => [customer, edit]));
    expect(await change(staff, id, priced)).toMatchObject({
      ...refused,
      body: {
        message: expect.stringContaining('names the version'),
        hint: expect.stringContaining('.match({ id, updated_at })'),
      },
    });
    expect((await change(staff, id, priced, '', { 'if-match': '*' })).status).toBe(409);
    expect((await change(staff, id, priced, '', { 'if-match': etag })).status).toBe(412);
    await change(staff, id, priced, old);
    expect((await read(id)).body[0]).not.toMatchObject({ status: 'quoted' });
    const now = { 'if-match': await etagOf(id) };
    expect((await change(staff, id, priced, '', now)).status).toBe(204);
  });

  it('cannot price it after it was made 500 and the sweep expired it', async () => {
    const id = await aDraft();
    await happen(id, [staff, { expires_at: '2026-01-01' }], [customer, { roster_count: 500 }]);
    await service.sweep();
    expect((await read(id)).body[0].status).toBe('expired');
    expect(await change(staff, id, { ...priced, expires_at: null })).toMatchObject(refused);
  });

  it('names no version by the time alone, which other quotes may have, without the id', async () => {
    const id = await aDraft();
    const path = `/quotes?account_id=eq.${account}${await versionOf(id)}`;
    expect(await staff.send('PATCH', path, priced)).toMatchObject(refused);
  });

  it('cannot order it at a price after it was made 500', async () => {
    const id = await aDraft();
    await happen(id, [customer, { roster_count: 500 }]);
    expect(await change(staff, id, { status: 'ordered', ...prices })).toMatchObject(refused);
  });

  it('cannot price it by submitting it first', async () => {
    const id = await aDraft();
    await happen(id, [customer, { roster_count: 500 }]);
    expect((await change(staff, id, { status: 'submitted' })).status).toBe(204);
    expect(await change(staff, id, priced)).toMatchObject(refused);
  });
});

describe('prices that staff wrote into a draft', () => {
  it('are cleared when its customer edits it, and kept when it is only submitted', async () => {
    const edited = await aDraft();
    const kept = await aDraft();
    await happen(
      edited,
      [staff, prices],
      [customer, { roster_count: 500 }],
      [customer, { status: 'submitted' }],
    );
    await happen(kept, [staff, prices], [customer, { status: 'submitted' }]);
    expect((await read(edited)).body[0]).toMatchObject({ unit_price: null, total_price: null });
    expect((await read(kept)).body[0]).toMatchObject(prices);
  });

  it('are not quoted by the move alone: it names both, whatever their values', async () => {
    const id = await aDraft();
    await happen(id, [staff, prices], [customer, { status: 'submitted' }]);
    for (const values of [{}, { unit_price: 1 }, { total_price: 5 }]) {
      const { status, body } = await change(staff, id, { status: 'quoted', ...values });
      expect([status, body.code]).toEqual([409, 'PT409']);
      expect(body.hint).toContain('unit_price, total_price');
    }
    expect((await change(staff, id, priced)).status).toBe(204);
  });

  it('need the version to be written if it was submitted before, since its customer withdrew it', async () => {
    const id = await aSubmitted();
    await happen(id, [customer, { status: 'draft' }]);
    expect((await change(staff, await aDraft(), prices)).status).toBe(204);
    expect(await change(staff, id, prices)).toMatchObject(refused);
  });
});

describe('a quote that was submitted once', () => {
  it('is priced without a version, and its only price is approved without', async () => {
    const id = await aQuoted();
    expect((await change(staff, id, { internal_notes: 'mine' })).status).toBe(204);
    expect((await change(customer, id, { status: 'approved' })).status).toBe(204);
  });

  it('needs its version after its customer changed it, or withdrew and resubmitted it, or it was priced since', async () => {
    const edited = await aSubmitted();
    const again = await aSubmitted();
    await happen(edited, [customer, { customer_notes: 'twice as many' }]);
    await happen(again, [customer, { status: 'draft' }], [customer, { status: 'submitted' }]);
    for (const id of [edited, again]) {
      expect(await change(staff, id, priced)).toMatchObject(refused);
      expect((await change(staff, id, priced, await versionOf(id))).status).toBe(204);
      expect((await change(staff, id, { status: 'submitted' })).status).toBe(204);
      expect(await change(staff, id, priced)).toMatchObject(refused);
    }
  });

  it.each([
    { customer_notes: 'twice as many' },
    { delivery_method: 'express' },
  ])('and quoted, is re-priced without a version, but not after its customer changed %o', async touch => {
    const id = await aQuoted();
    expect((await change(staff, id, { total_price: 6 })).status).toBe(204);
    await happen(id, [customer, touch]);
    expect(await change(staff, id, { total_price: 7 })).toMatchObject(refused);
    expect(await change(staff, id, { currency: 'EUR' })).toMatchObject(refused);
    expect((await change(staff, id, { total_price: 7 }, await versionOf(id))).status).toBe(204);
    expect((await change(staff, id, { total_price: 8 })).status).toBe(204);
  });
});

describe('a quote in another currency than dollars', () => {
  it('is quoted only by a request that names the currency', async () => {
    const id = await aDraft({ currency: 'VND' });
    await happen(id, [customer, { status: 'submitted' }]);
    const { status, body } = await change(staff, id, priced);
    expect([status, body.code]).toEqual([409, 'PT409']);
    expect(body.message).toBe(
      'A quote cannot move from submitted to quoted unless the request names its currency',
    );
    expect((await change(staff, id, { ...priced, currency: 'VND' })).status).toBe(204);
  });
});

describe('a customer who read one price', () => {
  const approved = { status: 'approved' };

  it('does not approve another: it names the price or the version', async () => {
    const id = await aQuoted();
    const old = await versionOf(id);
    await happen(id, [staff, { total_price: 1000 }]);
    expect(await change(customer, id, approved)).toMatchObject({
      ...refused,
      body: { hint: expect.stringContaining('.match({ id, total_price })') },
    });
    await change(customer, id, approved, '&total_price=eq.5');
    await change(customer, id, approved, old);
    expect((await read(id)).body[0].status).toBe('quoted');
    expect((await change(customer, id, approved, '&total_price=eq.1000')).status).toBe(204);
    const other = await aQuoted();
    await happen(other, [staff, { total_price: 1000 }]);
    expect((await change(customer, other, approved, await versionOf(other))).status).toBe(204);
  });

  it.each([
    { currency: 'EUR' },
    { roster_count: 3 },
    { size_breakdown: { XL: 1 } },
    { customization: { roster: ['Ann', 'Bob'] } },
    { unit_price: 2 },
  ])('names the version, since the total is the same, after staff changed %o', async terms => {
    const id = await aQuoted();
    await happen(id, [staff, terms]);
    for (const filter of ['', '&total_price=eq.5']) {
      expect(await change(customer, id, approved, filter)).toMatchObject(refused);
    }
    expect((await change(customer, id, approved, await versionOf(id))).status).toBe(204);
  });

  it('does not approve one that was withdrawn and quoted anew', async () => {
    const id = await aQuoted();
    await happen(id, [staff, { status: 'submitted' }], [staff, { ...priced, total_price: 1000 }]);
    expect(await change(customer, id, approved)).toMatchObject(refused);
  });

  it('has approved that one: it cannot change until it is offered anew', async () => {
    const id = await aQuoted();
    await happen(id, [customer, approved]);
    for (const terms of [
      { total_price: 6 },
      { currency: 'EUR' },
      { roster_count: 3 },
      { size_breakdown: {} },
      { customization: { roster: ['Ann', 'Bob'] } },
    ]) {
      expect(await change(staff, id, terms, await versionOf(id))).toMatchObject(refused);
    }
    expect((await change(staff, id, { internal_notes: 'called' })).status).toBe(204);
    await happen(id, [staff, { ...priced, total_price: 6 }]);
    expect(await change(customer, id, approved)).toMatchObject(refused);
  });

  it('is not approved for by staff who did not read what it is', async () => {
    const id = await aDraft();
    expect(await change(staff, id, approved)).toMatchObject(refused);
    expect((await change(staff, id, approved, await versionOf(id))).status).toBe(204);
  });

  it('is not approved for by staff who name its total and write another, since the size may be another too', async () => {
    const id = await aQuoted();
    await happen(id, [staff, { roster_count: 500 }]);
    const changed = { ...approved, total_price: 6 };
    expect(await change(staff, id, changed, '&total_price=eq.5')).toMatchObject(refused);
    expect((await change(staff, id, changed, await versionOf(id))).status).toBe(204);
  });

  it('is not approved for by staff who read it as ordered, if it was never quoted with what it has', async () => {
    const ordered = aQuote(account, { status: 'ordered', ...prices });
    const { body } = await staff.send('POST', '/quotes?select=id', ordered, representation);
    const [{ id }] = body;
    await happen(id, [staff, { total_price: 1000 }]);
    expect(await change(staff, id, approved)).toMatchObject(refused);
    expect((await change(staff, id, approved, await versionOf(id))).status).toBe(204);
    const quoted = await aQuoted();
    await happen(quoted, [staff, { status: 'ordered' }]);
    expect((await change(staff, quoted, approved)).status).toBe(204);
  });
});

describe('one request', () => {
  const number = () => `QT-2026-${String(Math.floor(Math.random() * 1e5)).padStart(5, '0')}`;

  async function twoOf(quote_number: string, ...moves: [Caller, object][]): Promise<string[]> {
    const ids = [await aDraft({ quote_number }), await aDraft({ quote_number })];
    for (const id of ids) {
      await happen(id, [customer, { status: 'submitted' }], ...moves);
    }
    return ids;
  }
  const statusesOf = async (quote_number: string): Promise<string[]> =>
    (await staff.get(`/quotes?quote_number=eq.${quote_number}&select=status`)).body.map(
      ({ status }: { status: string }) => status,
    );

  it('prices one quote: a filter that meets several is refused, also when one of them has the price', async () => {
    const quote_number = number();
    const [first = ''] = await twoOf(quote_number);
    const path = `/quotes?quote_number=eq.${quote_number}`;
    expect(await staff.send('PATCH', path, priced)).toMatchObject(refused);
    expect((await change(staff, first, priced)).status).toBe(204);
    expect(await staff.send('PATCH', path, priced)).toMatchObject(refused);
    expect(await staff.send('PATCH', path, prices)).toMatchObject(refused);
    expect(await staff.send('PATCH', path, { total_price: 5 })).toMatchObject(refused);
    expect((await statusesOf(quote_number)).sort()).toEqual(['quoted', 'submitted']);
    expect((await staff.send('PATCH', path, { internal_notes: 'both' })).status).toBe(204);
  });

  it('prices what it names by its id: its customer may have deleted it, and submitted another with its number', async () => {
    const quote_number = number();
    const small = await aDraft({ quote_number });
    await happen(small, [customer, { status: 'submitted' }], [customer, { status: 'draft' }]);
    expect((await customer.send('DELETE', `/quotes?id=eq.${small}`)).status).toBe(204);
    const large = await aDraft({ quote_number, roster_count: 500 });
    await happen(large, [customer, { status: 'submitted' }]);
    for (const filter of [`quote_number=eq.${quote_number}`, `or=(id.eq.${small},id.eq.${large})`]) {
      const { status, body } = await staff.send('PATCH', `/quotes?${filter}`, priced);
      expect([status, body.code]).toEqual([409, 'PT409']);
      expect(body.hint).toContain(".eq('id', quote.id)");
    }
    expect((await staff.send('PATCH', `/quotes?id=in.(${large})`, priced)).status).toBe(204);
    const approved = { status: 'approved' };
    const path = `/quotes?quote_number=eq.${quote_number}&total_price=eq.5`;
    expect(await customer.send('PATCH', path, approved)).toMatchObject(refused);
  });

  it('approves one quote', async () => {
    const quote_number = number();
    const [first = ''] = await twoOf(quote_number, [staff, priced]);
    const path = `/quotes?quote_number=eq.${quote_number}`;
    expect(await customer.send('PATCH', path, { status: 'approved' })).toMatchObject(refused);
    expect((await change(customer, first, { status: 'approved' })).status).toBe(204);
    expect(await customer.send('PATCH', path, { status: 'approved' })).toMatchObject(refused);
  });

  it('prices each by its key: PATCH with an array, and an upsert', async () => {
    const patched = (await twoOf(number())).map(id => ({ id, ...priced }));
    expect((await staff.send('PATCH', '/quotes', patched)).status).toBe(204);
    const rows = (await staff.get(`/quotes?id=in.(${await twoOf(number())})&select=*`)).body;
    const upserted = (await twoOf(number())).map(id => ({ ...aQuote(account), id, ...priced }));
    expect(rows).toHaveLength(2);
    const headers = { prefer: 'resolution=merge-duplicates' };
    expect((await staff.send('POST', '/quotes', upserted, headers)).status).toBe(200);
    for (const { id } of upserted) {
      expect((await change(customer, id, { status: 'approved' })).status).toBe(204);
    }
  });

  it('by keys names the prices of each: a row without them is named with its path', async () => {
    const [first, second] = await twoOf(number());
    const { status, body } = await staff.send('PATCH', '/quotes', [
      { id: first, ...priced, currency: 'USD' },
      { id: second, status: 'quoted', unit_price: 1 },
    ]);
    expect([status, body.code]).toEqual([400, '23502']);
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual(['1.total_price', '1.currency']);
  });
});

describe('psql', () => {
  it('names the version by a setting of its transaction beside the filter', async () => {
    const { sql } = service;
    const id = await aDraft();
    const pricing = sql`update builder.quotes set status = 'quoted', unit_price = 1, total_price = 5 where id = ${id}`;
    await expect(pricing).rejects.toMatchObject({ code: 'PT409' });
    await sql.begin(async transaction => {
      await transaction`set local request.version = 'compared'`;
      await transaction`update builder.quotes set status = 'quoted', unit_price = 1, total_price = 5 where id = ${id}`;
    });
    expect((await read(id)).body[0].status).toBe('quoted');
  });

  it('prices one quote with a statement, and several with several', async () => {
    const { sql } = service;
    const ids = [await aSubmitted(), await aSubmitted()];
    const all = sql`update builder.quotes set status = 'quoted', unit_price = 1, total_price = 5 where id = any (${ids})`;
    await expect(all).rejects.toMatchObject({ code: 'PT409' });
    await sql.begin(async transaction => {
      for (const id of ids) {
        await transaction`update builder.quotes set status = 'quoted', unit_price = 1, total_price = 5 where id = ${id}`;
      }
    });
  });
});
