/**
 * A TCP proxy on loopback that counts round trips: how often the client sends first, or again after data from the server,
 * in however many packets.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface RoundTripCounter {
  port: number;
  /** Those of all connections since the start or the last reset, including those of connection set-up. */
  roundTrips(): number;
  /** Connections opened since then. */
  connections(): number;
  reset(): void;
  /** Closes every connection, as a database that shuts down does. */
  stop(): Promise<void>;
}

export async function startRoundTripCounter(targetPort: number): Promise<RoundTripCounter> {
  const host = '127.0.0.1';
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  let connections = 0;

  function relay(client: Socket): void {
    connections += 1;
    const server = connect(targetPort, host);
    let clientSpokeLast = false;
    client.on('data', () => {
      roundTrips += clientSpokeLast ? 0 : 1;
      clientSpokeLast = true;
    });
    server.on('data', () => {
      clientSpokeLast = false;
    });
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }

  const listener = createServer(relay).listen(0, host);
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    roundTrips: () => roundTrips,
    connections: () => connections,
    reset() {
      roundTrips = 0;
      connections = 0;
    },
    async stop() {
      listener.close();
      for (const socket of sockets) {
        socket.destroy();
      }
      await once(listener, 'close');
    },
  };
}
