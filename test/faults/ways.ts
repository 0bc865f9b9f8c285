/** How a service reaches Postgres: over its pool, with a connection for each request, or with that by way of Hyperdrive. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { loopback } from '../../functions/local/port.ts';
import { createDatabase } from '../setup/database.ts';
import { type ServiceOptions, startService } from '../setup/service.ts';

type Way = 'pool' | 'direct' | 'hyperdrive';

/** Services over one database, so that a fault is one for all, in the order of the ways. */
export async function startWays(ways: Way[], options: ServiceOptions = {}) {
  const database = options.database ?? (await createDatabase());
  const databasePort = options.databasePort ?? Number(new URL(database.ownerUrl).port);
  const standIn = ways.includes('hyperdrive') ? await startHyperdrive(databasePort) : undefined;
  const optionsOf: Record<Way, ServiceOptions> = {
    pool: { databasePort },
    direct: { databasePort, hyperdrive: 'direct' },
    hyperdrive: { databasePort: standIn?.port ?? databasePort, hyperdrive: 'direct' },
  };
  const services = await Promise.all(
    ways.map(way => startService({ ...options, database, ...optionsOf[way] })),
  );
  return {
    database,
    services,
    async stop() {
      await Promise.all(services.map(service => service.stop()));
      await standIn?.stop();
    },
  };
}

export const startBothWays = (options?: ServiceOptions) => startWays(['pool', 'direct'], options);
export const startAllWays = (options?: ServiceOptions) =>
  startWays(['pool', 'direct', 'hyperdrive'], options);

/** An ErrorResponse: fields that end with NUL, and a NUL. See "Message Formats" in Postgres's documentation. */
function errorResponse(message: string): Buffer {
  const fields = Buffer.from(['SFATAL', 'VFATAL', 'C58000', `M${message}`, ''].join('\0').concat('\0'));
  const head = Buffer.alloc(5, 'E');
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}

/**
 * Starts a stand-in for Hyperdrive: it accepts every connection, and when the database is down it reports SQLSTATE 58000, as
 * Hyperdrive does. Miniflare's stand-in ends the process in that case, or takes 5 to 11 s.
 */
export async function startHyperdrive(originPort: number): Promise<{ port: number; stop(): Promise<void> }> {
  const clients = new Set<Socket>();
  function relay(client: Socket): void {
    clients.add(client);
    const origin = connect(originPort, loopback);
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
  const listener = createServer(relay).listen(0, loopback);
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
