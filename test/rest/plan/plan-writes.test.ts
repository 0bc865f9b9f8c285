import { describe, expect, it } from 'vitest';
import { graphics } from '../../../schema/graphics.ts';
import { notifications } from '../../../schema/notifications.ts';
import { id, planAsStaff as plan } from './plan-of.ts';

const refused = (failure: object) => ({ ok: false, failure });
const accepted = { ok: true };

describe('a PUT', () => {
  const graphic = { name: 'A', code: 'A', file_url: 'https://x', file_format: 'png' };
  const put = (query: string, body: unknown = { ...graphic, id }) =>
    plan({ of: graphics, method: 'PUT', query, body });

  it.each([
    [`id=eq.${id}`, accepted],
    [`id=eq.${id.toUpperCase()}`, accepted],
    ['id->>a=eq.1', refused({ is: 'put filters' })],
    ['id=eq.1&id=eq.1', refused({ is: 'put filters' })],
    ['id=eq.1&code=eq.A', refused({ is: 'put filters' })],
  ])('has one filter, eq on the primary key, and no page: %j', (query, expected) => {
    expect(put(query)).toMatchObject(expected);
  });

  it.each([
    [graphic, 'put key mismatch'],
    [[graphic, graphic].map(row => ({ ...row, id })), 'put key mismatch'],
    [{ id, name: 5 }, 'invalid fields'],
    [[{ ...graphic, id }, graphic], 'invalid body'],
  ])('has one valid row with its key: %j', (body, is) => {
    expect(put(`id=eq.${id}`, body)).toMatchObject(refused({ is }));
  });

  it('finds its row by the key, and writes the whole body, whatever else is preferred', () => {
    const query = `id=eq.${id}&columns=name&on_conflict=code`;
    const headers = { prefer: 'resolution=ignore-duplicates' };
    const body = { ...graphic, id };
    expect(plan({ of: graphics, method: 'PUT', query, headers, body })).toMatchObject({
      value: {
        conflict: { columns: ['id'], resolution: 'merge' },
        body: { columns: Object.keys(body) },
      },
    });
  });

  it('compares a number as its key by value', () => {
    const body = { account_id: id, body: 'Hello', dismissed: false, id: 7 };
    const numbered = (key: string) => plan({ of: notifications, method: 'PUT', query: `id=eq.${key}`, body });
    expect(numbered('07')).not.toMatchObject(refused({ is: 'put key mismatch' }));
    expect(numbered('8')).toMatchObject(refused({ is: 'put key mismatch' }));
  });
});

describe('a PATCH or DELETE', () => {
  it.each(['PATCH', 'DELETE'] as const)('needs a filter: %s', method => {
    const body = { sport: 'golf' };
    const verb = method === 'PATCH' ? 'UPDATE' : 'DELETE';
    expect(plan({ method, query: 'limit=1&order=id', body })).toEqual(refused({ is: 'unfiltered', verb }));
    expect(plan({ method, query: 'or=(sport.eq.golf)', body })).toMatchObject(accepted);
  });

  it('without a filter needs an array whose rows all have their keys', () => {
    for (const body of [[], [{ id, sport: 'a' }, { sport: 'b' }], { id, sport: 'a' }]) {
      expect(plan({ method: 'PATCH', body }), JSON.stringify(body)).toMatchObject(
        refused({ is: 'unfiltered' }),
      );
    }
  });
});

describe('a change of several rows', () => {
  const change = (body: object[], query = '') => plan({ method: 'PATCH', query, body });

  it('takes no two ids for one that JavaScript cannot tell apart', () => {
    const body = ['9007199254740993', '9007199254740992'].map(each => ({ id: Number(each), body: 'a' }));
    const issues = [0, 1].map(row => ({ row, path: 'id', sqlstate: '22003' }));
    const planned = plan({ of: notifications, method: 'PATCH', body });
    expect(planned).toMatchObject(refused({ is: 'invalid fields', issues }));
  });

  it.each<[object, object, boolean]>([
    [{ status: 'quoted', unit_price: 1 }, { unit_price: 1, status: 'quoted' }, true],
    [{ status: 'quoted' }, { unit_price: 1, status: 'quoted' }, false],
    [{ customer_notes: 'a' }, { status: 'cancelled' }, false],
    [{ currency: 'EUR' }, { company: 'a' }, false],
    [{ customer_notes: 'a' }, { company: 'a' }, true],
  ])('names the same columns in all rows if one of them moves or prices its row: %j and %j', (one, other, isAccepted) => {
    const planned = change([
      { id, ...one },
      { id: id.replace('1', '2'), ...other },
    ]);
    expect(planned).toMatchObject(isAccepted ? accepted : refused({ message: 'All object keys must match' }));
  });
});

const version = { 'if-match': '"7-1-a"' };
const unnamed = { version: false, price: false };

it.each<[string, object, Record<string, string>, object]>([
  ['sport=eq.golf', {}, {}, { ...unnamed, rows: 'filtered' }],
  ['id=gt.1', {}, {}, { ...unnamed, rows: 'filtered' }],
  [`id=not.in.(${id})`, {}, {}, { ...unnamed, rows: 'filtered' }],
  [`id=eq.${id}`, {}, {}, { ...unnamed, rows: 'one' }],
  [`id=in.(${id})`, {}, {}, { ...unnamed, rows: 'one' }],
  [`id=in.(${id},${id.replace('1', '2')})`, {}, {}, { ...unnamed, rows: 'filtered' }],
  [`id=eq.${id}`, { sport: 'golf', status: 'draft' }, {}, { columns: ['sport', 'status'] }],
  ['', [{ id, sport: 'golf' }], {}, { ...unnamed, rows: 'keyed' }],
  [`id=eq.${id}`, {}, version, { ...unnamed, version: true, rows: 'one' }],
  [`id=eq.${id}`, {}, { 'if-match': '*' }, { ...unnamed, rows: 'one' }],
  [`id=eq.${id}&updated_at=eq.now`, {}, {}, { ...unnamed, version: true, rows: 'one' }],
  [`id=eq.${id}&updated_at=gt.now`, {}, {}, { ...unnamed, rows: 'one' }],
  ['sport=eq.golf&updated_at=eq.now', {}, {}, { ...unnamed, rows: 'filtered' }],
  ['sport=eq.golf&total_price=eq.5', {}, {}, { ...unnamed, rows: 'filtered' }],
  [`id=eq.${id}&total_price=eq.5`, {}, {}, { ...unnamed, price: true, rows: 'one' }],
])('a change with the query %j, the body %j and the headers %j names of its rows %j', (query, body, headers, names) => {
  expect(plan({ method: 'PATCH', query, body, headers })).toMatchObject({ value: { names } });
});
