/** Stands before a relay as a network or a bad server would: what is to go wrong does so at the command that it names. */
import { on, once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';

type Command = 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'RSET' | 'QUIT';
/** `connect` is before the greeting, `body` within the message, `answer` after the relay has taken it. */
export type Step = Command | 'connect' | 'body' | 'answer';

export interface Fault {
  at: Step;
  /** Says nothing more, ends the connection, answers and never ends the line, or answers this, perhaps milliseconds later. */
  does: 'hang' | 'cut' | 'endless' | { reply: string; late?: number };
  /** From which time on that the command comes, and how often; always, if not said. */
  after?: number;
  times?: number;
}

export type FaultyPort = Awaited<ReturnType<typeof openFaultyPort>>;

/** Opens a port that leads to the relay, with one fault. */
export async function openFaultyPort(relayPort: number, fault: Fault | undefined) {
  const seen: string[][] = [];
  const sockets: Socket[] = [];
  /** How often the command of the fault has come. */
  let met = 0;

  function isDue(step: Step): boolean {
    const { at, after = 0, times = Number.POSITIVE_INFINITY } = fault ?? {};
    if (at !== step) {
      return false;
    }
    met += 1;
    return met > after && met <= after + times;
  }

  /** Hanging ends when the port is closed. */
  async function strike(client: Socket): Promise<void> {
    const { does = 'cut' } = fault ?? {};
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

  const answer = async (step: Step, client: Socket, reply: string) =>
    isDue(step) ? strike(client) : void client.write(reply);

  async function passMessage(client: Lines, relay: Lines): Promise<void> {
    for (let line = await client.next(); line !== undefined; line = await client.next()) {
      if (isDue('body')) {
        await strike(client.socket);
      }
      relay.socket.write(`${line}\r\n`);
      if (line === '.') {
        break;
      }
    }
    await answer('answer', client.socket, await relay.reply());
  }

  async function serve(socket: Socket): Promise<void> {
    const commands: string[] = [];
    seen.push(commands);
    const relaySocket = connectTo(relayPort, '127.0.0.1');
    for (const each of [socket, relaySocket]) {
      sockets.push(each.setNoDelay(true).on('error', () => each.destroy()));
    }
    socket.on('close', () => relaySocket.destroy());
    relaySocket.on('close', () => socket.end());
    const [client, relay] = [new Lines(socket), new Lines(relaySocket)];
    await answer('connect', socket, await relay.reply());
    for (let line = await client.next(); line !== undefined; line = await client.next()) {
      commands.push(line);
      const command = line.slice(0, line.search(/[ \r\n]|$/)).toUpperCase() as Step;
      if (isDue(command)) {
        await strike(socket);
        continue;
      }
      relaySocket.write(`${line}\r\n`);
      const reply = await relay.reply();
      socket.write(reply);
      if (command === 'STARTTLS' && reply.startsWith('220')) {
        client.stop().pipe(relay.stop()).pipe(socket);
        return;
      }
      if (command === 'DATA' && reply.startsWith('354')) {
        await passMessage(client, relay);
      }
    }
  }

  const server = createServer(socket => void serve(socket).catch(() => socket.destroy()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** What clients have sent here in clear, line by line, for each connection. */
    seen: () => seen,
    close(): void {
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
}

/** The lines that come by a connection of SMTP. */
class Lines {
  readonly socket: Socket;
  readonly #chunks: AsyncIterator<[Buffer]>;
  #text = '';

  constructor(socket: Socket) {
    this.socket = socket;
    this.#chunks = on(socket, 'data', { close: ['close'] }) as AsyncIterator<[Buffer]>;
  }

  /** The next line without its end, or undefined when the connection has ended. */
  async next(): Promise<string | undefined> {
    while (!this.#text.includes('\r\n')) {
      const { done, value } = await this.#chunks.next();
      if (done) {
        return undefined;
      }
      this.#text += value[0].toString('latin1');
    }
    const [line = ''] = this.#text.split('\r\n', 1);
    this.#text = this.#text.slice(line.length + 2);
    return line;
  }

  /** A whole reply of a server, with its line ends. */
  async reply(): Promise<string> {
    let reply = '';
    for (let line = await this.next(); line !== undefined; line = await this.next()) {
      reply += `${line}\r\n`;
      if (/^\d{3}(?: |$)/.test(line)) {
        return reply;
      }
    }
    throw new Error('The server has ended the connection.');
  }

  /** Reads no more lines. Whoever was answered last has sent nothing since. */
  stop(): Socket {
    void this.#chunks.return?.();
    return this.socket.pause();
  }
}
