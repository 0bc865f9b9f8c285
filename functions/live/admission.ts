/**
 * Who may have a socket, who is asking on it, and how much each user and network has of what all share.
 *
 * A socket that has joined no channel takes one of its network's places until it ends: a stranger gets few of them. Each
 * socket that joins frees its place and adds another, so that an office whose pages reconnect at once is back soon; its
 * upgrades wait for a place meanwhile.
 */
import { countAccount, countOrigin } from '../admission/rate-limit.ts';
import { type Caller, identifyBearer, isForServers, service } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import { mib, minute, second } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';
import type { Failure } from '../failure/failure.ts';
import { fail, ok, type Result } from '../failure/result.ts';
import { expiryOf } from '../token/claims.ts';
import { breaks, type Fault, type LiveSocket, type Opened, socketLimits, WindowCounter } from './socket.ts';

/** Live updates: sockets and messages. Beyond: the upgrade is 429 or 503, a join fails, or the socket closes with 1008. */
export const admissionLimits = {
  /** Sockets of an object; `LIVE_OBJECTS` sets how many there are */
  sockets: 5000,
  /** Sockets of a network */
  socketsOfNetwork: 2500,
  /** Sockets of a user */
  socketsOfUser: 200,
  // Sockets of an object that have joined no channel. A new one replaces the oldest.
  unjoined: 1200,
  // Such sockets of a network; one more for each of its sockets that has joined.
  unjoinedOfNetwork: 25,
  // How long a network's count of joined sockets is kept after their end, and how many networks are kept.
  networkKeptFor: 60 * minute,
  networksKept: 15_000,
  // Upgrades that wait for a place of their network.
  waiting: 1200,
  // How long an upgrade waits for such a place before it gets 429.
  waitFor: 5 * second,
  // How long a socket that has not joined is kept while another of its network waits.
  undisturbed: 2 * second,
  /** Messages of a socket in 10 s */
  messages: 100,
  // Further messages for each of its channels.
  messagesOfChannel: 2,
  /** Messages of a user in 10 s */
  messagesOfUser: 1000,
  /** Sent on all open sockets of a user */
  bytesOfUser: 32 * mib,
  /** Sent to a user in 10 s; then it must read again */
  bytesOfUserWithin: 8 * mib,
  /** Sent to all users of an object in 10 s; then they must read again */
  bytesWithin: 64 * mib,
  bytesWindow: 10 * second,
} as const;

/** Returns the failure of a caller by a key that live updates don't take. */
export function findRefusal(caller: Caller, isBrowser: boolean): Failure | undefined {
  if (isForServers(caller) && isBrowser) {
    return { is: 'secret in browser', kind: caller.kind };
  }
  return caller.kind === 'reader' ? { is: 'read key', refused: 'live' } : undefined;
}

/** Who a token belongs to, and when it expires: seconds since 1970, null of a key. */
interface Identified {
  caller: Caller;
  expires: number | null;
}

/** Identifies who listens. Without a token, as before a page has its own, only a socket opened with the secret key may listen. */
export async function identify(token: unknown, opened: Opened, env: Env): Promise<Result<Identified>> {
  const given = typeof token === 'string' ? token : '';
  const caller = given === '' ? undefined : await identifyBearer(given, env);
  if (caller && !caller.ok) {
    const counted = await countOrigin(opened.network, 'secret', env);
    return counted.ok ? caller : counted;
  }
  if (!caller || caller.value.kind === 'anon') {
    return opened.isService
      ? ok({ caller: service, expires: null })
      : fail<Failure>({ is: 'credentials missing', what: 'access token of a signed-in user' });
  }
  const refusal = findRefusal(caller.value, opened.isBrowser);
  if (refusal) {
    return fail(refusal);
  }
  const counted = await countAccount(caller.value, env);
  return counted?.ok === false ? counted : ok({ caller: caller.value, expires: expiryOf(given) ?? null });
}

interface User {
  sockets: Set<LiveSocket>;
  messages: WindowCounter;
  bytes: WindowCounter;
}

interface Network {
  /** Sockets that have not ended, and those about to open: those that have joined nothing, and the others. */
  unjoined: number;
  joined: number;
  /** The most that had joined at once. */
  members: number;
  /** When its last socket ended, in milliseconds since 1970. */
  endedAt: number;
  /** Upgrades that wait for a place. */
  waiting: Set<(isAdmitted: boolean) => void>;
}

