import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { type Claim, Claims, claimOf, settle } from '../../functions/live/claims.ts';
import type { Place } from '../../functions/live/resume.ts';
import { Devices, firstRefs } from './devices.ts';

const { freshRefs, claimedPlaces } = limits.live;

const ended = (id: number, lastRef: number, proven: number): Place => ({
  ...{ id, socket: `ended ${id}`, lastRef, proven, sent: proven, wasUnknown: false },
});
/** `arrived` as many of its answers as one less than were sent, as after each heartbeat. */
const open = (name: string, lastRef: number, answers: number): Place => ({
  ...{ socket: name, open: { answers, arrived: answers - 1 } },
  ...{ lastRef, proven: 1, sent: 1, wasUnknown: false },
});
const back = { id: 'new', firstRef: 50, answers: 0 };
/** A heartbeat comes from it. */
const hear = ({ open: heartbeats }: Place): void => {
  if (heartbeats) {
    heartbeats.arrived = heartbeats.answers;
    heartbeats.answers += 1;
  }
};

describe('a client that comes back claims', () => {
  it('all that it may have been, when one of them counts as open', () => {
    const places = [ended(1, 20, 7), open('old', 49, 3), open('higher', 50, 3)];
    const claim = claimOf(places, back);
    expect([...(claim?.entries() ?? [])]).toMatchObject([
      ['ended 1', undefined],
      ['old', { answers: 3 }],
    ]);
  });

  it('as many as there may be', () => {
    const places = Array.from({ length: claimedPlaces }, (_, n) => open(`${n}`, 20, 3));
    expect(claimOf(places, back)?.size).toBe(claimedPlaces);
  });

  it.each<[what: string, places: Place[], socket: object]>([
    ['when all of them have ended', [ended(1, 20, 7)], {}],
    ['on the socket of its earlier channel', [open('old', 20, 3), { ...ended(1, 60, 7), socket: 'new' }], {}],
    ['when it may be new', [open('old', 5, 3)], { firstRef: freshRefs }],
    ['on a socket that was open before', [open('old', 20, 3)], { answers: 1 }],
    ['of too many', Array.from({ length: claimedPlaces + 1 }, (_, n) => open(`${n}`, 20, 3)), {}],
  ])('nothing %s', (_, places, socket) => {
    expect(claimOf(places, { ...back, ...socket })).toBeUndefined();
  });
});

describe('a claim', () => {
  const first = ended(1, 20, 7);
  /** Returns the claim of one that had ended and of these, which were open. */
  const claimed = (...places: Place[]): Claim => claimOf([first, ...places], back) ?? new Map();
  it('waits while one of them counts as open, also when a heartbeat comes that was sent before', () => {
    const old = open('old', 49, 3);
    const claim = claimed(old);
    expect(settle(claim, [first, old])).toBe('waiting');
    hear(old);
    expect(settle(claim, [first, old])).toBe('waiting');
  });

  it('replaces the ended one when the other is heard, also if that ends then', () => {
    const old = open('old', 49, 3);
    const claim = claimed(old);
    hear(old);
    hear(old);
    expect(settle(claim, [first, old])).toEqual({ forget: first, lower: [] });
    expect(settle(claim, [first, { ...ended(2, 49, 9), socket: 'old' }])).toEqual({
      forget: first,
      lower: [],
    });
  });

  it('replaces one of them when both have ended, and the other stands for both', () => {
    const old = { ...ended(2, 49, 9), socket: 'old' };
    expect(settle(claimed(open('old', 49, 3)), [first, old])).toEqual({ forget: old, lower: [first] });
  });

  it('waits for those that are not heard, and for no others', () => {
    const [old, other] = [open('old', 49, 3), open('other', 30, 8)];
    const claim = claimed(old, other);
    hear(old);
    hear(old);
    expect(settle(claim, [first, old, other])).toBe('waiting');
    expect(settle(claim, [first, other])).toBe('waiting');
    hear(other);
    hear(other);
    expect(settle(claim, [first])).toEqual({ forget: first, lower: [] });
  });

  it('ends when one of them was left, as that may have been the one that is meant, or when all are heard', () => {
    const old = open('old', 49, 3);
    const claim = claimed(old);
    const ofOld = claimOf([old], back) ?? new Map();
    expect(settle(claim, [first])).toBeUndefined();
    hear(old);
    hear(old);
    expect(settle(claim, [old])).toBeUndefined();
    expect(settle(ofOld, [old])).toBeUndefined();
  });
});

