/**
 * A channel that a client joins on a socket, and all of them by socket and by caller.
 *
 *     join ──▶ joining ──answer──▶ live
 *                 │                  │   leave, a socket's end, another join on its topic,
 *               refuse               │   a token that is refused or has expired, changes that were missed
 *                 ▼                  ▼
 *               ended ◀──────────────┘
 *
 * A change is sent only while it is live. A join that ends before its answer is refused.
 */
import type { Caller } from '../caller/caller.ts';
import { limits } from '../common/limits.ts';
import type { Failure } from '../failure/failure.ts';
import { liveLimits } from './limits.ts';
import { type Frame, type LiveSocket, wordsOf } from './socket.ts';
import type { Binding } from './subscription.ts';

/** The pages of everyone who asks with the same claims. */
export interface LiveCaller {
  caller: Caller;
  /** The accounts whose changes are read for it. What it sees of them, the policies decide. */
  accounts: Set<string>;
  /** When they were asked for, in milliseconds since 1970; 0 when they are not known. */
  askedAt: number;
  channels: Set<Channel>;
}

/** Returns the user, whatever its claims are at the moment. */
export const userOf = ({ kind, claims }: Caller): string => (claims && 'sub' in claims ? claims.sub : kind);

/** What a join asked for, when it is admitted. */
export interface Joined {
  frame: Frame;
  /** When it came, in milliseconds since 1970. */
  at: number;
  socket: LiveSocket;
  caller: Caller;
  /** When its token expires, in seconds since 1970; null of a key. */
  expires: number | null;
  /** `postgres_changes`, as it came, and its JSON. */
  given: object[];
  givenJson: string;
  bindings: Binding[];
  /** Its client expects presence or broadcasts too. */
  expectsMore: boolean;
}

export class Channel {
  readonly joined: Joined;
  readonly #channels: Channels;
  #state: 'joining' | 'live' | 'ended' = 'joining';
  #caller: LiveCaller;
  #bindings: readonly Binding[];
  #expires: number | null;

  constructor(joined: Joined, caller: LiveCaller, channels: Channels) {
    this.joined = joined;
    this.#channels = channels;
    this.#caller = caller;
    this.#bindings = joined.bindings;
    this.#expires = joined.expires;
  }

  get caller(): LiveCaller {
    return this.#caller;
  }

  get bindings(): readonly Binding[] {
    return this.#bindings;
  }

  get isLive(): boolean {
    return this.#state === 'live';
  }

  /** Answers the join. From here on it is sent every change that is committed. */
  answer(): void {
    this.endIfDue(Date.now());
    if (this.#state !== 'joining') {
      return;
    }
    this.#state = 'live';
    const { frame, given, expectsMore, socket } = this.joined;
    socket.reply(frame, 'ok', { postgres_changes: given.map((one, index) => ({ ...one, id: index + 1 })) });
    this.sendSystem('ok', 'Subscribed to PostgreSQL');
    if (expectsMore) {
      this.sendSystem('error', 'this service supports only postgres_changes, no broadcast and no presence');
    }
    if (socket.isReturning) {
      this.sendSystem('error', 'changes may have been missed: read again');
    }
  }

  refuse(failure: Failure): void {
    if (this.#state === 'joining') {
      this.#end(wordsOf(failure));
    }
  }

  /** Gives it the caller, the bindings and the end of a new token of its user. */
  renew(caller: LiveCaller, expires: number | null, bindings: Binding[]): void {
    if (this.#state !== 'ended') {
      this.#caller = this.#channels.move(this, caller);
      this.#expires = expires;
      this.#bindings = bindings;
    }
  }

  /** Sends a message with a change; returns its size in bytes. */
  sendChange(payload: string): number {
    return this.isLive ? this.#send('postgres_changes', payload) : 0;
  }

  miss(): void {
    this.fail('changes were missed: read again');
  }

  /** Ends it with a reason. Its client joins again, and reads. */
  fail(words: string): void {
    if (this.#state !== 'ended') {
      this.#end(words);
      this.sendSystem('error', words);
      this.joined.socket.sendEnd(this.joined.frame, 'phx_error');
    }
  }

