import { expect, it } from 'vitest';
import type { Caller } from '../../../functions/caller/caller.ts';
import { callerKey } from '../../../functions/caller/caller-key.ts';

const sub = '11111111-1111-4111-8111-111111111111';
const from = (address: string) => new Headers({ 'cf-connecting-ip': address });
const claims = { role: 'authenticated', sub, app_metadata: {} } as const;
const anon: Caller = { kind: 'anon', audience: 'anon' };

it.each<[who: string, caller: Caller, key: string]>([
  ['a customer', { kind: 'customer', audience: 'customer', claims }, sub],
  ['staff', { kind: 'staff', audience: 'staff', claims }, sub],
  ['the secret key', { kind: 'service', audience: 'staff' }, 'service'],
  ['an anonymous caller', anon, 'address 10.0.0.1'],
])('the shares of %s are counted under a key of its own', (_, caller, key) => {
  expect(callerKey(from('10.0.0.1'), caller)).toBe(key);
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::3:4:5:6', '2001:db8:0:0'],
  ['2001::1:2:3:4:5:6', '2001:0:1:2'],
])('the key of an anonymous client at %s is its network %s, of which it can use every address', (address, network) => {
  expect(callerKey(from(address), anon)).toBe(`address ${network}`);
});

it('all callers without an account and an address have one key', () => {
  expect(callerKey(new Headers(), anon)).toBe('address unknown');
});
