/** A HEAD that fails says why in `Proxy-Status`, since its response has no body. */
import { createClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { useService } from '../setup/service.ts';
import { useCallers } from '../setup/wire.ts';

const service = useService();
const callers = useCallers(service);

describe('the response to a failing HEAD', () => {
  it.each([
    ['an unknown collection', 'customer', '/shirts?select=*', 'PGRST205'],
    ['an unknown column', 'customer', '/quotes?select=colour', '42703'],
    ['a caller who has not signed in', 'anon', '/quotes', '42501'],
    ['an unreadable column', 'customer', '/quotes?select=internal_notes', '42501'],
    ['an invalid filter', 'customer', '/quotes?id=5', 'PGRST100'],
    ['an invalid value', 'customer', '/quotes?id=eq.5', '22P02'],
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

  it('is read by the fetch of a supabase-js client that counts without rows', async () => {
    const reasons: (string | null)[] = [];
    const client = createClient(service.url, service.publishableKey, {
      accessToken: () => service.token({ account: crypto.randomUUID() }),
      realtime: { transport: WebSocket as never },
      global: {
        async fetch(input, init) {
          const response = await fetch(input, init);
          if (!response.ok) {
            reasons.push(response.headers.get('proxy-status'));
          }
          return response;
        },
      },
    });
    await client.from('quotes').select('*', { count: 'exact', head: true }).eq('colour', 'red');
    await client.from('shirts').select('*', { count: 'exact', head: true });
    expect(reasons).toEqual(['PostgREST; error=42703', 'PostgREST; error=PGRST205']);
  });
});