export class Admission {
  /** Those that have not ended, the oldest first. */
  readonly #sockets = new Set<LiveSocket>();
  readonly #users = new Map<string, User>();
  readonly #networks = new Map<string, Network>();
  readonly #bytes = new WindowCounter(admissionLimits.bytesWindow);
  #waiting = 0;

  get isEmpty(): boolean {
    return this.#sockets.size === 0;
  }

  /** How many sockets have not ended, and how many of these are closing. */
  get counts(): { sockets: number; closing: number } {
    return { sockets: this.#sockets.size, closing: this.#sockets.size - openOf(this.#sockets).length };
  }

  /** Resolves when a network may open another socket, and takes a place for it. */
  async admit(name: string): Promise<Result<void>> {
    const { sockets, socketsOfNetwork, waiting, waitFor } = admissionLimits;
    if (this.#sockets.size >= sockets && openOf(this.#sockets).length >= sockets) {
      return fail<Failure>({ is: 'no live connection', reason: 'LIVE_FULL' });
    }
    const network = this.#networkOf(name);
    if (network.unjoined + network.joined >= socketsOfNetwork) {
      return tooMany('a network', socketsOfNetwork);
    }
    // Where the network is not known, as on a developer's machine, there is always a place.
    if (name === '' || (network.waiting.size === 0 && hasPlace(network))) {
      network.unjoined += 1;
      return ok(undefined);
    }
    if (this.#waiting < waiting) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(false), waitFor);
      this.#waiting += 1;
      network.waiting.add(resolve);
      const isAdmitted = await promise;
      network.waiting.delete(resolve);
      this.#waiting -= 1;
      clearTimeout(timer);
      if (isAdmitted) {
        return ok(undefined);
      }
    }
    return tooMany('a network without a joined channel', placesOf(network));
  }

  /** Adds a socket that was admitted. Returns the one that must be closed for it: the oldest that has joined nothing. */
  add(socket: LiveSocket): LiveSocket | undefined {
    this.#sockets.add(socket);
    const unjoined = this.#sockets.size > admissionLimits.unjoined ? unjoinedOf(this.#sockets) : [];
    return unjoined.length > admissionLimits.unjoined ? unjoined[0] : undefined;
  }

  /** Returns the failure of a user who would have too many sockets with this one. */
  findSocketExcess(socket: LiveSocket, user: string): Failure | undefined {
    const { socketsOfUser, bytesOfUser } = admissionLimits;
    const sockets = new Set(this.#users.get(user)?.sockets).add(socket);
    if (sockets.size > socketsOfUser) {
      return { is: 'too many sockets', of: 'a user', limit: socketsOfUser };
    }
    const closing = [...sockets].filter(({ isClosing }) => isClosing);
    return sentBytes(closing) > bytesOfUser / 2
      ? {
          is: 'too many sockets',
          of: 'a user until its closed ones are read to their end',
          limit: sockets.size - 1,
        }
      : undefined;
  }

  /** Gives a socket to the user who joins the first channel on it. */
  join(socket: LiveSocket, name: string): void {
    if (socket.user !== null) {
      return;
    }
    socket.user = name;
    const user = this.#users.get(name) ?? {
      sockets: new Set(),
      messages: new WindowCounter(socketLimits.messagesWithin),
      bytes: new WindowCounter(admissionLimits.bytesWindow),
    };
    this.#users.set(name, user);
    user.sockets.add(socket);
    const network = this.#networkOf(socket.opened.network);
    network.unjoined -= 1;
    network.joined += 1;
    network.members = Math.max(network.members, network.joined);
    admitWaiting(network);
  }

  /** Removes a socket that has ended. Until then it counts, also while it is closing. */
  remove(socket: LiveSocket): void {
    if (!this.#sockets.delete(socket)) {
      return;
    }
    const name = socket.opened.network;
    const network = this.#networkOf(name);
    if (socket.user === null) {
      network.unjoined -= 1;
    } else {
      network.joined -= 1;
      const sockets = this.#users.get(socket.user)?.sockets;
      if (sockets?.delete(socket) && sockets.size === 0) {
        this.#users.delete(socket.user);
      }
    }
    admitWaiting(network);
    if (network.unjoined + network.joined === 0) {
      this.#keep(name, network);
    }
  }

  /** Keeps a network that has no sockets, with others like it, as long as it has had members. */
  #keep(name: string, network: Network): void {
    network.endedAt = monotonicNow();
    this.#networks.delete(name);
    if (network.members > 0) {
      this.#networks.set(name, network);
    }
    if (this.#networks.size > admissionLimits.networksKept) {
      const [oldest = ''] = [...this.#networks].find(([, { endedAt }]) => endedAt > 0) ?? [];
      this.#networks.delete(oldest);
    }
  }

  #networkOf(name: string): Network {
    const known = this.#networks.get(name);
    if (known && (known.endedAt === 0 || monotonicNow() - known.endedAt < admissionLimits.networkKeptFor)) {
      known.endedAt = 0;
      return known;
    }
    const network: Network = { unjoined: 0, joined: 0, members: 0, endedAt: 0, waiting: new Set() };
    this.#networks.set(name, network);
    return network;
  }

