/** Stands before a relay as a network or a bad server would: what is to go wrong does so at the command that it names. */
import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';

/** `connect` is before the greeting, `body` within the message, `answer` after the relay has taken it. */
export type Step =
  | 'connect'
  | 'EHLO'
  | 'STARTTLS'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'body'
  | 'answer'
  | 'RSET'
  | 'QUIT';

export interface Fault {
  at: Step;
  /** Says nothing more, ends the connection, answers and never ends the line, or answers this, perhaps milliseconds later. */
  does: 'hang' | 'cut' | 'endless' | { reply: string; late?: number };
  /** From which time on that the command comes, and how often; always, if not said. */
  after?: number;
  times?: number;
}

export class FaultyRelay {
  readonly #relayPort: number;
  readonly #fault: Fault | undefined;
  /** How often the command of the fault has come. */
  #met = 0;
  /** What clients have sent in clear, line by line, for each connection. */
  readonly seen: string[][] = [];

  constructor(relayPort: number, fault: Fault | undefined) {
    this.#relayPort = relayPort;
    this.#fault = fault;
  }

  async listen(): Promise<number> {
    const server = createServer(socket => void this.#serve(socket).catch(() => socket.destroy()));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }

  async #serve(client: Socket): Promise<void> {
    const seen: string[] = [];
    this.seen.push(seen);
    const relay = connectTo(this.#relayPort, '127.0.0.1');
    for (const each of [client, relay]) {
      each.setNoDelay(true).on('error', () => each.destroy());
    }
    client.on('close', () => relay.destroy());
    relay.on('close', () => client.end());
    const [fromClient, fromRelay] = [new LineReader(client), new LineReader(relay)];
    const greeting = await readReply(fromRelay);
    await this.#answer('connect', client, greeting);
    for (let line = await fromClient.next(); line !== undefined; line = await fromClient.next()) {
      seen.push(line);
      const command = line.slice(0, line.search(/[ \r\n]|$/)).toUpperCase() as Step;
      if (this.#due(command)) {
        await this.#strike(client);
        continue;
      }
      relay.write(`${line}\r\n`);
      const reply = await readReply(fromRelay);
      client.write(reply);
      if (command === 'STARTTLS' && reply.startsWith('220')) {
        fromClient.release().pipe(relay);
        fromRelay.release().pipe(client);
        return;
      }
      if (command === 'DATA' && reply.startsWith('354')) {
        await this.#passMessage(client, relay, fromClient, fromRelay);
      }
    }
  }

  async #passMessage(
    client: Socket,
    relay: Socket,
    fromClient: LineReader,
    fromRelay: LineReader,
  ): Promise<void> {
    for (let line = await fromClient.next(); line !== undefined; line = await fromClient.next()) {
      if (this.#due('body')) {
        await this.#strike(client);
      }
      relay.write(`${line}\r\n`);
      if (line === '.') {
        break;
      }
    }
    await this.#answer('answer', client, await readReply(fromRelay));
  }

  async #answer(step: Step, client: Socket, reply: string): Promise<void> {
    await (this.#due(step) ? this.#strike(client) : client.write(reply));
  }

  #due(step: Step): boolean {
    const { at, after = 0, times = Number.POSITIVE_INFINITY } = this.#fault ?? {};
    if (at !== step) {
      return false;
    }
    this.#met += 1;
    return this.#met > after && this.#met <= after + times;
  }

  /** Hanging never ends; the test ends the process. */
  async #strike(client: Socket): Promise<void> {
    const { does = 'cut' } = this.#fault ?? {};
    if (typeof does === 'object') {
      await new Promise(resolve => setTimeout(resolve, does.late ?? 0));
      client.write(`${does.reply}\r\n`);
      return;
    }
    if (does === 'endless') {
      client.write(`250-${'x'.repeat(1_000_000)}`);
    }
    if (does === 'cut') {
      client.destroy();
    }
    await new Promise(() => {});
  }
}

/** Reads a connection of SMTP line by line. */
class LineReader {
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
async function readReply(from: LineReader): Promise<string> {
  let reply = '';
  for (let line = await from.next(); line !== undefined; line = await from.next()) {
    reply += `${line}\r\n`;
    if (/^\d{3}(?: |$)/.test(line)) {
      return reply;
    }
  }
  throw new Error('The server has ended the connection.');
}
