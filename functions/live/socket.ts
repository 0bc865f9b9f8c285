/**
 * A client's socket. The protocol has no acknowledgements, but a client sends a heartbeat only after the answer to the one
 * before, and TCP keeps the order: with a heartbeat, all that was sent before the answer to the previous one has arrived.
 */
import { limits } from '../common/limits.ts';
import { type Frame, frameText, type Version } from './frames.ts';

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
  hasJoined: boolean;
  /** The lowest and the highest number of its messages. */
  firstRef: number;
  lastRef: number;
  /** The rounds whose changes have arrived, and have arrived when the next heartbeat comes. */
  acknowledged: number;
  pending: number;
}

export class LiveSocket {
  readonly #webSocket: WebSocket;
  readonly #attachment: Attachment;
  /** Bytes sent since the last heartbeat was answered, and since the one before. */
  #sentSince = 0;
  #sentBefore = 0;
  #heardAt = Date.now();
  #messages = 0;
  #countedFrom = Date.now();

  constructor(webSocket: WebSocket, attachment: Attachment) {
    this.#webSocket = webSocket;
    this.#attachment = attachment;
  }

  static open(
    webSocket: WebSocket,
    known: Pick<Attachment, 'version' | 'isService' | 'isBrowser' | 'network'>,
  ): LiveSocket {
    const socket = new LiveSocket(webSocket, {
      ...known,
      id: crypto.randomUUID(),
      openedAt: Date.now(),
      hasJoined: false,
      firstRef: 0,
      lastRef: 0,
      acknowledged: 0,
      pending: 0,
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

  get firstRef(): number {
    return this.#attachment.firstRef;
  }

  get lastRef(): number {
    return this.#attachment.lastRef;
  }

  get acknowledged(): number {
    return this.#attachment.acknowledged;
  }

  /** Undefined while all is well; otherwise why the socket is closed. */
  get fault(): string | undefined {
    const { joinTimeout, silence, unacknowledgedBytes } = limits.live;
    const now = Date.now();
    if (!this.#attachment.hasJoined && now - this.#attachment.openedAt > joinTimeout) {
      return `No channel was joined within ${joinTimeout / 1000} s`;
    }
    if (now - this.#heardAt > silence) {
      return `No message came for ${silence / 1000} s`;
    }
    return this.#sentSince + this.#sentBefore > unacknowledgedBytes
      ? 'Messages are not read as fast as they are sent'
      : undefined;
  }

  /** A message came. False when there are too many. */
  heard(ref: number): boolean {
    const now = Date.now();
    this.#heardAt = now;
    this.#attachment.firstRef ||= ref;
    this.#attachment.lastRef = Math.max(this.#attachment.lastRef, ref);
    if (now - this.#countedFrom > limits.live.messagesWithin) {
      [this.#countedFrom, this.#messages] = [now, 0];
    }
    this.#messages += 1;
    return this.#messages <= limits.live.messages;
  }

  /** A heartbeat is about to be answered; everything up to this round has been sent. */
  acknowledge(round: number): void {
    this.#attachment.acknowledged = this.#attachment.pending;
    this.#attachment.pending = round;
    this.#sentBefore = this.#sentSince;
    this.#sentSince = 0;
    this.#store();
  }

  joined(): void {
    this.#attachment.hasJoined = true;
    this.#store();
  }

  /** Sends a message whose payload is JSON already; answers its length. */
  send(frame: Omit<Frame, 'payload'>, payload: string): number {
    const text = frameText(frame, payload, this.version);
    this.#sentSince += text.length;
    try {
      this.#webSocket.send(text);
    } catch {
      // It is closed; the event about that comes.
    }
    return text.length;
  }

  close(code: number, reason: string): void {
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