describe('claims', () => {
  const identityOf = (topic: string) => ({ user: 'user', topic, given: '[]' });
  const claim: Claim = new Map([['ended 1', undefined]]);

  it('of one topic have nothing to do with those of another, though the sockets are the same', () => {
    const replaced: (Place | undefined)[] = [];
    const claims = new Claims({
      placesOf: ({ topic }) => [ended(1, 20, topic === 'one' ? 7 : 8)],
      replace: ({ forget }) => replaced.push(forget),
    });
    claims.add(identityOf('one'), claim);
    claims.add(identityOf('other'), claim);
    claims.settle();
    claims.settle();
    expect(replaced).toEqual([ended(1, 20, 7), ended(1, 20, 8)]);
  });

  it.each([
    ['of another user', { user: 'other' }],
    ['with other parameters', { given: '[1]' }],
  ])('%s have nothing to do with one of the same topic', (_, changed) => {
    let replaced = 0;
    const claims = new Claims({
      placesOf: () => [ended(1, 20, 7)],
      replace: () => {
        replaced += 1;
      },
    });
    claims.add(identityOf('one'), claim);
    claims.add({ ...identityOf('one'), ...changed }, claim);
    claims.settle();
    expect(replaced).toBe(2);
  });

  it('do not pass from one that was heard to the place that stands for it', () => {
    const [old, second] = [open('old', 20, 3), open('second', 30, 3)];
    let places = [old, second];
    const claims = new Claims({
      placesOf: () => places,
      replace: ({ forget }) => {
        places = places.filter(place => place !== forget);
      },
    });
    claims.add(identityOf('one'), claimOf([old], back) ?? new Map());
    hear(old);
    hear(old);
    // Both end, and one of them comes back.
    const [first, stays] = [
      { ...ended(1, 20, 9), socket: 'old' },
      { ...ended(2, 30, 7), socket: 'second' },
    ];
    places = [stays];
    claims.merged(identityOf('one'), { forget: first, lower: [stays] });
    claims.settle();
    expect(places).toEqual([stays]);
  });

  it('are kept up to a number, and those beyond leave their places', () => {
    let replaced = 0;
    const claims = new Claims({
      placesOf: () => [ended(1, 20, 7)],
      replace: () => {
        replaced += 1;
      },
    });
    for (let n = 0; n <= limits.live.claims; n++) {
      claims.add(identityOf(`${n}`), claim);
    }
    claims.settle();
    expect(replaced).toBe(limits.live.claims);
  });
});

describe('devices that join, lose their network and come back in any order', () => {
  const step = fc.record({
    what: fc.constantFrom('add', 'publish', 'prove', 'lose', 'late', 'end', 'back', 'settle'),
    which: fc.nat(5),
    messages: fc.nat(12),
  });
  type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never;

  /** Does it with a device or socket for which it is possible; `leastRefs` are what a device counts before it is lost. */
  function take(devices: Devices, { what, which, messages }: Step, leastRefs: number): void {
    const connected = devices.all.filter(({ socket }) => socket);
    const away = devices.all.filter(({ socket }) => !socket);
    const [one, gone] = [connected[which % connected.length], away[which % away.length]];
    const silent = devices.silent[which % devices.silent.length];
    if (what === 'add' && devices.all.length < 4) {
      devices.add(firstRefs[which % firstRefs.length]);
    } else if (what === 'publish') {
      devices.publish();
    } else if (what === 'lose' && one) {
      while (one.lastRef < leastRefs) {
        devices.beat(one);
      }
      devices.lose(one, messages);
    } else if (what === 'prove' && one) {
      devices.beat(one);
      devices.beat(one);
    } else if (what === 'late' && silent) {
      devices.hearLate(silent);
    } else if (what === 'end' && silent) {
      devices.end(silent);
    } else if (what === 'settle') {
      devices.settle();
    } else if (what === 'back' && gone) {
      const resumption = devices.join(gone);
      expect(resumption.is === 'from' ? resumption.round : 0).toBeLessThanOrEqual(gone.has);
      expect(resumption.is === 'begin').toBe(false);
      devices.catchUp(gone);
    }
  }

  it('never go on behind what they have', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 20, maxLength: 60 }),
        fc.constantFrom(0, freshRefs),
        (steps, leastRefs) => {
          const devices = new Devices();
          devices.add();
          for (const next of steps) {
            take(devices, next, leastRefs);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('leave no more places than there are devices, when all that listen have been heard', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), steps => {
        const devices = new Devices();
        devices.add();
        for (const next of steps) {
          take(devices, next, freshRefs);
        }
        devices.endSilent();
        for (const device of [...devices.all, ...devices.all]) {
          devices.beat(device);
        }
        devices.settle();
        expect(devices.places.length).toBeLessThanOrEqual(devices.all.length);
      }),
      { numRuns: 3000 },
    );
  });
});
