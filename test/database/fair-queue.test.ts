import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type Turn } from '../../functions/database/fair-queue.ts';

const bounds = { places: 4, share: 2, waiting: 6, waitingOfOne: 4 };

/** Records who got a place, in that order. */
function watch(queue = new FairQueue(bounds)) {
  const served: string[] = [];
  const turns: [sender: string, turn: Turn][] = [];
  const note = (sender: string, turn: Turn): void => {
    turns.push([sender, turn]);
    if (turn === 'taken') {
      served.push(sender);
    }
  };
  const enter = (sender: string, until = 1000): void => {
    const entered = queue.enter(sender);
    if (entered === 'wait') {
      queue.wait(sender, { until, resolve: turn => note(sender, turn) });
    } else {
      note(sender, entered);
    }
  };
  return { queue, served, turns, enter };
}

describe('a fair queue', () => {
  it('gives a place at once while there is one, and to one sender no more than its share', () => {
    const queue = new FairQueue(bounds);
    expect([queue.enter('a'), queue.enter('a')]).toEqual(['taken', 'taken']);
    expect(queue.enter('a')).toBe('wait');
    expect([queue.enter('b'), queue.enter('c')]).toEqual(['taken', 'taken']);
    expect(queue.enter('d')).toBe('wait');
  });

  it('serves senders in turn, and each in its own order', () => {
    const { queue, served, enter } = watch();
    for (const sender of ['x', 'x', 'y', 'y', 'a', 'a', 'a', 'b', 'c']) {
      enter(sender);
    }
    for (const sender of ['x', 'y', 'x', 'y', 'a', 'b']) {
      queue.leave(sender);
    }
    expect(served.slice(4)).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  it('passes over who has its share already', () => {
    const { queue, served, enter } = watch();
    for (const sender of ['a', 'a', 'b', 'b', 'a', 'a', 'c']) {
      enter(sender);
    }
    queue.leave('b');
    expect(served.slice(4)).toEqual(['c']);
  });

  it('calls the next of a sender for a place that it has, in its order, and nobody while others wait too', () => {
    const { queue, turns, enter } = watch();
    for (const [sender, until] of [['a'], ['a'], ['a', 1], ['a', 2], ['b'], ['b'], ['c', 3]] as const) {
      enter(sender, until);
    }
    expect([queue.nextOf('a'), queue.nextOf('c')]).toEqual([undefined, undefined]);
    queue.leave('b');
    expect([queue.nextOf('b'), queue.nextOf('a')?.until, queue.isServed]).toEqual([undefined, 1, false]);
    expect([queue.nextOf('a')?.until, queue.nextOf('a'), queue.isServed]).toEqual([2, undefined, true]);
    expect(turns.map(([sender]) => sender)).toEqual(['a', 'a', 'b', 'b', 'c']);
  });

  it('refuses the sender who has too many waiting, and everyone when too many wait', () => {
    const { turns, enter } = watch();
    for (const sender of ['a', 'a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'c']) {
      enter(sender);
    }
    expect(turns.filter(([, turn]) => turn !== 'taken')).toEqual([
      ['a', 'too many'],
      ['c', 'full'],
    ]);
  });

  it('lets nobody wait for ever, and tells whom its own requests kept waiting', () => {
    const { queue, turns, enter } = watch();
    for (const [sender, until] of [
      ['a', 0],
      ['a', 0],
      ['b', 0],
      ['c', 0],
      ['a', 100],
      ['d', 100],
      ['d', 200],
    ] as const) {
      enter(sender, until);
    }
    queue.giveUp(100);
    expect(turns.slice(4)).toEqual([
      ['a', 'too many'],
      ['d', 'late'],
    ]);
    queue.leave('c');
    expect(turns.at(-1)).toEqual(['d', 'taken']);
  });

  it('whatever happens keeps its bounds, forgets nobody, and leaves no place empty that is wanted', () => {
    const sender = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const steps = fc.array(
      fc.record({ does: fc.constantFrom('enter', 'enter', 'leave', 'call', 'give up'), sender }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, all => {
        const { queue, turns, enter } = watch();
        const taken = new Map<string, number>();
        let entered = 0;
        let seen = 0;
        const count = () => {
          for (const [who, turn] of turns.slice(seen)) {
            taken.set(who, (taken.get(who) ?? 0) + (turn === 'taken' ? 1 : 0));
          }
          seen = turns.length;
          const places = [...taken.values()];
          expect(Math.max(0, ...places)).toBeLessThanOrEqual(bounds.share);
          expect(places.reduce((sum, of) => sum + of, 0)).toBeLessThanOrEqual(bounds.places);
          expect(entered - turns.length).toBeLessThanOrEqual(bounds.waiting);
        };
        for (const [now, { does, sender: who }] of all.entries()) {
          if (does === 'enter') {
            entered += 1;
            enter(who, now + 10);
          } else if (does === 'give up') {
            queue.giveUp(now);
          } else if (does === 'call') {
            const called = (taken.get(who) ?? 0) > 0 && queue.nextOf(who);
            entered -= called ? 1 : 0;
          } else if ((taken.get(who) ?? 0) > 0) {
            taken.set(who, (taken.get(who) ?? 0) - 1);
            queue.leave(who);
          }
          count();
        }
        // Who still waits is served as places come free.
        for (let left = entered + 1; left > 0; left--) {
          const holder = [...taken].find(([, places]) => places > 0)?.[0];
          if (holder !== undefined) {
            taken.set(holder, (taken.get(holder) ?? 0) - 1);
            queue.leave(holder);
          }
          count();
        }
        expect(turns).toHaveLength(entered);
        expect([...taken.values()].every(places => places === 0)).toBe(true);
        // As new: nothing is left over.
        expect(['g', 'g', 'h', 'h'].map(who => queue.enter(who))).toEqual(Array(4).fill('taken'));
      }),
      { numRuns: 100 },
    );
  });
});
