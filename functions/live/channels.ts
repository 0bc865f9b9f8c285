/** The channels that are open, by socket and by caller. Pages of one user with the same claims are one caller. */
import type { Caller } from '../caller/caller.ts';
import { type Binding, queriesOf, type RowQueries } from './bindings.ts';
import type { LiveSocket } from './socket.ts';
import type { StoredChannel } from './store.ts';

export interface Channel {
  stored: StoredChannel;
  socket: LiveSocket;
  bindings: Binding[];
  /** `joining`: the feed is not read yet; `resuming`: it is told first what it missed. */
  state: 'joining' | 'live' | 'resuming';
  /** Characters told of what it missed. */
  resumedBytes: number;
}

/** Whoever asks with the same claims. */
export interface LiveCaller {
  caller: Caller;
  /** Whose changes are asked about for it; what it sees of them, the policies decide. */
  accounts: Set<string>;
  /** When they were asked for, in milliseconds since 1970. */
  askedAt: number;
  channels: Set<Channel>;
}

const keyOf = ({ audience, claims }: Caller): string => `${audience} ${JSON.stringify(claims)}`;

/** The user, whatever its claims are at the moment. */
export const userOf = ({ kind, claims }: Caller): string => (claims && 'sub' in claims ? claims.sub : kind);

export class Channels {
  readonly #callers = new Map<string, LiveCaller>();
  readonly #bySocket = new Map<LiveSocket, Map<string, Channel>>();

  get all(): Channel[] {
    return [...this.#bySocket.values()].flatMap(channels => [...channels.values()]);
  }

  get callers(): LiveCaller[] {
    return [...this.#callers.values()];
  }

  ofSocket(socket: LiveSocket): Channel[] {
    return [...(this.#bySocket.get(socket)?.values() ?? [])];
  }

  find(socket: LiveSocket, topic: string): Channel | undefined {
    return this.#bySocket.get(socket)?.get(topic);
  }

  /** The sockets on which a user has channels. */
  socketsOf(user: string): Set<LiveSocket> {
    const sockets = new Set<LiveSocket>();
    for (const { caller, channels } of this.#callers.values()) {
      for (const { socket } of userOf(caller) === user ? channels : []) {
        sockets.add(socket);
      }
    }
    return sockets;
  }

  /** What all channels of a user, and these bindings, need to know of rows. */
  queriesOfUser(user: string, more: Binding[]): RowQueries {
    const callers = this.callers.filter(({ caller }) => userOf(caller) === user);
    return queriesOf([
      ...callers.flatMap(({ channels }) => [...channels].flatMap(({ bindings }) => bindings)),
      ...more,
    ]);
  }

  /** `accounts`: as they were just asked for; without them, they are to be asked for. */
  add(channel: Channel, accounts?: string[]): void {
    const { topic } = channel.stored;
    const ofSocket = this.#bySocket.get(channel.socket) ?? new Map<string, Channel>();
    this.#bySocket.set(channel.socket, ofSocket.set(topic, channel));
    this.#addToCaller(channel, accounts);
  }

  remove(channel: Channel): void {
    const ofSocket = this.#bySocket.get(channel.socket);
    ofSocket?.delete(channel.stored.topic);
    if (ofSocket?.size === 0) {
      this.#bySocket.delete(channel.socket);
    }
    this.#removeFromCaller(channel);
  }

  /** The channel has a new token. */
  setCaller(channel: Channel, caller: Caller): void {
    this.#removeFromCaller(channel);
    channel.stored.caller = caller;
    this.#addToCaller(channel);
  }

  #addToCaller(channel: Channel, accounts?: string[]): void {
    const { caller } = channel.stored;
    const key = keyOf(caller);
    const known = this.#callers.get(key) ?? {
      caller,
      accounts: new Set<string>(),
      askedAt: 0,
      channels: new Set<Channel>(),
    };
    if (accounts) {
      known.accounts = new Set(accounts);
      known.askedAt = Date.now();
    }
    known.channels.add(channel);
    this.#callers.set(key, known);
  }

  #removeFromCaller(channel: Channel): void {
    const key = keyOf(channel.stored.caller);
    const known = this.#callers.get(key);
    known?.channels.delete(channel);
    if (known?.channels.size === 0) {
      this.#callers.delete(key);
    }
  }
}
