import { describe, expect, it } from 'vitest';
import { Leases } from '../../functions/database/message-leases.ts';

const limit = 20;
const term = 6000;
const takeAll = (leases: Leases, sender: string, now: number) =>
  Array.from({ length: limit }, () => leases.take(sender, now) ?? Number.NaN);

describe('leases', () => {
  it('are so many for each sender, whatever the others have', () => {
    const leases = new Leases();
    takeAll(leases, 'a', 0);
    expect(leases.take('a', 0)).toBeUndefined();
    expect(leases.take('b', 0)).toBeDefined();
  });

  it('can be taken again once they are given back', () => {
    const leases = new Leases();
    const [first = 0] = takeAll(leases, 'a', 0);
    leases.release('a', first);
    expect(leases.take('a', 1)).toBeDefined();
    expect(leases.take('a', 1)).toBeUndefined();
  });

  it('end by themselves, when nothing of a request is left to give them back', () => {
    const leases = new Leases();
    takeAll(leases, 'a', 0);
    expect(leases.take('a', term - 1)).toBeUndefined();
    expect(leases.take('a', term)).toBeDefined();
  });

  it('that have ended and are given back take nothing from the others', () => {
    const leases = new Leases();
    const [first = 0] = takeAll(leases, 'a', 0);
    takeAll(leases, 'a', term);
    leases.release('a', first);
    expect(leases.take('a', term)).toBeUndefined();
  });

  it('are forgotten with their sender', () => {
    const leases = new Leases();
    for (let now = 0; now < 100_000; now += 10) {
      leases.take(`sender ${now}`, now);
    }
    expect(leases.senders).toBeLessThanOrEqual(1001);
    leases.release('z', leases.take('z', 100_000) ?? 0);
    expect(leases.senders).toBeLessThanOrEqual(1001);
  });
});
