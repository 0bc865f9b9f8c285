import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Lease, Leases } from '../../functions/database/leases.ts';

const term = 10;
const bounds = { ofAll: 60, ofCaller: 30 };
interface Taken {
  lease: Lease;
  owner: string;
  amount: number;
}
const step = fc.record({
  what: fc.constantFrom('take', 'take', 'resize', 'release'),
  owner: fc.constantFrom('a', 'b', 'c'),
  amount: fc.integer({ min: 1, max: 35 }),
  which: fc.nat(20),
  passed: fc.nat(4),
});

it('leases are granted as if all that have not ended were added up each time, in whatever order they are released', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const counted = new Leases(bounds, term);
      let taken: Taken[] = [];
      let now = 0;
      const sum = (some: Taken[]) => some.reduce((total, { amount }) => total + amount, 0);
      for (const { what, owner, amount, which, passed } of steps) {
        now += passed;
        taken = taken.filter(({ lease }) => lease.until > now);
        const one = taken[which % taken.length];
        if (what === 'take') {
          const own = sum(taken.filter(other => other.owner === owner));
          const all = sum(taken);
          const expected =
            own > 0 && own + amount > bounds.ofCaller
              ? 'share'
              : all > 0 && all + amount > bounds.ofAll
                ? 'full'
                : 'granted';
          const lease = counted.take(owner, amount, now);
          expect(typeof lease === 'string' ? lease : 'granted').toBe(expected);
          taken.push(...(typeof lease === 'string' ? [] : [{ lease, owner, amount }]));
        } else if (one && what === 'resize') {
          counted.resize(one.lease, amount);
          one.amount = amount;
        } else if (one) {
          counted.release(one.lease);
          taken = taken.filter(other => other !== one);
        }
      }
    }),
  );
});
