import { describe, expect, it } from 'vitest';
import { explainRefusal } from '../../functions/caller/unset-keys.ts';
import type { Failure } from '../../functions/failure/failure.ts';

const refused: Failure = { is: 'credentials refused', message: 'The apikey is not a key of this service' };
const missing: Failure = { is: 'credentials missing', what: 'apikey header' };
const everyKey = { PUBLISHABLE_KEY: 'a', SECRET_KEY: 'b', JWT_SECRET: 'c' };
const all = ['PUBLISHABLE_KEY', 'SECRET_KEY', 'JWT_SECRET or JWKS_URL'];

describe('a refusal', () => {
  it.each([refused, missing])('is the service’s fault when it has no key at all: $is', failure => {
    const failed: Failure = { is: 'not set', unset: { variables: all, local: false } };
    expect(explainRefusal(failure, { PUBLISHABLE_KEY: '', JWT_SECRET: '' })).toEqual(failed);
  });

  it('of a key or token names those that are not set', () => {
    const { SECRET_KEY: _, ...env } = everyKey;
    const unset = { variables: ['SECRET_KEY'], local: false };
    expect(explainRefusal(refused, env)).toEqual({ ...refused, unset });
    expect(explainRefusal(refused, { ...env, LOCAL: '1' })).toEqual({
      ...refused,
      unset: { ...unset, local: true },
    });
  });

  it('is the same when no key is missing, or a missing one is not the cause', () => {
    const expired: Failure = { is: 'claims refused', message: 'JWT expired' };
    expect(explainRefusal(refused, { ...everyKey, JWT_SECRET: '', JWKS_URL: 'https://x' })).toBe(refused);
    expect(explainRefusal(missing, { SECRET_KEY: 'b' })).toBe(missing);
    expect(explainRefusal(expired, { SECRET_KEY: 'b' })).toBe(expired);
  });
});
