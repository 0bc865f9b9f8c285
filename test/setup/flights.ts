/**
 * A TCP proxy on loopback that counts flights: how often the client sends first, or again after data from the server. Each
 * flight costs one round trip, however many packets it has.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FlightCounter {
  port: number;
  /** Flights of all connections since the start or the last reset, including those of connection set-up. */
  flights(): number;
  /** Connections opened since then. */
  connections(): number;
  reset(): void;
  /** Closes every connection, as a database that shuts down does. */
  stop(): Promise<void>;
}

export async function startFlightCounter(targetPort: number): Promise<FlightCounter> {
  const host = '127.0.0.1';
  const sockets = new Set<Socket>();
  let flights = 0;
  let connections = 0;

  function relay(client: Socket): void {
    connections += 1;
    const server = connect(targetPort, host);
    let clientSpokeLast = false;
    client.on('data', () => {
      flights += clientSpokeLast ? 0 : 1;
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
    flights: () => flights,
    connections: () => connections,
    reset() {
      flights = 0;
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
