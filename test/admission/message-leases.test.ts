import { describe, expect, it } from 'vitest';
import { Leases } from '../../functions/admission/message-leases.ts';

const limit = 20;
const term = 6000;
const acquireAll = (leases: Leases, callerKey: string, now: number) =>
  Array.from({ length: limit }, () => leases.acquire(callerKey, now) ?? Number.NaN);

describe('leases', () => {
  it('are limited for each caller, whatever the others hold', () => {
    const leases = new Leases();
    acquireAll(leases, 'a', 0);
    expect(leases.acquire('a', 0)).toBeUndefined();
    expect(leases.acquire('b', 0)).toBeDefined();
  });

  it('can be acquired again once they are released', () => {
    const leases = new Leases();
    const [first = 0] = acquireAll(leases, 'a', 0);
    leases.release('a', first);
    expect(leases.acquire('a', 1)).toBeDefined();
    expect(leases.acquire('a', 1)).toBeUndefined();
  });

  it('expire by themselves when a dropped request does not release them', () => {
    const leases = new Leases();
    acquireAll(leases, 'a', 0);
    expect(leases.acquire('a', term - 1)).toBeUndefined();
    expect(leases.acquire('a', term)).toBeDefined();
  });

  it('that have expired free no other lease when they are released', () => {
    const leases = new Leases();
    const [first = 0] = acquireAll(leases, 'a', 0);
    acquireAll(leases, 'a', term);
    leases.release('a', first);
    expect(leases.acquire('a', term)).toBeUndefined();
  });

  it('of callers that are gone are removed', () => {
    const leases = new Leases();
    for (let now = 0; now < 100_000; now += 10) {
      leases.acquire(`caller ${now}`, now);
    }
    expect(leases.callers).toBeLessThanOrEqual(1001);
    leases.release('z', leases.acquire('z', 100_000) ?? 0);
    expect(leases.callers).toBeLessThanOrEqual(1001);
  });
});
