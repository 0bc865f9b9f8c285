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
])('a token is remembered %s', (_, expires, last, first) => {
  const tokens = new VerifiedTokens();
  tokens.keep('token', claims, expires);
  clockAt(last);
  expect(tokens.find('token')).toBe(claims);
  clockAt(first);
  expect(tokens.find('token')).toBeUndefined();
});

it('the oldest of a thousand makes way, and one that was verified again is not old', () => {
  const tokens = new VerifiedTokens();
  for (let index = 0; index < 1000; index++) {
    tokens.keep(`token ${index}`, claims);
  }
  for (const token of ['token 1', 'another', 'one more']) {
    tokens.keep(token, claims);
  }
  const forgotten = ['token 0', 'token 1', 'token 2', 'token 3'].filter(token => !tokens.find(token));
  expect(forgotten).toEqual(['token 0', 'token 2']);
});