  /** Counts a message that came on a socket with so many channels. False when there were too many, on it or of its user. */
  count(socket: LiveSocket, channels: number): boolean {
    const { messages, messagesOfChannel, messagesOfUser } = admissionLimits;
    const user = this.#users.get(socket.user ?? '');
    user?.messages.add(1);
    return (
      socket.messages.count <= messages + messagesOfChannel * channels &&
      (user?.messages.count ?? 0) <= messagesOfUser
    );
  }

  /** Counts bytes of changes. True when the socket's user was sent as much as it may be, or its share when all were. */
  sent(socket: LiveSocket, bytes: number): boolean {
    const { bytesOfUserWithin, bytesWithin } = admissionLimits;
    const user = this.#users.get(socket.user ?? '');
    this.#bytes.add(bytes);
    user?.bytes.add(bytes);
    const own = user?.bytes.count ?? 0;
    return (
      own > bytesOfUserWithin || (this.#bytes.count > bytesWithin && own > bytesWithin / this.#users.size)
    );
  }

  /** Returns the open sockets that must be closed now, and why. */
  faults(): Map<LiveSocket, Fault> {
    const faults = new Map<LiveSocket, Fault>();
    for (const socket of openOf(this.#sockets)) {
      if (socket.fault) {
        faults.set(socket, socket.fault);
      }
    }
    for (const { sockets } of this.#users.values()) {
      const [largest] = openOf(sockets).sort((a, b) => b.sentBytes - a.sentBytes);
      if (largest && sentBytes(sockets) > admissionLimits.bytesOfUser) {
        faults.set(largest, breaks('Reconnect: the send limit of this user was reached'));
      }
    }
    const places = new Map<Network, number>();
    for (const socket of this.#waiting > 0 ? unjoinedOf(this.#sockets) : []) {
      const network = this.#networkOf(socket.opened.network);
      const freed = places.get(network) ?? 0;
      if (freed < network.waiting.size && monotonicNow() - socket.openedAt > admissionLimits.undisturbed) {
        places.set(network, freed + 1);
        faults.set(socket, tooManyUnjoined);
      }
    }
    return faults;
  }
}

export const tooManyUnjoined = breaks('Too many sockets have joined no channel');

const tooMany = (of: string, limit: number) => fail<Failure>({ is: 'too many sockets', of, limit });

const openOf = (sockets: Iterable<LiveSocket>): LiveSocket[] =>
  [...sockets].filter(({ isClosing }) => !isClosing);

const unjoinedOf = (sockets: Iterable<LiveSocket>): LiveSocket[] =>
  openOf(sockets).filter(({ user }) => user === null);

/** Returns the bytes that may lie unread in memory. */
const sentBytes = (sockets: Iterable<LiveSocket>): number =>
  [...sockets].reduce((sum, socket) => sum + socket.sentBytes, 0);

const placesOf = ({ members }: Network): number => admissionLimits.unjoinedOfNetwork + members;

const hasPlace = (network: Network): boolean => network.unjoined < placesOf(network);

/** Gives places that are free to upgrades that wait for one. */
function admitWaiting(network: Network): void {
  for (const admit of network.waiting) {
    if (hasPlace(network)) {
      network.waiting.delete(admit);
      network.unjoined += 1;
      admit(true);
    }
  }
}
