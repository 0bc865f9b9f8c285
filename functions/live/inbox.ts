/**
 * The messages of a socket, handled one after the other. Before a channel is joined a client may send almost nothing; what
 * comes while its first token is checked waits.
 */
import { limits } from '../common/limits.ts';
import type { Channels } from './channels.ts';
import { type Frame, parseFrame } from './frames.ts';
import type { Handled, Protocol } from './protocol.ts';
import type { Report } from './report.ts';
import type { LiveSocket } from './socket.ts';
import type { Sockets } from './sockets.ts';

export interface InboxParts {
  protocol: Protocol;
  channels: Channels;
  sockets: Sockets;
  report: Report;
}

export class Inbox {
  readonly #socket: LiveSocket;
  readonly #parts: InboxParts;
  #waiting: string[] = [];
  #characters = 0;
  #isHandling = false;
  #beforeJoin = { messages: 0, characters: 0, refusedJoins: 0 };

  constructor(socket: LiveSocket, parts: InboxParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /** Takes a message. Resolves when it is handled, to false when the client has sent too much. */
  async take(text: string): Promise<boolean> {
    this.#waiting.push(text);
    this.#characters += text.length;
    const { waitingMessages, waitingCharacters } = limits.live;
    if (this.#waiting.length > waitingMessages || this.#characters > waitingCharacters) {
      return false;
    }
    if (this.#isHandling) {
      return true;
    }
    this.#isHandling = true;
    try {
      return await this.#handleAll();
    } finally {
      this.#isHandling = false;
    }
  }

  async #handleAll(): Promise<boolean> {
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift()) {
      this.#characters -= text.length;
      if (this.#socket.isClosing) {
        this.#waiting = [];
        return true;
      }
      if (!this.#count() || (this.#socket.state.user === null && !this.#mayHandle(text))) {
        return false;
      }
      const frame = parseFrame(text, this.#socket.state.version);
      if (frame) {
        this.#socket.heard(Number(frame.ref) || 0);
        const handled = await this.#handle(frame);
        this.#beforeJoin.refusedJoins += handled === 'refused' ? 1 : 0;
      }
    }
    return true;
  }

  /** Counts a message; false when there were too many in a short time. */
  #count(): boolean {
    const { sockets, channels } = this.#parts;
    return sockets.count(this.#socket, channels.countOf(this.#socket));
  }

  async #handle(frame: Frame): Promise<Handled> {
    const { protocol, report } = this.#parts;
    try {
      return await protocol.handle(frame, this.#socket);
    } catch (error) {
      report.crashed(error);
      return 'handled';
    }
  }

  /** Counts a message that comes before a channel is joined. */
  #mayHandle(text: string): boolean {
    const { messagesBeforeJoin, charactersBeforeJoin, refusedJoins } = limits.live;
    const before = this.#beforeJoin;
    before.messages += 1;
    before.characters += text.length;
    return (
      before.messages <= messagesBeforeJoin &&
      before.characters <= charactersBeforeJoin &&
      before.refusedJoins < refusedJoins
    );
  }
}
