/** Reads a connection of SMTP line by line. */
import type { Socket } from 'node:net';

export class LineReader {
  readonly #socket: Socket;
  #buffered = Buffer.alloc(0);
  #ended = false;
  #wake = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', this.#onData);
    socket.on('close', this.#onClose);
  }

  #onData = (chunk: Buffer): void => {
    this.#buffered = Buffer.concat([this.#buffered, chunk]);
    this.#wake();
  };

  #onClose = (): void => {
    this.#ended = true;
    this.#wake();
  };

  /** The next line without its end, or undefined when the connection has ended. */
  async next(): Promise<string | undefined> {
    let end = this.#buffered.indexOf('\r\n');
    while (end === -1 && !this.#ended) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
      end = this.#buffered.indexOf('\r\n');
    }
    if (end === -1) {
      return undefined;
    }
    const line = this.#buffered.subarray(0, end).toString('latin1');
    this.#buffered = this.#buffered.subarray(end + 2);
    return line;
  }

  /** Reads no more; what has come and was not read is in the socket again. */
  release(): Socket {
    this.#socket.off('data', this.#onData);
    this.#socket.pause();
    if (this.#buffered.length > 0) {
      this.#socket.unshift(this.#buffered);
    }
    return this.#socket;
  }
}

/** A whole reply of a server, with its line ends. */
export async function readReply(from: LineReader): Promise<string> {
  let reply = '';
  for (let line = await from.next(); line !== undefined; line = await from.next()) {
    reply += `${line}\r\n`;
    if (/^\d{3}(?: |$)/.test(line)) {
      return reply;
    }
  }
  throw new Error('The server has ended the connection.');
}
