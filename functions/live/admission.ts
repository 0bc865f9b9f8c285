/**
 * Who may have a socket, and how much each user and network has of what all share.
 *
 * A socket that has joined no channel takes one of its network's places until it ends: a stranger gets few of them. Each
 * socket that joins frees its place and adds another, so that an office whose pages reconnect at once is back soon; its
 * upgrades wait for a place meanwhile.
 */
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { liveLimits, WindowCounter } from './limits.ts';
import { breaks, type Fault, type LiveSocket } from './socket.ts';

interface User {
  sockets: Set<LiveSocket>;
  messages: WindowCounter;
  bytes: WindowCounter;
}

interface Network {
  /** Sockets that have not ended: those that have joined nothing, and the others. */
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
  readonly #open = new Set<LiveSocket>();
  /** Those that were told to close, and have not ended. */
  readonly #closing = new Set<LiveSocket>();
  /** The open ones without a channel, the oldest first. */
  readonly #unjoined = new Set<LiveSocket>();
  readonly #users = new Map<string, User>();
  readonly #networks = new Map<string, Network>();
  readonly #bytes = new WindowCounter(liveLimits.bytesWindow);
  #waiting = 0;

  /** How many sockets have not ended, and how many of these were told to close. */
  get counts(): { sockets: number; closing: number } {
    return { sockets: this.#open.size + this.#closing.size, closing: this.#closing.size };
  }

  /** Resolves when a network may open another socket, and takes a place for it. */
  async admit(name: string): Promise<Result<void>> {
    if (this.#open.size >= liveLimits.sockets) {
      return fail<Failure>({ is: 'overloaded', reason: 'LIVE_FULL' });
    }
    const network = this.#networkOf(name);
    const { socketsOfNetwork: most, waiting } = liveLimits;
    if (network.unjoined + network.joined >= most) {
      return tooMany('a network', most);
    }
    // Where the network is not known, as on a developer's machine, there is always a place.
    if (name === '' || (network.waiting.size === 0 && network.unjoined < placesOf(network))) {
      network.unjoined += 1;
      return ok(undefined);
    }
    if (this.#waiting < waiting) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => resolve(false), liveLimits.waitFor);
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
    return tooMany('a network that have joined nothing', placesOf(network));
  }

  /** Adds a socket that was admitted. Returns the one that must be closed for it: the oldest that has joined nothing. */
  add(socket: LiveSocket): LiveSocket | undefined {
    this.#open.add(socket);
    this.#unjoined.add(socket);
    const [oldest] = this.#unjoined;
    return this.#unjoined.size > liveLimits.unjoined ? oldest : undefined;
  }

  /** Returns the failure of a user who would have too many sockets with this one. */
  findExcess(socket: LiveSocket, user: string): Failure | undefined {
    const { socketsOfCaller, bytesOfUser } = liveLimits;
    const sockets = new Set(this.#users.get(user)?.sockets).add(socket);
    if (sockets.size > socketsOfCaller) {
      return { is: 'too many sockets', of: 'a caller', limit: socketsOfCaller };
    }
    const closing = [...sockets].filter(({ isClosing }) => isClosing);
    return sentBytes(closing) > bytesOfUser / 2
      ? { is: 'too many sockets', of: 'a caller whose closed ones were not read to their end', limit: 0 }
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
      messages: new WindowCounter(liveLimits.messagesWithin),
      bytes: new WindowCounter(liveLimits.bytesWindow),
    };
    this.#users.set(name, user);
    user.sockets.add(socket);
    this.#unjoined.delete(socket);
    const network = this.#networkOf(socket.opened.network);
    network.unjoined -= 1;
    network.joined += 1;
    network.members = Math.max(network.members, network.joined);
    admitWaiting(network);
  }

  /** Records that a socket was told to close. It counts until its end. */
  close(socket: LiveSocket): void {
    this.#open.delete(socket);
    this.#unjoined.delete(socket);
    this.#closing.add(socket);
  }

  /** Removes a socket that has ended. */
  remove(socket: LiveSocket): void {
    if (!this.#open.delete(socket) && !this.#closing.delete(socket)) {
      return;
    }
    this.#unjoined.delete(socket);
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
    this.#keep(name, network);
  }

  /** Keeps a network that has no sockets, with others like it, as long as it has had members. */
  #keep(name: string, network: Network): void {
    if (network.unjoined + network.joined > 0) {
      return;
    }
    network.endedAt = Date.now();
    this.#networks.delete(name);
    if (network.members > 0) {
      this.#networks.set(name, network);
    }
    if (this.#networks.size > liveLimits.networksKept) {
      const [oldest = ''] = [...this.#networks].find(([, { endedAt }]) => endedAt > 0) ?? [];
      this.#networks.delete(oldest);
    }
  }

  #networkOf(name: string): Network {
    const known = this.#networks.get(name);
    if (known && (known.endedAt === 0 || Date.now() - known.endedAt < liveLimits.networkKeptFor)) {
      known.endedAt = 0;
      return known;
    }
    const network: Network = { unjoined: 0, joined: 0, members: 0, endedAt: 0, waiting: new Set() };
    this.#networks.set(name, network);
    return network;
  }

  /** Counts a message that came on a socket with so many channels. False when there were too many, on it or of its user. */
  count(socket: LiveSocket, channels: number): boolean {
    const { messages, messagesOfChannel, messagesOfUser } = liveLimits;
    const user = this.#users.get(socket.user ?? '');
    user?.messages.add(1);
    return (
      socket.messages.count <= messages + messagesOfChannel * channels &&
      (user?.messages.count ?? 0) <= messagesOfUser
    );
  }

  /** Counts bytes of changes. True when the socket's user was sent as much as it may be, or its share when all were. */
  sent(socket: LiveSocket, bytes: number): boolean {
    const { bytesOfUserWithin, bytesWithin } = liveLimits;
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
    for (const socket of this.#open) {
      if (socket.fault) {
        faults.set(socket, socket.fault);
      }
    }
    for (const { sockets } of this.#users.values()) {
      const open = [...sockets].filter(({ isClosing }) => !isClosing);
      const [largest] = open.sort((a, b) => b.sentBytes - a.sentBytes);
      if (largest && sentBytes(sockets) > liveLimits.bytesOfUser) {
        faults.set(largest, breaks('Reconnect: the send limit of this user was reached'));
      }
    }
    const places = new Map([...this.#networks].map(([name, { waiting }]) => [name, waiting.size]));
    for (const socket of this.#waiting > 0 ? this.#unjoined : []) {
      const wanted = places.get(socket.opened.network) ?? 0;
      if (wanted > 0 && Date.now() - socket.openedAt > liveLimits.undisturbed) {
        places.set(socket.opened.network, wanted - 1);
        faults.set(socket, tooManyUnjoined);
      }
    }
    return faults;
  }
}

export const tooManyUnjoined = breaks('Too many sockets have joined no channel');

const tooMany = (of: string, limit: number) => fail<Failure>({ is: 'too many sockets', of, limit });

/** Returns the bytes that may lie unread in memory. */
const sentBytes = (sockets: Iterable<LiveSocket>): number =>
  [...sockets].reduce((sum, socket) => sum + socket.sentBytes, 0);

const placesOf = ({ members }: Network): number => liveLimits.unjoinedOfNetwork + members;

/** Gives places that are free to upgrades that wait for one. */
function admitWaiting(network: Network): void {
  for (const admit of network.waiting) {
    if (network.unjoined < placesOf(network)) {
      network.waiting.delete(admit);
      network.unjoined += 1;
      admit(true);
    }
  }
}
