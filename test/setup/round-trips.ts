/**
 * A TCP proxy on loopback that counts round trips: how often the client sends first, or again after data from the server,
 * in however many packets. Those of deliveries, and of a pooler that resets a session after a request, are left out, since
 * no request waits for them.
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
    const server = connect(targetPort, host);
    let clientSpokeLast = false;
    let isCounted: boolean | undefined;
    client.on('data', (data: Buffer) => {
      if (isCounted === undefined) {
        // The first message names the login.
        isCounted = !data.includes('builder_deliverer');
        connections += isCounted ? 1 : 0;
      }
      roundTrips += clientSpokeLast || !isCounted || data.includes('RESET ALL') ? 0 : 1;
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
