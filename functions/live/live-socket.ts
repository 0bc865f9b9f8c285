/**
 * A client's WebSocket: the frames of Phoenix's channels in both versions of Supabase's protocol, objects in 1.0.0 and arrays
 * in 2.0.0 (supabase.com/docs/guides/realtime/protocol), the queue of what it sends, and what was sent to it.
 */
import { Buffer } from 'node:buffer';
import * as v from 'valibot';
import type { Failure } from '../common/failure/failure.ts';
import { renderFailure } from '../common/failure/render-failure.ts';
import { kib, mib, second } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { WindowCounter } from './window-counter.ts';

/** One socket. Beyond: it closes with 1008 or 1009, and its client reconnects. */
export const socketLimits = {
  // Time to join a channel.
  joinTimeout: 10 * second,
  // Clients send a heartbeat every 25 to 30 s.
  /** Time without a heartbeat */
  silence: 90 * second,
  /** Size of a message */
  message: 32 * kib,
  // Messages before a channel is joined, and their characters together.
  messagesBeforeJoin: 10,
  charactersBeforeJoin: 20 * kib,
  // Joins with a token that is refused.
  refusedJoins: 2,
  // Messages that wait until those before them are handled, as when a client joins its channels, and their characters.
  waitingMessages: 250,
  waitingCharacters: 512 * kib,
  messagesWithin: 10 * second,
  // The highest first reference of a page that was not here before: the newest clients count up to 18 for five channels.
  freshRefs: 18,
  // Nothing proves that a client reads.
  // Sent on a socket; its client then reconnects.
  bytesOfSocket: 16 * mib,
} as const;

export type Version = '1.0.0' | '2.0.0';

/** A message's reference, returned as it came. */
type Ref = string | number | null;

export interface Frame {
  /** The reference of the join that the message belongs to. */
  joinRef: Ref;
  ref: Ref;
  topic: string;
  event: string;
  payload: unknown;
}

/** What an answer to a message needs of it. */
export type FrameAddress = Omit<Frame, 'payload'>;

const ref = v.nullish(v.union([v.string(), v.number()]), null);
const parts = v.tuple([ref, ref, v.string(), v.string(), v.unknown()]);

/** Parses a message; undefined when the text is not one of the version. */
function parseFrame(text: string, version: Version): Frame | undefined {
  try {
    const json = JSON.parse(text);
    const given =
      version === '2.0.0' ? json : [json.join_ref, json.ref, json.topic, json.event, json.payload];
    const [joinRef, ref, topic, event, payload] = v.parse(parts, given);
    return { joinRef, ref, topic, event, payload };
  } catch {
    return undefined;
  }
}

/** What the upgrade said. */
export interface Opened {
  version: Version;
  /** The key in its address is the secret one. */
  isService: boolean;
  isBrowser: boolean;
  network: string;
}

/** Why a socket is closed: a code of RFC 6455, section 7.4.1, and words for the log and the client. */
export interface Fault {
  code: 1008 | 1009;
  reason: string;
}

export const breaks = (reason: string): Fault => ({ code: 1008, reason });

/** Who handles a socket's messages. */
export interface Handler {
  /** Counts a message. Returns whether the client is within its limits. */
  countMessage(socket: LiveSocket): boolean;
  /** Handles a message that came at this time. Resolves to whether it was a join that is refused, other than for no token. */
  handle(frame: Frame, socket: LiveSocket, at: number): Promise<boolean>;
}

export class LiveSocket {
  readonly opened: Opened;
  readonly openedAt = monotonicNow();
  /** Messages that came lately. */
  readonly messages = new WindowCounter(socketLimits.messagesWithin);
  /** The user who has joined a channel on it; sockets.ts sets it. */
  user: string | null = null;
  /** Bytes sent, read or not. */
  sentBytes = 0;
  /** It is closing, or has ended. */
  isClosing = false;
  /** The number of its first message. Clients go on counting when they reconnect, and fresh pages begin low. */
  #firstRef = 0;
  #heartbeatAt = monotonicNow();
  readonly #webSocket: Pick<WebSocket, 'send' | 'close'>;
  readonly #waiting = { messages: 0, characters: 0 };
  /** Settles when the messages that came so far are handled. */
  #handled: Promise<unknown> = Promise.resolve();
  readonly #beforeJoin = { messages: 0, characters: 0, refusedJoins: 0 };

  constructor(webSocket: Pick<WebSocket, 'send' | 'close'>, opened: Opened) {
    this.#webSocket = webSocket;
    this.opened = opened;
  }

  /** Whether its client was connected before, and may have missed changes in between. */
  get isReturning(): boolean {
    return this.#firstRef > socketLimits.freshRefs;
  }

