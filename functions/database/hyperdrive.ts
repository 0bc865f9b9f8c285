import type { Sql } from '../statement/sql.ts';
import { createClient, sendThrough } from './client.ts';
import type { Database, Reply } from './database.ts';

/**
 * Through Hyperdrive: a client per request. It is not kept, since a connection belongs to the request that opened
 * it, and not ended, since that can hang on workerd; Hyperdrive takes the connection back by itself.
 */
export class HyperdriveDatabase implements Database {
  readonly #binding: Pick<Hyperdrive, 'connectionString'>;

  constructor(binding: Pick<Hyperdrive, 'connectionString'>) {
    this.#binding = binding;
  }

  send(message: Sql): Promise<Reply> {
    return sendThrough(createClient(this.#binding.connectionString, 1), message.text);
  }
}
