/** The channels that are open, by socket and by caller. Pages of one user with the same claims are one caller. */
import type { Caller } from '../caller/caller.ts';
import { type Channel, userOf } from './channel.ts';
import type { LiveSocket } from './socket.ts';

/** Whoever asks with the same claims. */
export interface LiveCaller {
  caller: Caller;
  /** The accounts whose changes are read for it. What it sees of them, the policies decide. */
  accounts: Set<string>;
  /** When they were asked for, in milliseconds since 1970; 0 when they are not known. */
  askedAt: number;
  channels: Set<Channel>;
}

const keyOf = ({ audience, claims }: Caller): string => `${audience} ${JSON.stringify(claims)}`;

export class Channels {
  readonly #callers = new Map<string, LiveCaller>();
  readonly #bySocket = new Map<LiveSocket, Map<string, Channel>>();
  readonly #all = new Map<Channel, LiveCaller>();

  get size(): number {
    return this.#all.size;
  }

  get all(): Channel[] {
    return [...this.#all.keys()];
  }

  get callers(): LiveCaller[] {
    return [...this.#callers.values()];
  }

  ofSocket(socket: LiveSocket): Channel[] {
    return [...(this.#bySocket.get(socket)?.values() ?? [])];
  }

  /** Returns them on whatever sockets: one that was opened by another user may have got the token of this one. */
  ofUser(user: string): Channel[] {
    return [...this.#callers.values()]
      .filter(({ caller }) => userOf(caller) === user)
      .flatMap(({ channels }) => [...channels]);
  }

  countOf(socket: LiveSocket): number {
    return this.#bySocket.get(socket)?.size ?? 0;
  }

  find(socket: LiveSocket, topic: string): Channel | undefined {
    return this.#bySocket.get(socket)?.get(topic);
  }

  /** Returns the caller of a channel that is open. */
  callerOf(channel: Channel): LiveCaller | undefined {
    return this.#all.get(channel);
  }

  /** Returns the caller with these claims; a new one until a channel has it. */
  callerFor(caller: Caller): LiveCaller {
    return (
      this.#callers.get(keyOf(caller)) ?? { caller, accounts: new Set(), askedAt: 0, channels: new Set() }
    );
  }

  add(channel: Channel): void {
    const ofSocket = this.#bySocket.get(channel.socket) ?? new Map<string, Channel>();
    this.#bySocket.set(channel.socket, ofSocket.set(channel.topic, channel));
    this.#addToCaller(channel, this.callerFor(channel.caller));
  }

  remove(channel: Channel): void {
    const ofSocket = this.#bySocket.get(channel.socket);
    if (!ofSocket?.delete(channel.topic)) {
      return;
    }
    channel.state = 'ended';
    if (ofSocket.size === 0) {
      this.#bySocket.delete(channel.socket);
    }
    this.#removeFromCaller(channel);
    this.#all.delete(channel);
  }

  /** Moves a channel to another caller, as its token has other claims. */
  setCaller(channel: Channel, caller: LiveCaller): void {
    this.#removeFromCaller(channel);
    channel.caller = caller.caller;
    this.#addToCaller(channel, caller);
  }

  #addToCaller(channel: Channel, caller: LiveCaller): void {
    const key = keyOf(caller.caller);
    const known = this.#callers.get(key) ?? caller;
    if (known.askedAt < caller.askedAt) {
      // Another channel has joined with the same claims meanwhile, and still waits for its accounts.
      known.accounts = caller.accounts;
      known.askedAt = caller.askedAt;
    }
    known.channels.add(channel);
    this.#callers.set(key, known);
    this.#all.set(channel, known);
  }

  #removeFromCaller(channel: Channel): void {
    const known = this.#all.get(channel);
    known?.channels.delete(channel);
    if (known?.channels.size === 0) {
      this.#callers.delete(keyOf(known.caller));
    }
  }
}
