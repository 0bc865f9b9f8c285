/** How a service reaches Postgres: over the pool of `npm start`, or as deployed, over a stand-in for Hyperdrive. */
import { createDatabase } from '../setup/database.ts';
import { type ServiceOptions, startService } from '../setup/service.ts';
import { startLink } from './link.ts';

/** Two services over one database, so that a fault is one for both: over the pool, and over Hyperdrive. */
export async function startBothWays(options: ServiceOptions = {}) {
  const database = options.database ?? (await createDatabase());
  const databasePort = options.databasePort ?? Number(new URL(database.ownerUrl).port);
  const hyperdrive = await startHyperdrive(databasePort);
  const ways: ServiceOptions[] = [{ databasePort, worker: 'all' }, { databasePort: hyperdrive.port }];
  const services = await Promise.all(ways.map(way => startService({ ...options, database, ...way })));
  return {
    database,
    services,
    async stop() {
      await Promise.all(services.map(service => service.stop()));
      await hyperdrive.stop();
    },
  };
}

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
export const startHyperdrive = (originPort: number) =>
  startLink(originPort, {
    serverEnded({ client, last }) {
      const refuse = () => client.end(errorResponse('Failed to acquire a connection from the pool.'));
      // No error can be sent in the middle of a reply.
      const ends = { nobody: () => client.once('data', refuse), client: refuse, server: () => client.end() };
      ends[last]();
    },
  });
