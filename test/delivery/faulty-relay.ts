/** Stands before a relay as a network or a bad server would: what is to go wrong does so at the command that it names. */
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { LineReader, readReply } from './line-reader.ts';

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
  /** Says nothing more, ends the connection, answers this in place of the relay, or answers and never ends the line. */
  does: 'hang' | 'cut' | 'endless' | { reply: string };
  /** Only for a command that has this in it. */
  of?: string;
  /** How many times; always, if not said. */
  times?: number;
}

export class FaultyRelay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #relayPort: number;
  fault: Fault | undefined;
  /** What clients have sent in clear, line by line. */
  seen: string[] = [];
  connections = 0;

  constructor(relayPort: number) {
    this.#relayPort = relayPort;
    this.#server = createServer(socket => void this.#serve(socket).catch(() => socket.destroy()));
  }

  listen(): Promise<number> {
    return new Promise(resolve => {
      this.#server.listen(0, '127.0.0.1', () => resolve((this.#server.address() as { port: number }).port));
    });
  }

  #watch(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.setNoDelay(true).on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  async #serve(socket: Socket): Promise<void> {
    this.connections += 1;
    const client = this.#watch(socket);
    const relay = this.#watch(connectTo(this.#relayPort, '127.0.0.1'));
    client.on('close', () => relay.destroy());
    relay.on('close', () => client.end());
    const [fromClient, fromRelay] = [new LineReader(client), new LineReader(relay)];
    const greeting = await readReply(fromRelay);
    await this.#answer('connect', '', client, greeting);
    for (let line = await fromClient.next(); line !== undefined; line = await fromClient.next()) {
      this.seen.push(line);
      const command = line.slice(0, line.search(/[ \r\n]|$/)).toUpperCase() as Step;
      if (this.#due(command, line)) {
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
      if (this.#due('body', line)) {
        await this.#strike(client);
      }
      relay.write(`${line}\r\n`);
      if (line === '.') {
        break;
      }
    }
    await this.#answer('answer', '', client, await readReply(fromRelay));
  }

  async #answer(step: Step, line: string, client: Socket, reply: string): Promise<void> {
    await (this.#due(step, line) ? this.#strike(client) : client.write(reply));
  }

  #due(step: Step, line: string): boolean {
    const { at, of = '', times = 1 } = this.fault ?? {};
    return at === step && line.includes(of) && times > 0;
  }

  /** Hanging never ends; the test ends the process. */
  async #strike(client: Socket): Promise<void> {
    const { does = 'cut', times } = this.fault ?? {};
    if (this.fault && times !== undefined) {
      this.fault.times = times - 1;
    }
    if (typeof does === 'object') {
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
