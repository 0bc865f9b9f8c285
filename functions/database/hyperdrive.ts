import { limits } from '../common/limits.ts';
import type { Message, Sql } from '../statement/sql.ts';
import { Connection } from './connection.ts';
import { type Database, type Reply, tooManyAtOnce, unavailable } from './database.ts';
import { Leases } from './message-leases.ts';
import { terminateOnce } from './terminate.ts';

/** Shared by all requests of this isolate. */
const leases = new Leases();

/**
 * Postgres through Hyperdrive: a connection per request, since a connection belongs to the request that opened it. It
 * is not ended, because that can hang on workerd; Hyperdrive reclaims it by itself.
 */
export class HyperdriveDatabase implements Database {
  readonly #binding: Pick<Hyperdrive, 'connectionString'>;

  constructor(binding: Pick<Hyperdrive, 'connectionString'>) {
    this.#binding = binding;
  }

  async send(message: Sql | Message, callerKey: string): Promise<Reply> {
    const lease = leases.acquire(callerKey, Date.now());
    if (lease === undefined) {
      return tooManyAtOnce;
    }
    const { connectionString } = this.#binding;
    const connection = new Connection(connectionString);
    const { promise: atDeadline, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, limits.database.deadline);
    const reply = await Promise.race([connection.send(message.text), atDeadline]);
    clearTimeout(timer);
    if (reply === undefined) {
      connection.retire();
      await terminateOnce(connectionString, [message.text]);
    }
    leases.release(callerKey, lease);
    return reply ?? unavailable('DEADLINE');
  }
}
