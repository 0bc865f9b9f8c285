/** The open channels, by socket and by caller. */
import type { Caller } from '../caller/caller.ts';
import { Channel, type ChannelRegistry, type Joined, type LiveCaller, userOf } from './channel.ts';
import type { LiveSocket } from './socket.ts';

const keyOf = ({ audience, claims }: Caller): string => `${audience} ${JSON.stringify(claims)}`;

export class Channels implements ChannelRegistry {
  readonly #bySocket = new Map<LiveSocket, Map<string, Channel>>();
  readonly #callers = new Map<string, LiveCaller>();
  readonly #byUser = new Map<string, Set<Channel>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get callers(): LiveCaller[] {
    return [...this.#callers.values()];
  }

  get all(): Channel[] {
    return this.callers.flatMap(({ channels }) => [...channels]);
  }

  get live(): Channel[] {
    return this.all.filter(({ isLive }) => isLive);
  }

  ofSocket(socket: LiveSocket): Channel[] {
    return [...(this.#bySocket.get(socket)?.values() ?? [])];
  }

  countOf(socket: LiveSocket): number {
    return this.#bySocket.get(socket)?.size ?? 0;
  }

  /** Returns a user's channels, on whatever sockets: one that another user opened may have got this user's token. */
  ofUser(user: string): Channel[] {
    return [...(this.#byUser.get(user) ?? [])];
  }

  find(socket: LiveSocket, topic: string): Channel | undefined {
    return this.#bySocket.get(socket)?.get(topic);
  }

  /** Returns the caller with these claims; a new one until a channel has it. */
  callerFor(caller: Caller): LiveCaller {
    return (
      this.#callers.get(keyOf(caller)) ?? { caller, accounts: new Set(), askedAt: 0, channels: new Set() }
    );
  }

  /** Adds the channel of a join that is admitted. Another on its topic has been dropped. */
  add(joined: Joined): Channel {
    const channel = new Channel(joined, this.callerFor(joined.caller), this);
    const ofSocket = this.#bySocket.get(channel.socket) ?? new Map<string, Channel>();
    this.#bySocket.set(channel.socket, ofSocket.set(channel.topic, channel));
    this.#size += 1;
    this.#attach(channel, channel.caller);
    return channel;
  }

  /** Moves a channel to the caller of its new token. Returns the caller that has these claims. */
  move(channel: Channel, to: LiveCaller): LiveCaller {
    this.#detach(channel);
    const known = this.callerFor(to.caller);
    if (known.askedAt < to.askedAt) {
      // Another channel was joined with these claims meanwhile, and still waits for its accounts.
      known.accounts = to.accounts;
      known.askedAt = to.askedAt;
    }
    this.#attach(channel, known);
    return known;
  }

  remove(channel: Channel): void {
    this.#detach(channel);
    this.#size -= 1;
    const ofSocket = this.#bySocket.get(channel.socket);
    ofSocket?.delete(channel.topic);
    if (ofSocket?.size === 0) {
      this.#bySocket.delete(channel.socket);
    }
  }

  #attach(channel: Channel, caller: LiveCaller): void {
    this.#callers.set(keyOf(caller.caller), caller);
    caller.channels.add(channel);
    const user = userOf(caller.caller);
    this.#byUser.set(user, (this.#byUser.get(user) ?? new Set()).add(channel));
  }

  #detach(channel: Channel): void {
    const { caller, channels } = channel.caller;
    channels.delete(channel);
    if (channels.size === 0) {
      this.#callers.delete(keyOf(caller));
    }
    const ofUser = this.#byUser.get(userOf(caller));
    ofUser?.delete(channel);
    if (ofUser?.size === 0) {
      this.#byUser.delete(userOf(caller));
    }
  }
}
