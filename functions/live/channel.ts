/**
 * A channel that a client joins on a socket, and all of them by socket and by caller.
 *
 *     join ──▶ joining ──answer──▶ live
 *                 │                  │   leave, a socket's end, another join on its topic,
 *               refuse               │   a token that is refused or has expired, changes that were missed
 *                 ▼                  ▼
 *               ended ◀──────────────┘
 *
 * A change is sent only while it is live: after the answer to its join. Nothing is kept of one that ended.
 */
import type { Caller } from '../caller/caller.ts';
import { limits } from '../common/limits.ts';
import type { Failure } from '../failure/failure.ts';
import { renderFailure } from '../failure/render.ts';
import { liveLimits } from './limits.ts';
import type { Frame, LiveSocket } from './socket.ts';
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

/** Why a client must read again: the feed does not reach back so far, or it was sent or took too much. */
export type MissedWhy = 'gap' | 'bytes' | 'time';

/** Returns the user, whatever its claims are at the moment. */
export const userOf = ({ kind, claims }: Caller): string => (claims && 'sub' in claims ? claims.sub : kind);

/** What a join asked for, when it is admitted. */
export interface Joined {
  frame: Frame;
  /** When it came, in milliseconds since 1970. */
  at: number;
  socket: LiveSocket;
  caller: Caller;
  /** When its token expires, in seconds since 1970. */
  expires: number | null;
  /** `postgres_changes`, as it came, and its JSON. */
  given: object[];
  givenJson: string;
  bindings: Binding[];
  /** Its client expects presence or broadcasts too. */
  expectsMore: boolean;
}

/** Where open channels are found: channels.ts. */
export interface ChannelRegistry {
  move(channel: Channel, to: LiveCaller): LiveCaller;
  remove(channel: Channel): void;
}

export class Channel {
  readonly socket: LiveSocket;
  readonly topic: string;
  readonly givenJson: string;
  readonly #joined: Joined;
  readonly #registry: ChannelRegistry;
  #state: 'joining' | 'live' | 'ended' = 'joining';
  #caller: LiveCaller;
  #bindings: Binding[];
  #expires: number | null;

  constructor(joined: Joined, caller: LiveCaller, registry: ChannelRegistry) {
    this.socket = joined.socket;
    this.topic = joined.frame.topic;
    this.givenJson = joined.givenJson;
    this.#joined = joined;
    this.#registry = registry;
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
    if (this.#state !== 'joining' || this.#refuseIfLate(Date.now())) {
      return;
    }
    this.#state = 'live';
    const { frame, given, expectsMore, socket } = this.#joined;
    socket.reply(frame, 'ok', {
      postgres_changes: given.map((binding, index) => ({ ...binding, id: index + 1 })),
    });
    this.#sendSystem('ok', 'Subscribed to PostgreSQL');
    if (expectsMore) {
      this.#sendSystem('error', 'this service supports only postgres_changes, no broadcast and no presence');
    }
    if (socket.isReturning) {
      this.#sendSystem('error', 'changes may have been missed: read again');
    }
  }

  /** Refuses the join. */
  refuse(failure: Failure): void {
    if (this.#state === 'joining') {
      this.#end();
      refuseJoin(this.#joined.frame, this.socket, failure);
    }
  }

  /** Gives it the caller, the bindings and the end of a new token. */
  renew(caller: LiveCaller, expires: number | null, bindings: Binding[]): void {
    if (this.#state !== 'ended') {
      this.#caller = this.#registry.move(this, caller);
      this.#expires = expires;
      this.#bindings = bindings;
    }
  }

  /** Sends a message with a change; returns its size in bytes. */
  sendChange(payload: string): number {
    return this.#state === 'live' ? this.#send('postgres_changes', payload) : 0;
  }

  /** Says that its messages are not supported. */
  refuseMessage(words: string): void {
    this.#sendSystem('error', words);
  }

  /** Ends it because not every change can be sent to it. Its client joins again, and reads. */
  miss(): void {
    if (this.#state === 'live') {
      this.fail('changes were missed: read again');
    }
  }

  /** Ends it with a reason. Its client joins again. */
  fail(words: string): void {
    if (this.#state === 'ended') {
      return;
    }
    this.#end();
    this.#sendSystem('error', words);
    this.#sendEnd('phx_error');
  }

  /** Ends it when its token has expired, or when its join could not be answered in time. */
  endIfDue(now: number): void {
    if (this.#expires !== null && this.#expires + limits.token.clockTolerance < now / 1000) {
      this.fail('the access token has expired');
    } else {
      this.#refuseIfLate(now);
    }
  }

  /** Refuses a join that its client gives up soon; returns whether it did. Old clients ignore an answer after that. */
  #refuseIfLate(now: number): boolean {
    const isLate = this.#joined.at + liveLimits.answerWithin < now;
    if (isLate) {
      this.refuse({ is: 'database unavailable', reason: 'LIVE' });
    }
    return isLate;
  }

  /** Ends it as its client asks. A client that did not ask would never join it again. */
  leave(): void {
    this.#end();
    this.#sendEnd('phx_close');
  }

  /** Ends it without a message: its socket has ended, or its topic is joined again. */
  drop(): void {
    this.#end();
  }

  #end(): void {
    if (this.#state !== 'ended') {
      this.#state = 'ended';
      this.#registry.remove(this);
    }
  }

  /** Sends something to the callbacks of `.on('system', …)`. */
  #sendSystem(status: 'ok' | 'error', message: string): void {
    const channel = this.topic.replace(/^realtime:/, '');
    this.#send('system', JSON.stringify({ extension: 'postgres_changes', status, message, channel }));
  }

  #send(event: string, payload: string): number {
    return this.socket.send({ joinRef: this.#joinRef, ref: null, topic: this.topic, event }, payload);
  }

  #sendEnd(event: 'phx_error' | 'phx_close'): void {
    const joinRef = this.#joinRef;
    this.socket.send({ joinRef, ref: joinRef, topic: this.topic, event }, '{}');
  }

  get #joinRef() {
    const { joinRef, ref } = this.#joined.frame;
    return joinRef ?? ref;
  }
}

/** Refuses a join. Clients of 1.0.0 join again only after a `phx_error`. */
export function refuseJoin(frame: Frame, socket: LiveSocket, failure: Failure): void {
  socket.reply(frame, 'error', { reason: wordsOf(failure) });
  if (socket.opened.version === '1.0.0') {
    const { joinRef, ref, topic } = frame;
    socket.send({ joinRef: joinRef ?? ref, ref, topic, event: 'phx_error' }, '{}');
  }
}

/** Describes a failure as Supabase writes its reasons: `PGRST302: The request has no …`. */
export function wordsOf(failure: Failure): string {
  const { code, message, details } = renderFailure(failure).body;
  return `${code}: ${message}${details === null ? '' : `. ${details}`}`;
}
