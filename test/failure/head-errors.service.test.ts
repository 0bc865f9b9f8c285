/** A HEAD that fails says why in `Proxy-Status`, since its response has no body. */
import { describe, expect, it } from 'vitest';
import { useService } from '../setup/service.ts';
import { useCallers } from '../setup/wire.ts';

const service = useService();
const callers = useCallers(service);

describe('the response to a failing HEAD', () => {
  it.each([
    ['an unknown collection', 'customer', '/shirts?select=*', 'PGRST205'],
    ['a caller who has not signed in', 'anon', '/quotes', '42501'],
    ['an unreadable column', 'customer', '/quotes?select=internal_notes', '42501'],
    ['a page past the end', 'customer', '/quotes?offset=99', 'PGRST103'],
    ['an unknown schema', 'customer', '/', 'PGRST106'],
  ] as const)('has the code of the error: %s', async (_, who, path, code) => {
    const headers = { prefer: 'count=exact', ...(path === '/' && { 'accept-profile': 'billing' }) };
    const head = await callers[who].send('HEAD', path, undefined, headers);
    const get = await callers[who].get(path, headers);
    expect([head.status, head.text]).toEqual([get.status, '']);
    expect(get.body.code).toBe(code);
    for (const reply of [head, get]) {
      expect(reply.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`);
      expect(reply.headers.get('access-control-expose-headers')).toContain('Proxy-Status');
    }
  });
});
