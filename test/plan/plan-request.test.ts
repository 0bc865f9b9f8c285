import { describe, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import type { Collection } from '../../schema/collection.ts';
import { graphics } from '../../schema/graphics.ts';
import { notifications } from '../../schema/notifications.ts';
import { quotes } from '../../schema/quotes.ts';
import { id, planOf, quote, staff, type TestRequest } from './plan-of.ts';

const anon: Caller = { kind: 'anon', audience: 'anon' };
const customer: Caller = { kind: 'customer', audience: 'customer' };
const service: Caller = { kind: 'service', audience: 'staff' };

type PartialRequest = Partial<TestRequest>;

/** Plans a request, by default a customer's for quotes. */
const plan = (request: PartialRequest) => planOf({ as: customer, of: quotes, ...request });

const rows = { prefer: 'return=representation' };
const upsert = { prefer: 'resolution=merge-duplicates' };
const graphic = { name: 'A', code: 'A', file_url: 'https://x', file_format: 'png' };
const notification = { account_id: id, body: 'Hello', dismissed: false };

describe('permissions of callers', () => {
  const bodies = new Map<Collection, object>([
    [graphics, graphic],
    [quotes, quote],
    [notifications, notification],
  ]);
  const changes = new Map<Collection, object>([
    [graphics, { name: 'B' }],
    [quotes, { sport: 'golf' }],
    [notifications, { dismissed: true }],
  ]);

  it.each<[string, Collection, Caller, string]>([
    ['anon reads graphics', graphics, anon, 'GET HEAD'],
    ['anon sees no quotes', quotes, anon, ''],
    ['anon sees no notifications', notifications, anon, ''],
    ['a customer reads graphics', graphics, customer, 'GET HEAD'],
    ['a customer does everything with quotes', quotes, customer, 'GET HEAD POST PATCH DELETE'],
    ['a customer reads, dismisses, deletes notifications', notifications, customer, 'GET HEAD PATCH DELETE'],
    ['staff does everything with graphics', graphics, staff, 'GET HEAD POST PATCH DELETE'],
    ['staff does everything with quotes', quotes, staff, 'GET HEAD POST PATCH DELETE'],
    ['staff does everything with notifications', notifications, staff, 'GET HEAD POST PATCH DELETE'],
    ['the secret key does everything with quotes', quotes, service, 'GET HEAD POST PATCH DELETE'],
  ])('%s', (_, of, as, allowed) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const) {
      const body = (method === 'PATCH' ? changes : bodies).get(of);
      const query = method === 'PATCH' || method === 'DELETE' ? 'id=eq.1' : '';
      const refusal = { is: 'forbidden table', collection: of.name, authenticated: as !== anon };
      expect(plan({ as, of, method, query, body })).toMatchObject(
        allowed.split(' ').includes(method) ? { ok: true } : { ok: false, failure: refusal },
      );
    }
  });

  it.each([
    [graphics, customer, { name: 'B' }],
    [notifications, customer, notification],
    [quotes, anon, quote],
  ])('a PUT needs the permission to insert (%#)', (of, as, body) => {
    expect(plan({ as, of, method: 'PUT', query: 'id=eq.1', body })).toMatchObject({
      failure: { is: 'forbidden table' },
    });
  });
});

