/** The sockets of an object: how many there may be, and how much each user has of what all share. */

import type { Failure } from '../common/failure/failure.ts';
import { liveLimits } from './live-limits.ts';
import { breaks, type Fault, type LiveSocket, socketLimits } from './live-socket.ts';
import { WindowCounter } from './window-counter.ts';

interface User {
  sockets: Set<LiveSocket>;
  messages: WindowCounter;
  bytes: WindowCounter;
}

export class Sockets {
  /** Those that have not ended, the oldest first. */
  readonly #sockets = new Set<LiveSocket>();
  readonly #users = new Map<string, User>();
  readonly #bytes = new WindowCounter(liveLimits.bytesWindow);
  /** The most that may not have ended. */
  readonly #most: number;

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#sockets.size === 0;
  }

  /** How many sockets have not ended, and how many of these are closing. */
  get counts(): { sockets: number; closing: number } {
    return { sockets: this.#sockets.size, closing: this.#sockets.size - openOf(this.#sockets).length };
  }

  /** Returns why a network may not open another socket. Those that have not joined a channel count until they end. */
  findExcess(network: string): Failure | undefined {
    const { sockets, unjoinedOfNetwork: limit } = liveLimits;
    const isFull = this.#sockets.size >= sockets && openOf(this.#sockets).length >= sockets;
    if (isFull || this.#sockets.size >= this.#most) {
      return { is: 'no live connection', reason: 'LIVE_FULL' };
    }
    const unjoined = [...this.#sockets].filter(one => one.user === null && one.opened.network === network);
    // Where the network is not known, as on a developer's machine, it has no limit.
    return network !== '' && unjoined.length >= limit
      ? { is: 'too many sockets', of: 'a network without a joined channel', limit }
      : undefined;
  }

  add(socket: LiveSocket): void {
    this.#sockets.add(socket);
  }

  /** Returns the failure of a user who would have too many sockets with this one. */
  findSocketExcess(socket: LiveSocket, user: string): Failure | undefined {
    const { socketsOfUser, bytesOfUser } = liveLimits;
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
      bytes: new WindowCounter(liveLimits.bytesWindow),
    };
    this.#users.set(name, user);
    user.sockets.add(socket);
  }

  /** Removes a socket that has ended. Until then it counts, also while it is closing. */
  remove(socket: LiveSocket): void {
    this.#sockets.delete(socket);
    const sockets = this.#users.get(socket.user ?? '')?.sockets;
    if (sockets?.delete(socket) && sockets.size === 0) {
      this.#users.delete(socket.user ?? '');
    }
  }

  /** Counts a message that came on a socket with so many channels. Returns whether it and its user are within their limits. */
  countMessage(socket: LiveSocket, channels: number): boolean {
    const { messages, messagesOfChannel, messagesOfUser } = liveLimits;
    const user = this.#users.get(socket.user ?? '');
    user?.messages.add(1);
    return (
      socket.messages.count <= messages + messagesOfChannel * channels &&
      (user?.messages.count ?? 0) <= messagesOfUser
    );
  }

  /** Counts bytes of changes. Returns whether the socket's user is within its limit, and its share once all are beyond theirs. */
  countBytes(socket: LiveSocket, bytes: number): boolean {
    const { bytesOfUserWithin, bytesWithin } = liveLimits;
    const user = this.#users.get(socket.user ?? '');
    this.#bytes.add(bytes);
    user?.bytes.add(bytes);
    const own = user?.bytes.count ?? 0;
    return (
      own <= bytesOfUserWithin && (this.#bytes.count <= bytesWithin || own <= bytesWithin / this.#users.size)
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
      if (largest && sentBytes(sockets) > liveLimits.bytesOfUser) {
        faults.set(largest, breaks('Reconnect: the send limit of this user was reached'));
      }
    }
    return faults;
  }
}

const openOf = (sockets: Iterable<LiveSocket>): LiveSocket[] =>
  [...sockets].filter(({ isClosing }) => !isClosing);

/** Returns the bytes that may lie unread in memory. */
const sentBytes = (sockets: Iterable<LiveSocket>): number =>
  [...sockets].reduce((sum, socket) => sum + socket.sentBytes, 0);
