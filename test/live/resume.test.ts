import { describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { type Place, replace, resume } from '../../functions/live/resume.ts';

const { freshRefs } = limits.live;
const socket = { id: 'new', firstRef: 50, answers: 0 };

/** A channel that ended on another socket, with everything up to its round. */
const ended = (id: number, lastRef: number, proven: number): Place => ({
  ...{ id, socket: `old ${id}`, lastRef, proven, sent: proven, wasUnknown: false },
});
const open = (lastRef: number, proven: number): Place => ({
  socket: 'open',
  open: { answers: 1, arrived: 0 },
  lastRef,
  proven,
  sent: proven,
  wasUnknown: false,
});

describe('a client that joins', () => {
  it.each<[what: string, places: Place[], firstRef: number, resumption: object]>([
    ['begins, if its references are those of a fresh page', [], freshRefs, { is: 'begin' }],
    ['missed what nobody knows, if it was here before', [], freshRefs + 1, { is: 'missed' }],
    ['goes on from what has arrived', [ended(1, 49, 7)], 50, { is: 'from', round: 7 }],
    ['is not one whose references are as high as its own', [ended(1, 50, 7)], 50, { is: 'missed' }],
    ['is fresh beside one whose references are higher', [ended(1, 50, 7)], 1, { is: 'begin' }],
    [
      'may be any before it: the earliest counts',
      [ended(1, 49, 7), ended(2, 3, 4)],
      50,
      { is: 'from', round: 4 },
    ],
    ['may be one that counts as open', [ended(1, 49, 7), open(20, 5)], 50, { is: 'from', round: 5 }],
    ['may be one of a round that is forgotten', [ended(1, 49, 7), ended(2, 3, 1)], 50, { is: 'missed' }],
    [
      'is told so beside one of which nothing was known either',
      [ended(1, 49, 7), { ...open(3, 8), wasUnknown: true }],
      50,
      { is: 'missed' },
    ],
    ['may be one of the first round that is known', [ended(1, 49, 2)], 50, { is: 'from', round: 2 }],
  ])('%s', (_, places, firstRef, resumption) => {
    expect(resume(places, { ...socket, firstRef }, 2)).toEqual(resumption);
  });

  it('goes on from what was sent on the same socket, whatever others there are', () => {
    const own = { ...ended(1, 60, 5), socket: socket.id, sent: 9 };
    expect(resume([ended(2, 3, 4), own], socket, 2)).toEqual({ is: 'from', round: 9 });
    expect(resume([{ ...own, sent: 1 }], socket, 2)).toEqual({ is: 'missed' });
  });
});

describe('the channel that a client goes on with replaces', () => {
  it('the one of the same socket', () => {
    const own = { ...ended(1, 60, 5), socket: socket.id };
    expect(replace([ended(2, 3, 4), own], socket)).toEqual({ forget: own, lower: [] });
  });

  it('the only one that it may have been', () => {
    expect(replace([ended(1, 49, 7), ended(2, 50, 3)], socket)).toEqual({
      forget: ended(1, 49, 7),
      lower: [],
    });
  });

  it('of several the latest, and the others stand for that one too', () => {
    expect(replace([ended(1, 10, 7), ended(2, 40, 3), ended(3, 20, 5)], socket)).toEqual({
      forget: ended(1, 10, 7),
      lower: [ended(3, 10, 3), ended(2, 10, 3)].map(place => ({ ...place, sent: place.id === 3 ? 5 : 3 })),
    });
  });

  it('none, if it may be new, or on a socket that was open before: it would be that of another', () => {
    expect(replace([ended(1, 10, 7)], { ...socket, firstRef: freshRefs })).toEqual({ lower: [] });
    expect(replace([ended(1, 10, 7)], { ...socket, answers: 1 })).toEqual({ lower: [] });
  });

  it('not the only one, if that may be of a young page, which would begin without a word when it came back', () => {
    const young = ended(1, freshRefs - 1, 7);
    expect(replace([young], socket)).toEqual({ lower: [] });
    expect(replace([young, ended(2, 40, 3)], socket)).toMatchObject({ forget: { id: 1 } });
    expect(replace([ended(1, freshRefs, 7)], socket)).toMatchObject({ forget: { id: 1 } });
  });

  it('none, if it may have been one that counts as open', () => {
    expect(replace([ended(1, 49, 7), open(20, 5)], socket)).toEqual({ lower: [] });
    expect(replace([ended(1, 49, 7), ended(2, 30, 6), open(20, 5)], socket)).toEqual({ lower: [] });
    expect(replace([open(20, 5)], socket)).toEqual({ lower: [] });
    expect(replace([], socket)).toEqual({ lower: [] });
  });
});
