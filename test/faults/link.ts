/** A link to Postgres that fails when told to: a TCP proxy on loopback that stalls, cuts, or turns callers away. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Link {
  port: number;
  /** From now on no byte gets through, either way, and nobody is told; new connections are taken all the same. */
  stall(): void;
  /** Everything gets through again, what was held back first. */
  resume(): void;
  /** The connections of now never carry a byte again, and nobody is told; new ones are well. */
  silence(): void;
  /** Ends every connection. */
  cut(): void;
  /** Ends the next connection that carries an answer of more than so many bytes, in the middle of it. */
  cutAnswerAfter(bytes: number): void;
  /** New connections are taken and ended at once, as a load balancer does that has no database behind it. */
  turnAway(): void;
  stop(): Promise<void>;
}

const host = '127.0.0.1';

export async function startLink(targetPort: number): Promise<Link> {
  const sockets = new Set<Socket>();
  let stalled = false;
  let turnsAway = false;
  let cutAfter = Number.POSITIVE_INFINITY;

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', chunk => to.write(chunk));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
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
    const server = connect(targetPort, host);
    let answered = 0;
    join(client, server);
    join(server, client);
    client.on('data', () => {
      answered = 0;
    });
    server.on('data', chunk => {
      answered += chunk.length;
      if (answered > cutAfter) {
        cutAfter = Number.POSITIVE_INFINITY;
        client.destroy();
      }
    });
  }

  const cut = () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
  const silence = () => {
    for (const socket of sockets) {
      socket.pause();
    }
  };
  const listener = createServer(relay).listen(0, host);
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    stall() {
      stalled = true;
      silence();
    },
    silence,
    resume() {
      stalled = false;
      turnsAway = false;
      for (const socket of sockets) {
        socket.resume();
      }
    },
    cut,
    cutAnswerAfter(bytes) {
      cutAfter = bytes;
    },
    turnAway() {
      turnsAway = true;
      cut();
    },
    async stop() {
      listener.close();
      cut();
      await once(listener, 'close');
    },
  };
}
