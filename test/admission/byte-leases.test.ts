import { beforeEach, describe, expect, it } from 'vitest';
import { ByteLeases, type Lease } from '../../functions/admission/byte-leases.ts';

let leases: ByteLeases;
beforeEach(() => {
  leases = new ByteLeases({ bytes: 100, bytesOfCaller: 60, term: 1000, acquireTimeout: 50 });
});

const take = (owner: string, bytes: number, now = 0): Lease => {
  const lease = leases.take(owner, bytes, now);
  if (typeof lease === 'string') throw new Error(lease);
  return lease;
};

describe('a lease of memory', () => {
  it('is granted up to the share of a caller, and up to the limit of all', () => {
    take('a', 40);
    expect(leases.take('a', 21, 0)).toBe('share');
    take('a', 20);
    take('b', 40);
    expect(leases.take('c', 1, 0)).toBe('full');
  });

  it('frees its bytes when it is released, once', () => {
    const lease = take('a', 60);
    leases.release(lease);
    leases.release(lease);
    take('a', 60);
    expect(leases.take('a', 1, 0)).toBe('share');
  });

  it('expires', () => {
    take('a', 60, 0);
    expect(leases.take('a', 60, 999)).toBe('share');
    take('a', 60, 1000);
  });

  it('can be made smaller', () => {
    take('a', 60).bytes = 10;
    take('a', 50);
  });

  it('may exceed a limit when it is the only one, or it would never be granted', () => {
    take('a', 500);
    expect(leases.take('b', 1, 0)).toBe('full');
  });
});

describe('acquiring a lease', () => {
  it('succeeds when another is released', async () => {
    const lease = take('a', 60, Date.now());
    const waiting = leases.acquire('a', 60, 'FULL');
    leases.release(lease);
    expect(await waiting).toMatchObject({ ok: true, value: { owner: 'a', bytes: 60 } });
  });

  it('fails after a timeout, with the limit that prevented it', async () => {
    take('a', 60, Date.now());
    take('b', 40, Date.now());
    expect(await leases.acquire('a', 1, 'FULL')).toEqual({ ok: false, failure: { is: 'too many at once' } });
    expect(await leases.acquire('c', 1, 'FULL')).toEqual({
      ok: false,
      failure: { is: 'overloaded', reason: 'FULL' },
    });
  });
});