describe('internal_notes', () => {
  const forbidden = (action: string) => ({
    ok: false,
    failure: {
      ...(action === 'read'
        ? { is: 'unreadable column', column: 'internal_notes' }
        : { is: 'forbidden fields', fields: [{ path: 'internal_notes' }], action }),
      collection: 'quotes',
      authenticated: true,
    },
  });

  it.each([
    'select=internal_notes',
    'select=id,note:internal_notes',
    'select=internal_notes::text',
    'select=internal_notes->>a',
    'select=internal_notes.count()',
    'select=internal_notes.max()::text',
    'internal_notes=like.a*',
    'internal_notes=not.is.null',
    'internal_notes->>a=eq.1',
    'or=(id.is.null,and(sport.eq.golf,internal_notes.eq.x))',
    'not.and=(internal_notes.eq.x)',
    'order=internal_notes',
    'order=sport,internal_notes.desc',
  ])('is forbidden to a customer who reads %s', query => {
    expect(plan({ query })).toEqual(forbidden('read'));
    expect(plan({ query, method: 'HEAD' })).toEqual(forbidden('read'));
    expect(plan({ query, as: staff })).toMatchObject({ ok: true });
  });

  it.each<[string, PartialRequest, string]>([
    ['in the body of an insert', { method: 'POST', body: { ...quote, internal_notes: 'x' } }, 'set'],
    ['in the body, as null', { method: 'POST', body: { ...quote, internal_notes: null } }, 'set'],
    ['in columns=', { method: 'POST', query: 'columns=internal_notes,sport', body: quote }, 'set'],
    ['in an update', { method: 'PATCH', query: 'id=eq.1', body: { internal_notes: 'x' } }, 'change'],
    ['in the filter of an update', { method: 'PATCH', query: 'internal_notes=eq.x' }, 'read'],
    ['in the filter of a delete', { method: 'DELETE', query: 'internal_notes=eq.x' }, 'read'],
    [
      'in what an insert returns',
      { method: 'POST', query: 'select=internal_notes', headers: rows, body: quote },
      'read',
    ],
    [
      'in the order of what an update returns',
      { method: 'PATCH', query: 'id=eq.1&order=internal_notes', headers: rows },
      'read',
    ],
    [
      'in on_conflict=',
      { method: 'POST', query: 'on_conflict=internal_notes', headers: upsert, body: quote },
      'read',
    ],
  ])('is forbidden to a customer who writes: %s', (_, request, action) => {
    expect(plan(request)).toEqual(forbidden(action));
  });

  it('is in the * of staff, but not of a customer', () => {
    const names = (as: Caller) => {
      const read = plan({ as });
      return read.ok ? read.value.outputs.map(({ name }) => name) : [];
    };
    expect(names(staff)).toEqual(Object.keys(quotes.columns));
    expect(names(customer)).not.toContain('internal_notes');
    const readable = Object.entries(quotes.columns).flatMap(([name, { privileges }]) =>
      privileges.customer.includes('select') ? [name] : [],
    );
    expect(names(customer)).toEqual(readable);
  });
});

describe('a column that only staff may write', () => {
  it.each([
    'unit_price',
    'total_price',
    'quoted_at',
    'quoted_by',
    'expires_at',
    'fulfillment_status',
    'estimated_delivery_at',
    'deleted_at',
  ])('%s can be read by a customer, but not set or changed; beside a change it must be as it is', column => {
    const failure = { is: 'forbidden fields', fields: [{ path: column }] };
    const write = { body: { ...quote, [column]: null } };
    const change = { method: 'PATCH', query: 'id=eq.1' } as const;
    expect(plan({ query: `select=${column}` }).ok).toBe(true);
    expect(plan({ method: 'POST', ...write })).toMatchObject({ failure: { ...failure, action: 'set' } });
    expect(plan({ ...change, body: { [column]: null } })).toMatchObject({
      failure: { ...failure, action: 'change' },
    });
    expect(plan({ ...change, ...write })).toMatchObject({
      value: { body: { columns: Object.keys(quote), unchanged: [column] } },
    });
    expect(plan({ ...change, as: staff, ...write })).toMatchObject({ value: { body: { unchanged: [] } } });
    expect(plan({ method: 'POST', as: staff, ...write }).ok).toBe(true);
  });

  it('of a notification is every one but dismissed', () => {
    expect(plan({ of: notifications, method: 'PATCH', query: 'id=eq.1', body: { body: 'x' } })).toMatchObject(
      {
        failure: { is: 'forbidden fields', fields: [{ path: 'body' }], action: 'change' },
      },
    );
  });
});

describe("Postgres's plan", () => {
  const headers = { accept: 'application/vnd.pgrst.plan+json' };

  it.each([anon, customer])('is not for $kind', as => {
    expect(plan({ as, of: graphics, headers })).toMatchObject({ failure: { is: 'unacceptable media type' } });
  });

  it.each([staff, service])('is for $kind', as => {
    expect(plan({ as, headers })).toMatchObject({
      value: { explain: { format: 'json' }, mediaType: { is: 'json' } },
    });
  });
});

describe('a write without a filter', () => {
  it.each(['PATCH', 'DELETE'] as const)('is refused: %s', method => {
    const verb = method === 'PATCH' ? 'UPDATE' : 'DELETE';
    const body = { sport: 'golf' };
    expect(plan({ method, query: 'limit=1&order=id', body })).toEqual({
      ok: false,
      failure: { is: 'unfiltered', verb },
    });
    expect(plan({ method, query: 'sport=eq.golf', body }).ok).toBe(true);
    expect(plan({ method, query: 'or=(sport.eq.golf)', body }).ok).toBe(true);
  });
});

