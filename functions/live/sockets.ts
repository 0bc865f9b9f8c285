/** All sockets of the object, those that are closing too, and what each user and network has of them. */
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { LiveSocket } from './socket.ts';
import { WindowCounter } from './window-counter.ts';

/** What one user has of what all share. */
interface User {
  sockets: Set<LiveSocket>;
  messages: WindowCounter;
  bytes: WindowCounter;
}

export class Sockets {
  readonly #all = new Map<WebSocket, LiveSocket>();
  readonly #users = new Map<string, User>();
  readonly #networks = new Map<string, number>();
  /** Those that have joined nothing, the oldest first. */
  readonly #unjoined = new Map<LiveSocket, WebSocket>();
  readonly #closing = new Set<LiveSocket>();
  readonly #bytes = new WindowCounter(limits.live.bytesWindow);

  get size(): number {
    return this.#all.size;
  }

  /** Sockets that were told to close, and whose end has not come. */
  get closing(): number {
    return this.#closing.size;
  }

  get entries(): Iterable<[WebSocket, LiveSocket]> {
    return this.#all;
  }

  get(webSocket: WebSocket): LiveSocket | undefined {
    return this.#all.get(webSocket);
  }

  ofUser(user: string): Set<LiveSocket> {
    return this.#users.get(user)?.sockets ?? new Set();
  }

  /** Checks whether a network may have another socket. */
  admit(network: string): Result<void> {
    const { sockets, socketsOfNetwork, closingOfNetwork, closingUnjoinedOfNetwork } = limits.live;
    const { unjoinedOfNetwork, undisturbed } = limits.live;
    if (this.#all.size - this.#closing.size >= sockets) {
      return fail<Failure>({ is: 'overloaded', reason: 'LIVE_FULL' });
    }
    const tooMany = (of: string, limit: number) => fail<Failure>({ is: 'too many sockets', of, limit });
    const closing = [...this.#closing].filter(socket => socket.state.network === network);
    if (closing.length >= closingOfNetwork) {
      return tooMany('a network that do not end', closingOfNetwork);
    }
    if (closing.filter(({ state }) => state.user === null).length >= closingUnjoinedOfNetwork) {
      return tooMany('a network that do not end', closingUnjoinedOfNetwork);
    }
    if ((this.#networks.get(network) ?? 0) >= socketsOfNetwork) {
      return tooMany('a network', socketsOfNetwork);
    }
    const [oldest, ...others] = this.#unjoinedOf(network);
    return oldest && others.length + 1 >= unjoinedOfNetwork && oldest.age < undisturbed
      ? tooMany('a network that have joined nothing', unjoinedOfNetwork)
      : ok(undefined);
  }

  /**
   * Adds a socket. Returns the one that must give way to it: the oldest that has joined nothing, when there are too many, in
   * its network or in all.
   */
  add(webSocket: WebSocket, socket: LiveSocket): WebSocket | undefined {
    this.#all.set(webSocket, socket);
    this.#networks.set(socket.state.network, (this.#networks.get(socket.state.network) ?? 0) + 1);
    if (socket.state.user !== null) {
      this.#addToUser(socket, socket.state.user);
      return undefined;
    }
    this.#unjoined.set(socket, webSocket);
    const { unjoined, unjoinedOfNetwork } = limits.live;
    const alike = this.#unjoinedOf(socket.state.network);
    const [first] =
      alike.length > unjoinedOfNetwork ? alike : this.#unjoined.size > unjoined ? this.#unjoined.keys() : [];
    return first && this.#unjoined.get(first);
  }

  /** Gives a socket to a user, when the first channel is joined on it. */
  setUser(socket: LiveSocket, user: string): void {
    this.#unjoined.delete(socket);
    if (socket.state.user === null) {
      socket.joined(user);
      this.#addToUser(socket, user);
    }
  }

  /** Tells a socket to close. It counts until its end, but no channel will be joined on it any more. */
  close(socket: LiveSocket, code: number, reason: string): void {
    socket.close(code, reason);
    this.#closing.add(socket);
    this.#unjoined.delete(socket);
  }

  remove(webSocket: WebSocket): void {
    const socket = this.#all.get(webSocket);
    if (!socket) {
      return;
    }
    socket.isClosing = true;
    this.#all.delete(webSocket);
    this.#closing.delete(socket);
    this.#unjoined.delete(socket);
    const others = (this.#networks.get(socket.state.network) ?? 1) - 1;
    if (others === 0) {
      this.#networks.delete(socket.state.network);
    } else {
      this.#networks.set(socket.state.network, others);
    }
    const user = this.#users.get(socket.state.user ?? '');
    user?.sockets.delete(socket);
    if (user?.sockets.size === 0) {
      this.#users.delete(socket.state.user ?? '');
    }
  }

  /** Counts a message that came on it. False when there were too many, on it or of its user. */
  count(socket: LiveSocket, channels: number): boolean {
    const { messages, messagesOfChannel, messagesOfUser } = limits.live;
    const user = this.#users.get(socket.state.user ?? '');
    user?.messages.add(1);
    return (
      socket.count() <= messages + messagesOfChannel * channels &&
      (user?.messages.count ?? 0) <= messagesOfUser
    );
  }

  /** Counts bytes of changes that were sent on it. */
  sent(socket: LiveSocket, bytes: number): void {
    this.#bytes.add(bytes);
    this.#users.get(socket.state.user ?? '')?.bytes.add(bytes);
  }

  /** Whether its user was sent as much as it may be, or more than its share when all were. */
  exceedsShare(socket: LiveSocket): boolean {
    const { bytesOfUserWithin, bytesWithin } = limits.live;
    const own = this.#users.get(socket.state.user ?? '')?.bytes.count ?? 0;
    return (
      own > bytesOfUserWithin || (this.#bytes.count > bytesWithin && own > bytesWithin / this.#users.size)
    );
  }

  /** Returns the bytes that may lie unread in memory, on the open sockets of a user and on those that are closing. */
  unread(user: string): { open: number; closing: number } {
    const unread = { open: 0, closing: 0 };
    for (const { state, isClosing } of this.ofUser(user)) {
      unread[isClosing ? 'closing' : 'open'] += state.sentBytes;
    }
    return unread;
  }

  /** Returns the open socket that was sent the most, of each user with too many bytes unread. */
  largest(): LiveSocket[] {
    return [...this.#users].flatMap(([name, { sockets }]) => {
      const { open, closing } = this.unread(name);
      const candidates = [...sockets].filter(({ isClosing }) => !isClosing);
      return open + closing > limits.live.bytesOfUser
        ? candidates.sort((a, b) => b.state.sentBytes - a.state.sentBytes).slice(0, 1)
        : [];
    });
  }

  /** Returns those of a network, if that is known, the oldest first. */
  #unjoinedOf(name: string): LiveSocket[] {
    return [...this.#unjoined.keys()].filter(({ state }) => state.network !== '' && state.network === name);
  }

  #addToUser(socket: LiveSocket, name: string): void {
    const { messagesWithin, bytesWindow } = limits.live;
    const user = this.#users.get(name) ?? {
      sockets: new Set(),
      messages: new WindowCounter(messagesWithin),
      bytes: new WindowCounter(bytesWindow),
    };
    this.#users.set(name, user);
    user.sockets.add(socket);
  }
}
