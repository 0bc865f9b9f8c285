import type { Message, Sql } from '../statement/sql.ts';
import { Connection } from './connection.ts';
import { type Database, deadline, type Reply, tooManyAtOnce, unavailable } from './database.ts';
import { Leases } from './message-leases.ts';
import { terminateOnce } from './terminate.ts';

/** Of all requests of this isolate. */
const leases = new Leases();

/**
 * Through Hyperdrive: a connection per request. It is not kept, since a connection belongs to the request that opened
 * it, and not ended, since that can hang on workerd; Hyperdrive takes the connection back by itself.
 */
export class HyperdriveDatabase implements Database {
  readonly #binding: Pick<Hyperdrive, 'connectionString'>;

  constructor(binding: Pick<Hyperdrive, 'connectionString'>) {
    this.#binding = binding;
  }

  async send(message: Sql | Message, sender: string): Promise<Reply> {
    const lease = leases.take(sender, Date.now());
    if (lease === undefined) {
      return tooManyAtOnce;
    }
    const { promise: late, resolve } = Promise.withResolvers<Reply>();
    const { connectionString } = this.#binding;
    const connection = new Connection(connectionString);
    const giveUp = async () => {
      connection.retire();
      await terminateOnce(connectionString, [message.text]);
      resolve(unavailable('DEADLINE'));
    };
    const timer = setTimeout(giveUp, deadline);
    const reply = await Promise.race([connection.send(message.text), late]);
    clearTimeout(timer);
    leases.release(sender, lease);
    return reply;
  }
}
