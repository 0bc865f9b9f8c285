/** A link to Postgres that fails when told to: a TCP proxy on loopback that stalls, cuts, or turns callers away. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Link {
  port: number;
  /** From now on no byte gets through, either way, and nobody is told; new connections are taken all the same. */
  stall(): void;
  /** Everything gets through again, what was held back first, and new connections too. */
  resume(): Promise<void>;
  /** The connections of now never carry a byte again, and nobody is told; new ones are well. */
  silence(): void;
  /** Ends every connection: with FIN; with RST; or with FIN one way, while what comes the other way is still taken. */
  cut(how?: keyof typeof ends): void;
  /** The other end of every connection is gone as after a crash: silent, and with RST for who speaks to it. */
  crash(): void;
  /** Ends the next connection that carries an answer of more than so many bytes, in the middle of it. */
  cutAnswerAfter(bytes: number): void;
  /** Every chunk is shown to this first, until another is set, or none. */
  inspect(inspector?: Inspector): void;
  /** New connections are taken and ended at once, as a load balancer does that has no database behind it. */
  turnAway(): void;
  /** Ends every connection, and new ones are refused. */
  refuse(): Promise<void>;
  /** New connections lead to this port. */
  leadTo(port: number): void;
  stop(): Promise<void>;
}

/** One connection through the link. */
export interface Passage {
  client: Socket;
  server: Socket;
  /** Chunks so far, the one at hand too. */
  chunks: { client: number; server: number };
}

/** Answers how much of the chunk gets through: if not all, the connection is ended after it. */
export type Inspector = (from: 'client' | 'server', chunk: Buffer, passage: Passage) => number;

const host = '127.0.0.1';
const letAllThrough: Inspector = (_, chunk) => chunk.length;

const ends = {
  FIN: ({ client }: Passage) => client.destroy(),
  RST: ({ client }: Passage) => client.resetAndDestroy(),
  'one way': ({ client }: Passage) => client.end(),
};

export async function startLink(targetPort: number): Promise<Link> {
  const passages = new Set<Passage>();
  let target = targetPort;
  let stalled = false;
  let turnsAway = false;
  let inspector = letAllThrough;

  function join(passage: Passage, side: 'client' | 'server'): void {
    const from = passage[side];
    const to = passage[side === 'client' ? 'server' : 'client'];
    from.on('data', chunk => {
      passage.chunks[side] += 1;
      const through = inspector(side, chunk, passage);
      to.write(chunk.subarray(0, through));
      if (through < chunk.length) {
        passage.client.destroySoon();
      }
    });
    from.on('error', () => {});
    from.on('close', () => {
      passages.delete(passage);
      to.destroy();
    });
    if (stalled) {
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
    stall() {
      stalled = true;
      silence();
    },
    silence,
    async resume() {
      stalled = false;
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
    cutAnswerAfter(bytes) {
      const answered = new WeakMap<Passage, number>();
      inspector = (from, chunk, passage) => {
        const before = from === 'client' ? 0 : (answered.get(passage) ?? 0);
        answered.set(passage, from === 'client' ? 0 : before + chunk.length);
        if (from === 'client' || before + chunk.length <= bytes) {
          return chunk.length;
        }
        inspector = letAllThrough;
        return bytes - before;
      };
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
