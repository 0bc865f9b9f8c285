/**
 * A client's socket. The protocol has no acknowledgements, but a client sends a heartbeat only after the answer to the one
 * before, and TCP keeps the order: with a heartbeat, all that was sent before the answer to the previous one has arrived.
 */
import { Buffer } from 'node:buffer';
import { limits } from '../common/limits.ts';
import { type Frame, frameText, type Version } from './frames.ts';
import { WindowCounter } from './window-counter.ts';

/** What survives while the object is out of memory. */
interface Attachment {
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
  /** Heartbeats that were answered, and how many of them when the last one came. */
  answers: number;
  answersBefore: number;
  /** The round up to which was told when the last heartbeat was answered, and the round that has arrived. */
  answeredRound: number;
  arrivedRound: number;
  sentBytes: number;
}

export type Opened = Pick<Attachment, 'version' | 'isService' | 'isBrowser' | 'network'>;

export class LiveSocket {
  readonly #webSocket: WebSocket;
  readonly #attachment: Attachment;
  readonly #messages = new WindowCounter(limits.live.messagesWithin);
  #heartbeatAt = Date.now();
  /** It was told to close, or has ended. */
  isClosing = false;

  constructor(webSocket: WebSocket, attachment: Attachment) {
    this.#webSocket = webSocket;
    this.#attachment = attachment;
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
      answersBefore: 0,
      answeredRound: 0,
      arrivedRound: 0,
      sentBytes: 0,
    });
    socket.#store();
    return socket;
  }

  /** A socket that was open before the object came into memory. */
  static restore(webSocket: WebSocket): LiveSocket {
    return new LiveSocket(webSocket, webSocket.deserializeAttachment() as Attachment);
  }

  get id(): string {
    return this.#attachment.id;
  }

  get isService(): boolean {
    return this.#attachment.isService;
  }

  get isBrowser(): boolean {
    return this.#attachment.isBrowser;
  }

  get network(): string {
    return this.#attachment.network;
  }

  get version(): Version {
    return this.#attachment.version;
  }

  get user(): string | null {
    return this.#attachment.user;
  }

  /** Milliseconds since it was opened. */
  get age(): number {
    return Date.now() - this.#attachment.openedAt;
  }

  get firstRef(): number {
    return this.#attachment.firstRef;
  }

  get lastRef(): number {
    return this.#attachment.lastRef;
  }

  /** Heartbeats that were answered: what is sent now has arrived when `arrived` is greater. */
  get answers(): number {
    return this.#attachment.answers;
  }

  /** How many answers have arrived for certain, when the last heartbeat came. */
  get arrived(): number {
    return this.#attachment.answersBefore;
  }

  /** The round up to which everything that was told on this socket has arrived. */
  get arrivedRound(): number {
    return this.#attachment.arrivedRound;
  }

  /** All bytes that were sent: none of them is known to have been read. */
  get sentBytes(): number {
    return this.#attachment.sentBytes;
  }

  /** Undefined while all is well; otherwise why the socket is closed. */
  get fault(): string | undefined {
    const { joinTimeout, silence, bytesOfSocket } = limits.live;
    const now = Date.now();
    if (this.user === null && this.age > joinTimeout) {
      return `No channel was joined within ${joinTimeout / 1000} s`;
    }
    if (now - this.#heartbeatAt > silence) {
      return `No heartbeat came for ${silence / 1000} s`;
    }
    return this.sentBytes > bytesOfSocket
      ? 'Connect again: this connection was sent as much as one may be'
      : undefined;
  }

  /** Counts a message; returns how many came within the limit's time. */
  count(): number {
    this.#messages.add(1);
    return this.#messages.count;
  }

  /** A message of this reference is handled. */
  heard(ref: number): void {
    this.#attachment.firstRef ||= ref;
    this.#attachment.lastRef = Math.max(this.#attachment.lastRef, ref);
  }

  /** A heartbeat came, and is about to be answered; everything up to this round has been sent. */
  heartbeat(round: number): void {
    const attachment = this.#attachment;
    this.#heartbeatAt = Date.now();
    attachment.arrivedRound = attachment.answeredRound;
    attachment.answersBefore = attachment.answers;
    attachment.answeredRound = round;
    attachment.answers += 1;
    this.#store();
  }

  joined(user: string): void {
    this.#attachment.user = user;
    this.#store();
  }

  /** Sends a message whose payload is JSON already; returns its size in bytes. */
  send(frame: Omit<Frame, 'payload'>, payload: string): number {
    if (this.isClosing) {
      return 0;
    }
    const text = frameText(frame, payload, this.version);
    const bytes = Buffer.byteLength(text);
    try {
      this.#webSocket.send(text);
      this.#attachment.sentBytes += bytes;
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
      this.#webSocket.serializeAttachment(this.#attachment);
    } catch {
      // It is closed already.
    }
  }
}
