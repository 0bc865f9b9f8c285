/** A link to Postgres that fails on command: a TCP proxy on loopback that stalls, closes or refuses connections. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { loopback } from '../../functions/local/port.ts';
import { freePort } from '../setup/free-port.ts';

type Side = 'client' | 'server';

/** One connection through the link. */
export interface Passage extends Record<Side, Socket> {
  /** The number of chunks so far, including the current one. */
  chunks: Record<Side, number>;
  /** Who sent the latest chunk. */
  last: Side | 'nobody';
}

/** Returns how much of the chunk gets through. If that is not all, the connection is closed after it. */
export type Inspector = (from: Side, chunk: Buffer, passage: Passage) => number;

interface Options {
  /** Milliseconds by which every chunk comes later. */
  delay?: number;
  /** Handles the end of a connection by its server, in place of closing it. */
  serverEnded?(passage: Passage): void;
}

export type Link = Awaited<ReturnType<typeof startLink>>;

const letAllThrough: Inspector = (_, chunk) => chunk.length;
const closeClient = ({ client }: Passage): void => void client.destroy();

const ends = {
  FIN: closeClient,
  RST: ({ client }: Passage) => client.resetAndDestroy(),
  'one way': ({ client }: Passage) => client.end(),
};

/** Whose data is held back. */
const sides = { upstream: ['client'], downstream: ['server'], both: ['client', 'server'] } as const;

export async function startLink(targetPort: number, { delay = 0, serverEnded = closeClient }: Options = {}) {
  const passages = new Set<Passage>();
  let target = targetPort;
  const stalled = new Set<Side>();
  let turnsAway = false;
  let inspector = letAllThrough;

  function join(passage: Passage, side: Side): void {
    const from = passage[side];
    const to = passage[side === 'client' ? 'server' : 'client'];
    from.setNoDelay().on('data', chunk => {
      passage.chunks[side] += 1;
      passage.last = side;
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
    if (stalled.has(side)) {
      from.pause();
    }
  }

  function relay(client: Socket): void {
    if (turnsAway) {
      client.destroy();
      return;
    }
    const server = connect(target, loopback);
    const passage: Passage = { client, server, chunks: { client: 0, server: 0 }, last: 'nobody' };
    passages.add(passage);
    join(passage, 'client');
    join(passage, 'server');
    client.on('end', () => client.end());
    client.on('close', () => {
      passages.delete(passage);
      server.destroy();
    });
    server.on('close', () => serverEnded(passage));
  }

  const cut = (how: keyof typeof ends = 'FIN'): void => passages.forEach(ends[how]);
  const listener = createServer({ allowHalfOpen: true }, relay);
  const port = await freePort();
  const listen = async () => {
    listener.listen(port, loopback);
    await once(listener, 'listening');
  };
  /** Closes every connection, and refuses new ones. */
  const refuse = async (): Promise<void> => {
    if (listener.listening) {
      listener.close();
      cut();
      await once(listener, 'close');
    }
  };
  await listen();
  return {
    port,
    /** From now on no byte gets through in these directions, without an error; new connections are accepted. */
    stall(direction: keyof typeof sides = 'both'): void {
      for (const side of sides[direction]) {
        stalled.add(side);
        for (const passage of passages) {
          passage[side].pause();
        }
      }
    },
    /** Data gets through again, starting with what was held back, and new connections work. */
    async resume(): Promise<void> {
      stalled.clear();
      turnsAway = false;
      for (const { client, server } of passages) {
        client.resume();
        server.resume();
      }
      if (!listener.listening) {
        await listen();
      }
    },
    /** The existing connections never carry a byte again, without an error; new ones work. */
    silence(): void {
      for (const { client, server } of passages) {
        client.pause();
        server.pause();
      }
    },
    /** Closes every connection: with FIN, with RST, or with FIN in one direction while the other stays open. */
    cut,
    /** The other end of every connection is gone as after a crash: it is silent, and responds to data with RST. */
    crash(): void {
      for (const { client, server } of passages) {
        server.removeAllListeners('data').pause();
        client.removeAllListeners('data').once('data', () => client.resetAndDestroy());
        client.resume();
      }
    },
    /** Sets a function that inspects every chunk first, or removes it. */
    inspect(next = letAllThrough): void {
      inspector = next;
    },
    /** New connections are accepted and closed at once, as by a load balancer without a database. */
    turnAway(): void {
      turnsAway = true;
      cut();
    },
    refuse,
    /** New connections lead to this port. */
    leadTo(next: number): void {
      target = next;
    },
    stop: refuse,
  };
}
