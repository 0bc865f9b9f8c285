import { expect, it } from 'vitest';
import { callerKey } from '../../functions/admission/caller-key.ts';
import type { Caller } from '../../functions/caller/caller.ts';

const sub = '11111111-1111-4111-8111-111111111111';
const from = (address: string) => new Headers({ 'cf-connecting-ip': address });
const claims = { role: 'authenticated', sub, app_metadata: {} } as const;
const anon: Caller = { kind: 'anon', audience: 'anon' };

it.each<[who: string, caller: Caller | undefined, key: string]>([
  ['a customer', { kind: 'customer', audience: 'customer', claims }, sub],
  ['staff', { kind: 'staff', audience: 'staff', claims }, sub],
  ['the secret key', { kind: 'service', audience: 'staff' }, 'service'],
  ['an anonymous caller', anon, 'address 10.0.0.1'],
  ['a health check', undefined, 'address 10.0.0.1'],
])('%s has its own key', (_, caller, key) => {
  expect(callerKey(from('10.0.0.1'), caller)).toBe(key);
});

it('the key of an anonymous IPv6 client is its network, because a client can use every address of it', () => {
  expect(callerKey(from('2001:db8:1:2:3::4'), anon)).toBe('address 2001:db8:1:2');
});

it('all callers without an account and an address have one key', () => {
  expect(callerKey(new Headers(), anon)).toBe('address unknown');
});
