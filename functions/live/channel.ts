/**
 * A channel that a client joins on a socket.
 *
 *     join ──▶ joining ──answer──▶ live
 *                 │                  │   leave, a socket's end, another join on its topic,
 *               refuse               │   a token that is refused or has expired, changes that were missed
 *                 ▼                  ▼
 *               ended ◀──────────────┘
 *
 * A change is sent only while it is live. A join that ends before its answer is refused.
 */
import type { Failure } from '../common/failure/failure.ts';
import { limits, second } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';
import type { LiveCaller } from './accounts.ts';
import { type FrameAddress, type LiveSocket, wordsOf } from './live-socket.ts';
import type { Binding } from './subscription.ts';

/** Channels. Beyond: a join fails with `CHANNEL_ERROR`. */
export const channelLimits = {
  /** Channels of a socket */
  channels: 100,
  // Characters of a topic.
  topic: 255,
  // Characters of a message's reference.
  ref: 20,
  // A client gives up a join after 10 s, and some then ignore a later answer.
  answerWithin: 8 * second,
} as const;

/** What a join asked for. */
interface Asked {
  /** Without its payload, which may have up to 32 KiB. */
  frame: FrameAddress;
  /** When it came, by monotonicNow(). */
  at: number;
  socket: LiveSocket;
  /** `postgres_changes`, as it came. */
  given: object[];
  /** Its client expects presence or broadcasts too. */
  expectsMore: boolean;
  /** It takes the place of a live channel, which may have been sent less. */
  isAgain: boolean;
}

/** Who listens, to what. */
export interface Listener {
  caller: LiveCaller;
  /** When its token expires, in seconds since 1970; null of a key. */
  expires: number | null;
  bindings: Binding[];
}

export class Channel {
  readonly asked: Asked;
  /** Characters of its bindings, as JSON. */
  readonly length: number;
  readonly #ended: (channel: Channel) => void;
  #listener: Listener;
  #state: 'joining' | 'live' | 'ended' = 'joining';

  constructor(asked: Asked, listener: Listener, ended: (channel: Channel) => void) {
    this.asked = asked;
    this.length = JSON.stringify(asked.given).length;
    this.#listener = listener;
    this.#ended = ended;
  }

  get caller(): LiveCaller {
    return this.#listener.caller;
  }

  get bindings(): readonly Binding[] {
    return this.#listener.bindings;
  }

  get isLive(): boolean {
    return this.#state === 'live';
  }

  /** Answers the join. From here on it is sent every change that is committed. */
  answer(): void {
    this.endIfDue();
    if (this.#state !== 'joining') {
      return;
    }
    this.#state = 'live';
    const { frame, given, expectsMore, isAgain, socket } = this.asked;
    socket.reply(frame, 'ok', { postgres_changes: given.map((one, index) => ({ ...one, id: index + 1 })) });
    this.sendSystem('ok', 'Subscribed to PostgreSQL');
    if (expectsMore) {
      this.sendSystem('error', 'this service supports only postgres_changes, no broadcast and no presence');
    }
    if (isAgain || socket.isReturning) {
      this.sendSystem('error', 'changes may have been missed: read again');
    }
  }

  refuse(failure: Failure): void {
    if (this.#state === 'joining') {
      this.#end(wordsOf(failure));
    }
  }

  /** Continues with a new token of its user. */
  renew(listener: Listener): void {
    if (this.#state !== 'ended') {
      this.#listener = listener;
    }
  }

  /** Sends a message with a change; returns its size in bytes. */
  sendChange(payload: string): number {
    return this.isLive ? this.#send('postgres_changes', payload) : 0;
  }

  /** Ends it with a reason. Its client joins again, and reads. */
  fail(words: string): void {
    if (this.#state !== 'ended') {
      this.#end(words);
      this.sendSystem('error', words);
      this.asked.socket.sendEnd(this.asked.frame, 'phx_error');
    }
  }

  /** Ends it when its token has expired, or when its join was not answered in time: old clients ignore a later answer. */
  endIfDue(): void {
    const { expires } = this.#listener;
    if (expires !== null && expires + limits.token.clockTolerance < Date.now() / 1000) {
      this.fail('the access token has expired');
    } else if (this.asked.at + channelLimits.answerWithin < monotonicNow()) {
      this.refuse({ is: 'database unavailable', reason: 'LIVE' });
    }
  }

  /** Ends it as its client asks. Only then: a client that gets `phx_close` unasked never joins again. */
  leave(): void {
    this.#end('the channel was left');
    this.asked.socket.sendEnd(this.asked.frame, 'phx_close');
  }

  /** Ends it because its socket has ended or its topic is joined again. Sends nothing, but a refusal to a join without an answer. */
  drop(): void {
    this.#end('its topic is joined again');
  }

  /** Ends it. A join that has no answer yet gets one. */
  #end(reason: string): void {
    if (this.#state === 'joining') {
      this.asked.socket.refuseJoin(this.asked.frame, reason);
    }
    if (this.#state !== 'ended') {
      this.#state = 'ended';
      this.#ended(this);
    }
  }

  /** Sends something to the callbacks of `.on('system', …)`. */
  sendSystem(status: 'ok' | 'error', message: string): void {
    const channel = this.asked.frame.topic.replace(/^realtime:/, '');
    this.#send('system', JSON.stringify({ extension: 'postgres_changes', status, message, channel }));
  }

  #send(event: string, payload: string): number {
    const { joinRef, ref, topic } = this.asked.frame;
    return this.asked.socket.send({ joinRef: joinRef ?? ref, ref: null, topic, event }, payload);
  }
}
