import { expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { callerKey } from '../../functions/caller/caller-key.ts';

const sub = '11111111-1111-4111-8111-111111111111';
const from = (address: string) => new Headers({ 'cf-connecting-ip': address });
const claims = { role: 'authenticated', sub, app_metadata: {} } as const;
const anon: Caller = { kind: 'anon', audience: 'anon' };

it.each<[who: string, caller: Caller | undefined, name: string]>([
  ['a customer', { kind: 'customer', audience: 'customer', claims }, sub],
  ['staff', { kind: 'staff', audience: 'staff', claims }, sub],
  ['the secret key', { kind: 'service', audience: 'staff' }, 'service'],
  ['the anonymous', anon, 'address 10.0.0.1'],
  ['a health check', undefined, 'address 10.0.0.1'],
])('%s has a share of its own', (_, caller, name) => {
  expect(callerKey(from('10.0.0.1'), caller)).toBe(name);
});

it('is that of a network, of whose addresses one caller has as many as it likes', () => {
  expect(callerKey(from('2001:db8:1:2:3::4'), anon)).toBe('address 2001:db8:1:2');
});

it('is one for all who have neither an account nor an address', () => {
  expect(callerKey(new Headers(), anon)).toBe('address unknown');
});