describe('a soft-deleted row', () => {
  const isNull = {
    is: 'filter',
    field: { column: 'deleted_at', path: [] },
    negated: false,
    operation: { operator: 'is', value: 'null' },
  };
  const conditions = (request: PartialRequest) => {
    const planned = plan(request);
    return planned.ok && planned.value.is !== 'insert' ? planned.value.conditions : [];
  };

  it.each<PartialRequest>([
    {},
    { method: 'HEAD' },
    { query: 'sport=eq.golf' },
    { query: 'select=deleted_at&order=deleted_at' },
    { query: 'or=(sport.eq.golf,sport.eq.polo)' },
    { method: 'PATCH', query: 'id=eq.1', body: { sport: 'golf' } },
    { method: 'DELETE', query: 'id=eq.1' },
    { of: graphics, as: anon },
  ])('is hidden: %j', request => {
    expect(conditions(request).at(-1)).toMatchObject(isNull);
  });

  it.each([
    'deleted_at=not.is.null',
    'deleted_at=gt.2026-01-01',
    'or=(sport.eq.golf,deleted_at.not.is.null)',
    'and=(sport.eq.golf,not.or(id.is.null,deleted_at.gt.2026-01-01))',
  ])('is visible to a filter on deleted_at: %s', query => {
    for (const method of ['GET', 'DELETE'] as const) {
      expect(conditions({ method, query })).toHaveLength(1);
    }
  });

  it('does not exist where DELETE removes rows', () => {
    expect(conditions({ of: notifications })).toEqual([]);
  });
});

describe('a page', () => {
  it.each([
    ['', { offset: 0, limit: 1000 }],
    ['limit=5&offset=2', { offset: 2, limit: 5 }],
    ['limit=1001', { offset: 0, limit: 1000 }],
    ['limit=0', { offset: 0, limit: 0 }],
  ])('has at most as many rows as the service allows: %j', (query, range) => {
    expect(plan({ query })).toMatchObject({ value: { range } });
  });

  it.each([
    ['order=id', ['id']],
    ['order=sport.desc,id,company', ['sport', 'id']],
    ['order=company,id', undefined],
    ['order=sport', ['sport', 'id']],
    ['order=company', undefined],
    ['order=customization->>a,id', undefined],
    ['select=id,count()&order=id', undefined],
    ['', undefined],
  ])('has a keyset when its order is unique: %j', (query, columns) => {
    const read = plan({ query });
    const keyset = read.ok && read.value.is === 'read' ? read.value.keyset : undefined;
    expect(keyset?.map(({ field }) => field.column)).toEqual(columns);
  });
});

describe('a PUT', () => {
  const put = (query: string, body: unknown = { ...graphic, id }) =>
    plan({ as: staff, of: graphics, method: 'PUT', query, body });

  it('names its row by eq on the primary key', () => {
    expect(put(`id=eq.${id}`)).toMatchObject({
      value: { is: 'insert', put: true, conflict: { columns: ['id'], resolution: 'merge' } },
    });
  });

  it.each([
    '',
    'id=gt.1',
    'id=not.eq.1',
    'id=eq(any).{1}',
    'id=in.(1)',
    'code=eq.A',
    'id=eq.1&id=eq.1',
  ])('takes no other filter: %j', query => {
    expect(put(query)).toEqual({ ok: false, failure: { is: 'put filters' } });
  });

  it.each(['and=(id.eq.1)', 'id->>a=eq.1', 'id=eq.1&code=eq.A'])('takes no other filter: %s', query => {
    expect(put(query)).toEqual({ ok: false, failure: { is: 'put filters' } });
  });

  it.each(['limit=1', 'offset=1', 'limit=0'])('takes no page: %s', page => {
    expect(put(`id=eq.1&${page}`)).toEqual({ ok: false, failure: { is: 'put range' } });
  });

  it.each([
    [graphic],
    [{ ...graphic, id: id.replace('1', '2') }],
    [
      [
        { ...graphic, id },
        { ...graphic, id },
      ],
    ],
  ])('has one row, with its key: %j', body => {
    expect(put(`id=eq.${id}`, body)).toEqual({ ok: false, failure: { is: 'put key mismatch' } });
  });

  it('compares keys as Postgres does', () => {
    expect(put(`id=eq.${id.toUpperCase()}`).ok).toBe(true);
    const numbered = (key: string) =>
      plan({
        as: staff,
        of: notifications,
        method: 'PUT',
        query: `id=eq.${key}`,
        body: { ...notification, id: 7 },
      });
    expect(numbered('07')).not.toMatchObject({ failure: { is: 'put key mismatch' } });
    expect(numbered('8')).toMatchObject({ failure: { is: 'put key mismatch' } });
  });

  it.each([
    [[], { is: 'put key mismatch' }],
    [{ id, name: 5 }, { is: 'invalid fields' }],
    [[{ ...graphic, id }, graphic], { is: 'invalid body' }],
  ])('is checked like any new row: %j', (body, failure) => {
    expect(put(`id=eq.${id}`, body)).toMatchObject({ ok: false, failure });
  });
});

