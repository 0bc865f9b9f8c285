/**
 * A client's socket. The protocol has no acknowledgements, but a client sends a heartbeat only after the answer to the one
 * before, and TCP keeps the order: with a heartbeat, all that was sent before the answer to the previous one has arrived.
 */
import { Buffer } from 'node:buffer';
import { limits } from '../common/limits.ts';
import { type Frame, frameText, type Version } from './frames.ts';
import { WindowCounter } from './window-counter.ts';

/** What is known of a socket, also after the object was out of memory. */
export interface SocketState {
  id: string;
  version: Version;
  /** The key in its address is the secret one. */
  isService: boolean;
  isBrowser: boolean;
  network: string;
  /** Milliseconds since 1970. */
  openedAt: number;
  /** The user who has joined a channel on it. */
  user: string | null;
  /** The lowest and the highest number of its messages. */
  firstRef: number;
  lastRef: number;
  /** Heartbeats that were answered, and how many of the answers had arrived for certain when the last one came. */
  answers: number;
  arrived: number;
  /** The round up to which was told when the last heartbeat was answered, and the round that has arrived. */
  answeredRound: number;
  arrivedRound: number;
  /** All bytes that were sent: none of them is known to have been read. */
  sentBytes: number;
}

export type Opened = Pick<SocketState, 'version' | 'isService' | 'isBrowser' | 'network'>;

export class LiveSocket {
  readonly #webSocket: WebSocket;
  readonly #state: SocketState;
  readonly #messages = new WindowCounter(limits.live.messagesWithin);
  #heartbeatAt = Date.now();
  /** It was told to close, or has ended. */
  isClosing = false;

  constructor(webSocket: WebSocket, state: SocketState) {
    this.#webSocket = webSocket;
    this.#state = state;
  }

  static open(webSocket: WebSocket, opened: Opened): LiveSocket {
    const socket = new LiveSocket(webSocket, {
      ...opened,
      id: crypto.randomUUID(),
      openedAt: Date.now(),
      user: null,
      firstRef: 0,
      lastRef: 0,
      answers: 0,
      arrived: 0,
      answeredRound: 0,
      arrivedRound: 0,
      sentBytes: 0,
    });
    socket.#store();
    return socket;
  }

  /** Restores a socket that was open before the object came into memory. */
  static restore(webSocket: WebSocket): LiveSocket {
    return new LiveSocket(webSocket, webSocket.deserializeAttachment() as SocketState);
  }

  /** Returns what is known of it. What is sent now will have arrived when `arrived` is greater than `answers` is now. */
  get state(): Readonly<SocketState> {
    return this.#state;
  }

  /** Milliseconds since it was opened. */
  get age(): number {
    return Date.now() - this.#state.openedAt;
  }

  /** Undefined while all is well; otherwise why the socket is closed. */
  get fault(): string | undefined {
    const { joinTimeout, silence, bytesOfSocket } = limits.live;
    const now = Date.now();
    if (this.#state.user === null && this.age > joinTimeout) {
      return `No channel was joined within ${joinTimeout / 1000} s`;
    }
    if (now - this.#heartbeatAt > silence) {
      return `No heartbeat came for ${silence / 1000} s`;
    }
    return this.#state.sentBytes > bytesOfSocket
      ? 'Connect again: this connection was sent as much as one may be'
      : undefined;
  }

  /** Counts a message; returns how many came within the limit's time. */
  count(): number {
    this.#messages.add(1);
    return this.#messages.count;
  }

  /** Records that a message of this reference is handled. */
  heard(ref: number): void {
    this.#state.firstRef ||= ref;
    this.#state.lastRef = Math.max(this.#state.lastRef, ref);
  }

  /** Records that a heartbeat came, and is about to be answered; everything up to this round has been sent. */
  heartbeat(round: number): void {
    const state = this.#state;
    this.#heartbeatAt = Date.now();
    state.arrivedRound = state.answeredRound;
    state.arrived = state.answers;
    state.answeredRound = round;
    state.answers += 1;
    this.#store();
  }

  joined(user: string): void {
    this.#state.user = user;
    this.#store();
  }

  /** Sends a message whose payload is JSON already; returns its size in bytes. */
  send(frame: Omit<Frame, 'payload'>, payload: string): number {
    if (this.isClosing) {
      return 0;
    }
    const text = frameText(frame, payload, this.#state.version);
    const bytes = Buffer.byteLength(text);
    try {
      this.#webSocket.send(text);
      this.#state.sentBytes += bytes;
    } catch {
      // It is closed; the event about that comes.
    }
    return bytes;
  }

  close(code: number, reason: string): void {
    this.isClosing = true;
    try {
      this.#webSocket.close(code, reason);
    } catch {
      // It is closed already.
    }
  }

  #store(): void {
    try {
      this.#webSocket.serializeAttachment(this.#state);
    } catch {
      // It is closed already.
    }
  }
}
