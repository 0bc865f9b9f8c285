/** Creating, reading, changing and deleting rows, beyond what the conformance tests cover. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { representation, useCallers } from '../setup/wire.ts';

const service = useService();
const { staff } = useCallers(service);

describe('a value', () => {
  it('keeps numbers past 2^53, trailing zeros and microseconds exactly', async () => {
    const values = '"unit_price":1.50,"total_price":12345678901234567890.10';
    const quote = aQuote(randomUUID(), { expires_at: '2031-01-01T00:00:00.123456Z' });
    const row = JSON.stringify(quote).replace(/}$/, `,${values}}`);
    const path = '/quotes?select=unit_price,total_price,expires_at';
    const { text } = await staff.send('POST', path, row, representation);
    expect(text).toBe(`[{${values},"expires_at":"2031-01-01T00:00:00.123456+00:00"}]`);
  });

  it('is shown in the preferred time zone', async () => {
    const row = aNotification(randomUUID(), { created_at: '2026-07-01T12:00:00Z' });
    const { body, headers } = await staff.send('POST', '/notifications?select=created_at', row, {
      prefer: 'return=representation, timezone=America/Los_Angeles',
    });
    expect(body).toEqual([{ created_at: '2026-07-01T05:00:00-07:00' }]);
    expect(headers.get('preference-applied')).toBe('return=representation, timezone=America/Los_Angeles');
  });
});

describe('a new row', () => {
  it('can be read at the Location of its response', async () => {
    const prefer = 'return=headers-only';
    const { status, headers, text } = await staff.send('POST', '/quotes', aQuote(randomUUID()), { prefer });
    expect([status, text]).toEqual([201, '']);
    expect((await staff.get(headers.get('location') ?? '')).body).toHaveLength(1);
  });

  it('gets the defaults of missing columns', async () => {
    const { body } = await staff.send('POST', '/quotes', aQuote(randomUUID()), representation);
    const defaults = { status: 'draft', currency: 'USD', source: 'builder', rush_order: false };
    expect(body[0]).toMatchObject({ ...defaults, created_at: expect.stringMatching(/^2/), deleted_at: null });
    const note = await staff.send('POST', '/notifications', aNotification(randomUUID()), representation);
    expect(note.body[0]).toMatchObject({ type: 'info', channel: 'in_app', id: expect.any(Number) });
  });

  it('keeps the times that the database sets when an insert or an update sends null', async () => {
    const times = { created_at: null, updated_at: null };
    const select = 'select=id,created_at,updated_at';
    const set = { created_at: expect.any(String), updated_at: expect.any(String) };
    const rows = { '/quotes': aQuote(randomUUID()), '/graphics': aGraphic() };
    for (const [path, row] of Object.entries(rows)) {
      const send = (method: string, query: string, body: object) =>
        staff.send(method, `${path}?${query}&${select}`, body, representation);
      const made = await send('POST', 'on_conflict=id', { ...row, ...times });
      expect(made.body).toMatchObject([set]);
      const { id } = made.body[0];
      expect((await send('PATCH', `id=eq.${id}`, times)).body).toMatchObject([set]);
      expect((await send('PATCH', '', [{ id, ...times }])).body).toMatchObject([set]);
      expect((await send('PUT', `id=eq.${id}`, { ...row, id, ...times })).body).toMatchObject([set]);
      await staff.send('DELETE', `${path}?id=eq.${id}`);
      const columns = [...Object.keys(row), 'created_at'];
      const uneven = { ...row, ...('code' in row && { code: `${row.code}-2` }), created_at: '2026-01-01' };
      const many = await send('POST', `columns=${columns}`, [row, uneven]);
      expect(many.body).toMatchObject([set, set]);
    }
  });
});

describe('a write with limit=', () => {
  it('ignores the limit and returns all matching rows', async () => {
    const account = randomUUID();
    await staff.send('POST', '/quotes', [aQuote(account), aQuote(account), aQuote(account)]);
    const path = `/quotes?account_id=eq.${account}&limit=1`;
    const changed = await staff.send('PATCH', `${path}&select=sport`, { sport: 'golf' }, representation);
    expect(changed.body).toEqual([{ sport: 'golf' }, { sport: 'golf' }, { sport: 'golf' }]);
    const counted = await staff.send('PATCH', path, { sport: 'polo' }, { prefer: 'count=exact' });
    expect(counted.headers.get('content-range')).toBe('0-2/3');
  });
});

describe('a body with columns=', () => {
  const columns = 'columns=id,name,code,file_url,file_format';
  const odd = { width: 'wide', category_id: 5, nonsense: [1] };
  const whole = () => ({ id: randomUUID(), ...aGraphic(), ...odd });

  type Whole = ReturnType<typeof whole>;
  it.each<[string, Whole | Whole[], Record<string, string>]>([
    ['an object', whole(), {}],
    ['rows', [whole(), whole()], {}],
    ['rows with defaults', [whole(), whole()], { prefer: 'missing=default' }],
  ])('may have invalid values in all other fields: %s', async (_, rows, headers) => {
    const path = `/graphics?${columns}&select=id,width`;
    const { status, body } = await staff.send('POST', path, rows, {
      prefer: `return=representation,${headers['prefer'] ?? ''}`,
    });
    expect([status, body]).toEqual([201, [rows].flat().map(row => ({ id: row.id, width: null }))]);
    const change = [rows].flat().map(({ id }) => ({ id, name: 'Changed', ...odd }));
    const path2 = '/graphics?columns=name&select=name,width';
    const changed = await staff.send('PATCH', path2, change, representation);
    const rows2 = change.map(() => ({ name: 'Changed', width: null }));
    expect([changed.status, changed.body]).toEqual([200, rows2]);
  });
});

describe('a deleted row', () => {
  it('of quotes is hidden unless a filter names deleted_at, and staff can restore it', async () => {
    const { body } = await staff.send('POST', '/quotes?select=id', aQuote(randomUUID()), representation);
    const path = `/quotes?select=id&id=eq.${body[0].id}`;
    expect((await staff.send('DELETE', path)).status).toBe(204);
    expect((await staff.get(path)).body).toEqual([]);
    expect((await staff.send('PATCH', path, { sport: 'golf' }, representation)).body).toEqual([]);
    expect((await staff.send('DELETE', path, undefined, representation)).body).toEqual([]);
    const undeleted = `${path}&deleted_at=not.is.null`;
    const restored = await staff.send('PATCH', undeleted, { deleted_at: null }, representation);
    expect(restored.body).toEqual(body);
    expect((await staff.get(path)).body).toEqual(body);
  });

  it('of graphics releases its code', async () => {
    const code = `FREE-${Date.now()}`;
    await staff.send('POST', '/graphics', aGraphic({ code }));
    expect((await staff.send('POST', '/graphics', aGraphic({ code }))).status).toBe(409);
    await staff.send('DELETE', `/graphics?code=eq.${code}`);
    expect((await staff.send('POST', '/graphics', aGraphic({ code }))).status).toBe(201);
  });
});