describe('an upsert', () => {
  const conflict = (request: PartialRequest) => {
    const planned = plan({ as: staff, of: graphics, method: 'POST', body: graphic, ...request });
    return planned.ok && planned.value.is === 'insert' ? planned.value.conflict : planned;
  };

  it('is requested by the preference resolution', () => {
    expect(conflict({})).toBeUndefined();
    expect(conflict({ query: 'on_conflict=code' })).toBeUndefined();
    expect(conflict({ headers: upsert })).toEqual({ columns: ['id'], resolution: 'merge', fixed: [] });
    expect(conflict({ headers: { prefer: 'resolution=ignore-duplicates' } })).toEqual({
      columns: ['id'],
      resolution: 'ignore',
      fixed: [],
    });
  });

  it('finds its row by the columns of on_conflict', () => {
    expect(conflict({ headers: upsert, query: 'on_conflict=code,name' })).toEqual({
      columns: ['code', 'name'],
      resolution: 'merge',
      fixed: [],
    });
  });
});

describe('the rows of a body', () => {
  const insert = (body: unknown, query = '') =>
    plan({ as: staff, of: graphics, method: 'POST', body, query });

  it('all have the same keys, in any order', () => {
    const { name, ...rest } = graphic;
    expect(insert([graphic, { ...rest, name }]).ok).toBe(true);
    expect(insert([graphic, { ...graphic, width: 1 }])).toMatchObject({
      failure: { is: 'invalid body', message: 'All object keys must match' },
    });
    expect(insert([graphic, { ...rest, width: 1 }])).toMatchObject({ failure: { is: 'invalid body' } });
  });

  it('are reduced to columns=, each of them once', () => {
    const columns = [...Object.keys(graphic), 'width'];
    expect(insert([graphic, { ...graphic, nonsense: 1 }], `columns=${columns},${columns}`)).toMatchObject({
      value: { body: { columns } },
    });
  });

  it('are refused with all their issues', () => {
    expect(insert([{ ...graphic, name: null, code: 'x' }])).toMatchObject({
      failure: {
        is: 'invalid fields',
        issues: [
          { row: 0, path: 'name' },
          { row: 0, path: 'code' },
        ],
      },
    });
  });
});

describe('a change by key', () => {
  const change = (body: unknown, request: PartialRequest = {}) => plan({ method: 'PATCH', body, ...request });
  const [a, b] = [
    { id, sport: 'golf' },
    { id: id.replace('a', 'b'), company: 'x' },
  ];

  it('is an array whose rows each have the primary key, and needs no filter', () => {
    expect(change([a, b])).toMatchObject({
      value: { body: { columns: ['sport', 'company'], key: 'id', rows: 2, missing: 'kept' } },
    });
    expect(change([a, b], { query: 'columns=sport' })).toMatchObject({
      value: { body: { columns: ['sport'] } },
    });
  });

  it.each([[[]], [[a, { sport: 'polo' }]], [a]])('needs an array whose rows all have keys: %j', body => {
    expect(change(body)).toMatchObject({ failure: { is: 'unfiltered' } });
  });

  it('changes a row only once', () => {
    expect(change([a, b, { ...a, id: id.toUpperCase() }])).toMatchObject({
      failure: { is: 'invalid body', details: expect.stringContaining('Element 2 ') },
    });
  });

  it('has something to change', () => {
    const failure = { is: 'invalid body', message: 'There is nothing to change' };
    expect(change([{ id }])).toMatchObject({ failure });
    expect(change([a], { query: 'columns=id' })).toMatchObject({ failure });
  });

  it('takes no If-Match, which names one row', () => {
    expect(change([a, b], { query: `id=eq.${id}`, headers: { 'if-match': '*' } })).toMatchObject({
      failure: { is: 'unusable header', header: 'If-Match' },
    });
  });

  it('needs the same permissions, except for the key', () => {
    const of = notifications;
    expect(change([{ id: 1, dismissed: true }], { of }).ok).toBe(true);
    expect(change([{ id: 1, body: 'x' }], { of })).toMatchObject({
      failure: { is: 'forbidden fields', fields: [{ row: 0, path: 'body' }] },
    });
    expect(change([a, { ...b, internal_notes: 'x' }])).toMatchObject({
      failure: { is: 'forbidden fields', fields: [{ row: 1, path: 'internal_notes' }] },
    });
    expect(change([{ id, name: 'x' }], { of: graphics })).toMatchObject({
      failure: { is: 'forbidden table' },
    });
  });
});
