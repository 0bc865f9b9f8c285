/** A link to Postgres that fails on command: a TCP proxy on loopback that stalls, closes or refuses connections. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Link {
  port: number;
  /** From now on no byte gets through in these directions, without an error; new connections are accepted. */
  stall(direction?: Direction): void;
  /** Data gets through again, starting with what was held back, and new connections work. */
  resume(): Promise<void>;
  /** The existing connections never carry a byte again, without an error; new ones work. */
  silence(): void;
  /** Closes every connection: with FIN, with RST, or with FIN in one direction while the other stays open. */
  cut(how?: keyof typeof ends): void;
  /** The other end of every connection is gone as after a crash: it is silent, and responds to data with RST. */
  crash(): void;
  /** Sets a function that inspects every chunk first, or removes it. */
  inspect(inspector?: Inspector): void;
  /** New connections are accepted and closed at once, as by a load balancer without a database. */
  turnAway(): void;
  /** Closes every connection, and refuses new ones. */
  refuse(): Promise<void>;
  /** New connections lead to this port. */
  leadTo(port: number): void;
  stop(): Promise<void>;
}

/** What is held back: what the client sends, what it is sent, or both. */
export type Direction = 'upstream' | 'downstream' | 'both';

/** One connection through the link. */
export interface Passage {
  client: Socket;
  server: Socket;
  /** The number of chunks so far, including the current one. */
  chunks: { client: number; server: number };
}

/** Returns how much of the chunk gets through. If that is not all, the connection is closed after it. */
export type Inspector = (from: 'client' | 'server', chunk: Buffer, passage: Passage) => number;

const host = '127.0.0.1';
const letAllThrough: Inspector = (_, chunk) => chunk.length;

const ends = {
  FIN: ({ client }: Passage) => client.destroy(),
  RST: ({ client }: Passage) => client.resetAndDestroy(),
  'one way': ({ client }: Passage) => client.end(),
};

/** Whose data is held back. */
const sides = { upstream: ['client'], downstream: ['server'], both: ['client', 'server'] } as const;

/** `delay`: milliseconds by which every chunk comes later. */
export async function startLink(targetPort: number, delay = 0): Promise<Link> {
  const passages = new Set<Passage>();
  let target = targetPort;
  const stalled = new Set<'client' | 'server'>();
  let turnsAway = false;
  let inspector = letAllThrough;

  function join(passage: Passage, side: 'client' | 'server'): void {
    const from = passage[side];
    const to = passage[side === 'client' ? 'server' : 'client'];
    from.setNoDelay().on('data', chunk => {
      passage.chunks[side] += 1;
      const through = inspector(side, chunk, passage);
      const pass = () => to.write(chunk.subarray(0, through));
      if (delay === 0) {
        pass();
      } else {
        setTimeout(pass, delay);
      }
      if (through < chunk.length) {
        passage.client.destroySoon();
      }
    });
    from.on('error', () => {});
    from.on('close', () => {
      passages.delete(passage);
      to.destroy();
    });
    if (stalled.has(side)) {
      from.pause();
    }
  }

  function relay(client: Socket): void {
    if (turnsAway) {
      client.destroy();
      return;
    }
    const passage = { client, server: connect(target, host), chunks: { client: 0, server: 0 } };
    passages.add(passage);
    join(passage, 'client');
    join(passage, 'server');
    client.on('end', () => client.end());
  }

  const cut = (how: keyof typeof ends = 'FIN') => passages.forEach(ends[how]);
  const silence = () => {
    for (const { client, server } of passages) {
      client.pause();
      server.pause();
    }
  };
  const listener = createServer({ allowHalfOpen: true }, relay);
  const listen = async (port: number) => {
    listener.listen(port, host);
    await once(listener, 'listening');
    return (listener.address() as AddressInfo).port;
  };
  const refuse = async () => {
    if (listener.listening) {
      listener.close();
      cut();
      await once(listener, 'close');
    }
  };
  const port = await listen(0);
  return {
    port,
    stall(direction = 'both') {
      for (const side of sides[direction]) {
        stalled.add(side);
        for (const passage of passages) {
          passage[side].pause();
        }
      }
    },
    silence,
    async resume() {
      stalled.clear();
      turnsAway = false;
      for (const { client, server } of passages) {
        client.resume();
        server.resume();
      }
      if (!listener.listening) {
        await listen(port);
      }
    },
    cut,
    crash() {
      for (const { client, server } of passages) {
        server.removeAllListeners('data').pause();
        client.removeAllListeners('data').once('data', () => client.resetAndDestroy());
        client.resume();
      }
    },
    inspect(next = letAllThrough) {
      inspector = next;
    },
    turnAway() {
      turnsAway = true;
      cut();
    },
    refuse,
    leadTo(next) {
      target = next;
    },
    stop: refuse,
  };
}
