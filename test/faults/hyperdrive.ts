/**
 * A stand-in for Hyperdrive: it accepts every connection, and when the database is down it reports SQLSTATE 58000, as
 * Hyperdrive does. Miniflare's stand-in ends the process in that case, or takes 5 to 11 s.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface HyperdriveStandIn {
  port: number;
  stop(): Promise<void>;
}

const host = '127.0.0.1';

/** An ErrorResponse: fields that end with NUL, and a NUL. See "Message Formats" in Postgres's documentation. */
function errorResponse(message: string): Buffer {
  const fields = Buffer.from(['SFATAL', 'VFATAL', 'C58000', `M${message}`, ''].join('\0').concat('\0'));
  const head = Buffer.alloc(5, 'E');
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}

export async function startHyperdrive(originPort: number): Promise<HyperdriveStandIn> {
  const clients = new Set<Socket>();
  function relay(client: Socket): void {
    clients.add(client);
    const origin = connect(originPort, host);
    let last: 'nobody' | 'client' | 'origin' = 'nobody';
    client.on('data', chunk => {
      last = 'client';
      origin.write(chunk);
    });
    origin.on('data', chunk => {
      last = 'origin';
      client.write(chunk);
    });
    origin.on('error', () => {});
    const refuse = () => client.end(errorResponse('Failed to acquire a connection from the pool.'));
    origin.on('close', () => {
      // No error can be sent in the middle of a reply.
      const ends = { nobody: () => client.once('data', refuse), client: refuse, origin: () => client.end() };
      ends[last]();
    });
    client.on('error', () => {});
    client.on('close', () => {
      clients.delete(client);
      origin.destroy();
    });
  }
  const listener = createServer(relay).listen(0, host);
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    async stop() {
      listener.close();
      for (const client of clients) {
        client.destroy();
      }
      await once(listener, 'close');
    },
  };
}