  /** Returns why it must be closed, if it must. */
  get fault(): Fault | undefined {
    const { joinTimeout, silence, bytesOfSocket } = socketLimits;
    if (this.user === null && monotonicNow() - this.openedAt > joinTimeout) {
      return breaks(`No channel was joined within ${joinTimeout / 1000} s`);
    }
    if (monotonicNow() - this.#heartbeatAt > silence) {
      return breaks(`No heartbeat came for ${silence / 1000} s`);
    }
    return this.sentBytes > bytesOfSocket
      ? breaks('Reconnect: the send limit of this connection was reached')
      : undefined;
  }

  /** Takes a message, which is handled after those before it. Resolves to why the socket must be closed, if it must. */
  async receive(message: string | ArrayBuffer, handler: Handler): Promise<Fault | undefined> {
    if ((typeof message === 'string' ? message.length : message.byteLength) > socketLimits.message) {
      return { code: 1009, reason: `A message has at most ${socketLimits.message} characters` };
    }
    // Binary messages carry broadcasts, which this service does not have.
    const text = typeof message === 'string' ? message : '';
    const at = monotonicNow();
    this.#waiting.messages += 1;
    this.#waiting.characters += text.length;
    const { waitingMessages, waitingCharacters } = socketLimits;
    if (this.#waiting.messages > waitingMessages || this.#waiting.characters > waitingCharacters) {
      return tooManyMessages;
    }
    const handled = this.#handled.then(() => this.#handle(text, at, handler));
    this.#handled = handled;
    return handled;
  }

  async #handle(text: string, at: number, handler: Handler): Promise<Fault | undefined> {
    this.#waiting.messages -= 1;
    this.#waiting.characters -= text.length;
    if (this.isClosing) {
      return undefined;
    }
    this.messages.add(1);
    if (!handler.countMessage(this) || (this.user === null && !this.#mayHandle(text))) {
      return tooManyMessages;
    }
    const frame = parseFrame(text, this.opened.version);
    if (frame) {
      this.#firstRef ||= Number(frame.ref) || 0;
      this.#beforeJoin.refusedJoins += (await handler.handle(frame, this, at)) ? 1 : 0;
    }
    return undefined;
  }

  /** Counts a message that comes before a channel is joined. */
  #mayHandle(text: string): boolean {
    const { messagesBeforeJoin, charactersBeforeJoin, refusedJoins } = socketLimits;
    const before = this.#beforeJoin;
    before.messages += 1;
    before.characters += text.length;
    return (
      before.messages <= messagesBeforeJoin &&
      before.characters <= charactersBeforeJoin &&
      before.refusedJoins < refusedJoins
    );
  }

  heartbeat(frame: Frame): void {
    this.#heartbeatAt = monotonicNow();
    this.reply({ ...frame, joinRef: null, topic: 'phoenix' }, 'ok', {});
  }

  reply({ joinRef, ref, topic }: FrameAddress, status: 'ok' | 'error', response: object): void {
    const reply = { joinRef: joinRef ?? ref, ref, topic, event: 'phx_reply' };
    this.send(reply, JSON.stringify({ status, response }));
  }

  /** Refuses a join. Clients of 1.0.0 join again only after a `phx_error`. */
  refuseJoin(frame: FrameAddress, reason: string): void {
    this.reply(frame, 'error', { reason });
    if (this.opened.version === '1.0.0') {
      this.sendEnd(frame, 'phx_error');
    }
  }

  sendEnd({ joinRef, ref, topic }: FrameAddress, event: 'phx_error' | 'phx_close'): void {
    const joinedBy = joinRef ?? ref;
    this.send({ joinRef: joinedBy, ref: joinedBy, topic, event }, '{}');
  }

  /** Sends a message whose payload is JSON already; returns its size in bytes. */
  send(frame: FrameAddress, payload: string): number {
    if (this.isClosing) {
      return 0;
    }
    const { joinRef, ref, topic, event } = frame;
    const text =
      this.opened.version === '2.0.0'
        ? `${JSON.stringify([joinRef, ref, topic, event]).slice(0, -1)},${payload}]`
        : `${JSON.stringify({ topic, event, ref, join_ref: joinRef }).slice(0, -1)},"payload":${payload}}`;
    const bytes = Buffer.byteLength(text);
    try {
      this.#webSocket.send(text);
      this.sentBytes += bytes;
    } catch {
      // It has ended, and the event about that follows.
    }
    return bytes;
  }

  /** Sends the client the reason to close it, or answers a client that has closed it. */
  close(fault?: Fault): void {
    this.isClosing = true;
    try {
      this.#webSocket.close(fault?.code, fault?.reason);
    } catch {
      // It has ended already.
    }
  }
}

const tooManyMessages = breaks('Too many messages in a short time');

/** Describes a failure as Supabase writes its reasons: `PGRST302: The request has no …`. */
export function wordsOf(failure: Failure): string {
  const { code, message, details } = renderFailure(failure).body;
  return `${code}: ${message}${details === null ? '' : `. ${details}`}`;
}
