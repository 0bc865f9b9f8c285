import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Claims } from '../../functions/token/claims.ts';
import { VerifiedTokens } from '../../functions/token/verified-tokens.ts';

const start = 1_800_000_000;
const claims: Claims = { role: 'anon' };

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start * 1000 }));
afterEach(() => void vi.useRealTimers());
const clockAt = (seconds: number) => vi.setSystemTime((start + seconds) * 1000);

it.each([
  ['for five minutes', start + 3600, 299, 300],
  ['for five minutes when it does not expire', undefined, 299, 300],
  ['until it expires', start + 10, 9, 10],
])('a token is cached %s', (_, expires, last, first) => {
  const tokens = new VerifiedTokens();
  tokens.set('token', claims, expires);
  clockAt(last);
  expect(tokens.get('token')).toBe(claims);
  clockAt(first);
  expect(tokens.get('token')).toBeUndefined();
});

it('the oldest of a thousand tokens is evicted; verifying a token again makes it new', () => {
  const tokens = new VerifiedTokens();
  for (let index = 0; index < 1000; index++) {
    tokens.set(`token ${index}`, claims);
  }
  for (const token of ['token 1', 'another', 'one more']) {
    tokens.set(token, claims);
  }
  const evicted = ['token 0', 'token 1', 'token 2', 'token 3'].filter(token => !tokens.get(token));
  expect(evicted).toEqual(['token 0', 'token 2']);
});
