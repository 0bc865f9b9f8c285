import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { liveLimits } from '../../functions/live/live-limits.ts';
import { LiveSocket, socketLimits } from '../../functions/live/live-socket.ts';
import { Sockets } from '../../functions/live/sockets.ts';

const { sockets, bytesOfUser, messagesOfUser } = liveLimits;
const { bytesOfSocket, silence } = socketLimits;

let all: Sockets;
let users = 0;
beforeEach(() => {
  vi.useFakeTimers();
  all = new Sockets();
});
afterEach(() => vi.useRealTimers());

const webSocket = { send: () => {}, close: () => {} };
const newSocket = (network: string) =>
  new LiveSocket(webSocket, { version: '2.0.0', isService: false, isBrowser: false, network });

/** Opens so many sockets, each of which joins a channel as soon as it is open. */
function openMembers(network: string, count: number, user?: string): LiveSocket[] {
  const members: LiveSocket[] = [];
  while (members.length < count) {
    expect(all.findExcess(network)).toBeUndefined();
    const member = newSocket(network);
    all.add(member);
    all.join(member, user ?? `user ${users++}`);
    members.push(member);
  }
  return members;
}

describe('a socket must be closed', () => {
  /** Sends so many bytes, which nobody proves to have read. */
  const send = (socket: LiveSocket, bytes: number) =>
    socket.send({ joinRef: '1', ref: null, topic: 'x', event: 'x' }, JSON.stringify('x'.repeat(bytes)));

  it.each([
    ['when it was sent more than may lie unread', undefined, [bytesOfSocket, bytesOfSocket / 2]],
    ['when its user was, and it was sent the most', 'user', [5, 4, 4, 4].map(n => (n * bytesOfUser) / 16)],
  ])('%s', (_, user, bytes) => {
    const members = openMembers('a', bytes.length, user);
    for (const [n, member] of members.entries()) {
      send(member, bytes[n] ?? 0);
    }
    expect([...all.faults().keys()]).toEqual([members[0]]);
  });

  it('when it sends no heartbeats', () => {
    const [member] = openMembers('a', 1);
    vi.advanceTimersByTime(silence + 1);
    expect([...all.faults().keys()]).toEqual([member]);
    member?.heartbeat({ joinRef: null, ref: '1', topic: 'phoenix', event: 'heartbeat', payload: {} });
    expect([...all.faults().keys()]).toEqual([]);
  });
});

it('an object has a bound on its sockets', () => {
  const [first] = openMembers('a', sockets);
  expect(all.findExcess('b')).toEqual({ is: 'no live connection', reason: 'LIVE_FULL' });
  all.remove(first as LiveSocket);
  expect(all.findExcess('b')).toBeUndefined();
});

it('a user has a bound on the messages of all its sockets', () => {
  const members = openMembers('a', 20, 'user');
  const counts = Array.from({ length: messagesOfUser + 1 }, (_, n) =>
    all.countMessage(members[n % 20] as LiveSocket, 1),
  );
  expect(counts.indexOf(false)).toBe(messagesOfUser);
});
