import { describe, expect, it } from 'vitest';
import { planCopy } from '../../functions/plan/plan-copy.ts';
import { quotes } from '../../schema/quotes.ts';
import { parseRequest } from '../request/parse.ts';
import { id, staff } from './plan-of.ts';

/** Plans a copy of a quote, by a call with this body. */
function copy(body: unknown, headers: Record<string, string> = {}, query = '') {
  const request = parseRequest({
    method: 'POST',
    query,
    header: name => headers[name] ?? null,
    body: JSON.stringify(body),
    fingerprint: 'f',
  });
  return request.ok
    ? planCopy(request.value, 'duplicate_quote', { collection: quotes, caller: staff, maxRows: 1 })
    : request;
}

describe('a copy', () => {
  it('is an insert that returns the new row as an object', () => {
    const object = { is: 'object', nullsStripped: false };
    for (const accept of ['application/json', 'application/vnd.pgrst.object+json']) {
      expect(copy({ id }, { accept, prefer: 'count=exact, return=minimal' }, 'select=id')).toMatchObject({
        value: {
          is: 'insert',
          mediaType: object,
          copyOf: id,
          put: false,
          outputs: [{ name: 'id' }],
          preferences: { count: 'exact', return: 'representation' },
          body: { json: JSON.stringify({ id }), isArray: false, rows: 1, columns: [], hasOthers: false },
        },
      });
    }
  });

  it('is made once by requests with one Idempotency-Key', () => {
    expect(copy({ id }, { 'idempotency-key': 'k' })).toMatchObject({
      value: { idempotencyKey: { key: 'k', fingerprint: 'f' } },
    });
    expect(copy({ id })).not.toHaveProperty('value.idempotencyKey');
  });

  it.each([[{}], [[{ id }]], [{ id, sport: 'golf' }], [{ sport: id }]])('is not made of %j', body => {
    expect(copy(body)).toEqual({
      ok: false,
      failure: { is: 'function arguments', name: 'duplicate_quote', takes: 'one argument: { id }' },
    });
  });

  it('is refused for a key that is none, another media type and an unknown column', () => {
    expect(copy({ id: 'x' })).toMatchObject({ failure: { is: 'invalid fields', issues: [{ path: 'id' }] } });
    expect(copy({ id: null })).toMatchObject({ failure: { is: 'invalid fields' } });
    expect(copy({ id }, { accept: 'text/csv' })).toMatchObject({
      failure: { is: 'unacceptable media type' },
    });
    expect(copy({ id }, {}, 'select=nothing')).toMatchObject({ failure: { is: 'unknown column' } });
  });
});