  /** Ends it when its token has expired, or when its join was not answered in time: old clients ignore a later answer. */
  endIfDue(now: number): void {
    if (this.#expires !== null && this.#expires + limits.token.clockTolerance < now / 1000) {
      this.fail('the access token has expired');
    } else if (this.joined.at + liveLimits.answerWithin < now) {
      this.refuse({ is: 'database unavailable', reason: 'LIVE' });
    }
  }

  /** Ends it as its client asks. A client that did not ask would never join it again. */
  leave(): void {
    this.#end('the channel was left');
    this.joined.socket.sendEnd(this.joined.frame, 'phx_close');
  }

  /** Ends it without a message: its socket has ended, or its topic is joined again. */
  drop(): void {
    this.#end('its topic is joined again');
  }

  /** Ends it. A join that has no answer yet gets one. */
  #end(reason: string): void {
    if (this.#state === 'joining') {
      this.joined.socket.refuseJoin(this.joined.frame, reason);
    }
    if (this.#state !== 'ended') {
      this.#state = 'ended';
      this.#channels.remove(this);
    }
  }

  /** Sends something to the callbacks of `.on('system', …)`. */
  sendSystem(status: 'ok' | 'error', message: string): void {
    const channel = this.joined.frame.topic.replace(/^realtime:/, '');
    this.#send('system', JSON.stringify({ extension: 'postgres_changes', status, message, channel }));
  }

  #send(event: string, payload: string): number {
    const { joinRef, ref, topic } = this.joined.frame;
    return this.joined.socket.send({ joinRef: joinRef ?? ref, ref: null, topic, event }, payload);
  }
}

const claimsKeyOf = ({ audience, claims }: Caller): string => `${audience} ${JSON.stringify(claims)}`;

/** The open channels, by socket and by caller. */
export class Channels {
  readonly #bySocket = new WeakMap<LiveSocket, Map<string, Channel>>();
  readonly #callers = new Map<string, LiveCaller>();

  get isEmpty(): boolean {
    return this.#callers.size === 0;
  }

  get size(): number {
    return this.all.length;
  }

  get callers(): LiveCaller[] {
    return [...this.#callers.values()];
  }

  get all(): Channel[] {
    return this.callers.flatMap(({ channels }) => [...channels]);
  }

  /** A socket's channels by their topics. */
  ofSocket(socket: LiveSocket): Map<string, Channel> {
    const channels = this.#bySocket.get(socket) ?? new Map();
    this.#bySocket.set(socket, channels);
    return channels;
  }

  /** Returns a user's channels, whatever their claims and sockets. */
  ofUser(user: string): Channel[] {
    return this.all.filter(channel => userOf(channel.caller.caller) === user);
  }

  /** Returns the caller with these claims; a new one until a channel has it. */
  callerFor(caller: Caller): LiveCaller {
    const unknown = { caller, accounts: new Set<string>(), askedAt: 0, channels: new Set<Channel>() };
    return this.#callers.get(claimsKeyOf(caller)) ?? unknown;
  }

  /** Adds the channel of a join that is admitted. Another on its topic has been dropped. */
  add(joined: Joined): Channel {
    const { socket, frame } = joined;
    const channel = new Channel(joined, this.callerFor(joined.caller), this);
    this.ofSocket(socket).set(frame.topic, channel);
    this.#attach(channel, channel.caller);
    return channel;
  }

  /** Moves a channel to the caller of its new token. Returns the caller that has these claims. */
  move(channel: Channel, to: LiveCaller): LiveCaller {
    this.#detach(channel);
    const known = this.callerFor(to.caller);
    if (known.askedAt < to.askedAt) {
      // Another channel was joined with these claims meanwhile, and still waits for its accounts.
      Object.assign(known, { accounts: to.accounts, askedAt: to.askedAt });
    }
    this.#attach(channel, known);
    return known;
  }

  remove(channel: Channel): void {
    this.#detach(channel);
    this.ofSocket(channel.joined.socket).delete(channel.joined.frame.topic);
  }

  #attach(channel: Channel, caller: LiveCaller): void {
    this.#callers.set(claimsKeyOf(caller.caller), caller);
    caller.channels.add(channel);
  }

  #detach(channel: Channel): void {
    const { caller, channels } = channel.caller;
    channels.delete(channel);
    if (channels.size === 0) {
      this.#callers.delete(claimsKeyOf(caller));
    }
  }
}
