import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import '../setup/with-resolvers.ts';
import { Admission } from '../../functions/live/admission.ts';
import { liveLimits } from '../../functions/live/limits.ts';
import { LiveSocket } from '../../functions/live/socket.ts';

const { sockets, socketsOfNetwork, unjoined, unjoinedOfNetwork, waitFor, networkKeptFor } = liveLimits;
const { bytesOfSocket, bytesOfUser, joinTimeout, silence } = liveLimits;

let admission: Admission;
let users = 0;
beforeEach(() => {
  vi.useFakeTimers();
  admission = new Admission();
});
afterEach(() => vi.useRealTimers());

const webSocket = { send: () => {}, close: () => {} };
const newSocket = (network: string) =>
  new LiveSocket(webSocket, { version: '2.0.0', isService: false, isBrowser: false, network });

async function open(network: string): Promise<LiveSocket> {
  expect(await admission.admit(network)).toMatchObject({ ok: true });
  const socket = newSocket(network);
  admission.add(socket);
  return socket;
}

/** Opens sockets, each of which joins a channel as a user of its own. */
async function openMembers(network: string, count: number): Promise<LiveSocket[]> {
  const members: LiveSocket[] = [];
  while (members.length < count) {
    const member = await open(network);
    admission.join(member, `user ${users++}`);
    members.push(member);
  }
  return members;
}

const openUnjoined = (network: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => open(network)));

/** Requests a socket; says what became of the request so far. */
function request(network: string): { is: 'waiting' | 'admitted' | 'refused' } {
  const state: { is: 'waiting' | 'admitted' | 'refused' } = { is: 'waiting' };
  admission.admit(network).then(({ ok }) => {
    state.is = ok ? 'admitted' : 'refused';
  });
  return state;
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('a socket that has joined no channel', () => {
  it('is named to be closed when it is the oldest and there are too many of all networks', async () => {
    const oldest = await open('network 0');
    await openMembers('members', 1);
    for (let n = 1; n < unjoined; n++) {
      await open(`network ${n}`);
    }
    expect(await admission.admit('one more')).toMatchObject({ ok: true });
    expect(admission.add(newSocket('one more'))).toBe(oldest);
  });

  it.each([
    ['joins', (socket: LiveSocket) => admission.join(socket, 'user')],
    ['ends', (socket: LiveSocket) => admission.remove(socket)],
  ])('frees its place for one of its network that waits when it %s', async (_, free) => {
    const [first] = await openUnjoined('a', unjoinedOfNetwork);
    const waiting = request('a');
    await settle();
    expect(waiting.is).toBe('waiting');
    free(first as LiveSocket);
    await settle();
    expect(waiting.is).toBe('admitted');
  });

  it('keeps its place when it was closed and has not ended, and one that waits is refused in time', async () => {
    const [first] = await openUnjoined('a', unjoinedOfNetwork);
    first?.close();
    const waiting = request('a');
    await vi.advanceTimersByTimeAsync(waitFor);
    expect(waiting.is).toBe('refused');
    await open('b');
  });
});

describe('a socket must be closed', () => {
  /** Sends so many bytes, which nobody proves to have read. */
  const send = (socket: LiveSocket, bytes: number) =>
    socket.send({ joinRef: '1', ref: null, topic: 'x', event: 'x' }, JSON.stringify('x'.repeat(bytes)));

  it('when it was sent more than may lie unread', async () => {
    const [slow, other] = await openMembers('a', 2);
    send(slow as LiveSocket, bytesOfSocket);
    send(other as LiveSocket, bytesOfSocket / 2);
    expect([...admission.faults().keys()]).toEqual([slow]);
  });

  it('when its user was sent more than may lie unread, and it was sent the most', async () => {
    const user = await Promise.all(Array.from({ length: 4 }, () => open('a')));
    for (const [n, socket] of user.entries()) {
      admission.join(socket, 'user');
      send(socket, bytesOfUser / 4 + n * 100);
    }
    expect([...admission.faults().keys()]).toEqual([user.at(-1)]);
  });

  it('when it has joined no channel in time, or sends no heartbeats', async () => {
    const silent = await open('a');
    const [member] = await openMembers('a', 1);
    vi.advanceTimersByTime(joinTimeout + 1);
    expect([...admission.faults().keys()]).toEqual([silent]);
    vi.advanceTimersByTime(silence - joinTimeout);
    expect([...admission.faults().keys()]).toEqual([silent, member]);
  });
});

describe('a network', () => {
  it('has a place more for each socket that has joined, also when all have just ended', async () => {
    const members = await openMembers('a', 40);
    for (const member of members) {
      admission.remove(member);
    }
    vi.advanceTimersByTime(networkKeptFor - 1);
    await openUnjoined('a', unjoinedOfNetwork + 40);
    const waiting = request('a');
    await settle();
    expect(waiting.is).toBe('waiting');
  });

  it('has a bound on its sockets', async () => {
    await openMembers('a', socketsOfNetwork);
    expect(await admission.admit('a')).toMatchObject({ ok: false });
    await open('b');
  });
});

it('an object has a bound on its sockets', async () => {
  for (let n = 0; n < sockets; n += 1000) {
    await openMembers(`network ${n}`, 1000);
  }
  expect(await admission.admit('another')).toMatchObject({ ok: false });
});
