import { monotonicNow } from '../common/monotonic.ts';
import { Connection } from './connection.ts';
import { type Database, type Reply, tooManyAtOnce, unavailable } from './database.ts';
import { databaseLimits } from './database-limits.ts';
import { Leases } from './leases.ts';
import type { Message } from './sql.ts';

type Binding = Pick<Hyperdrive, 'connectionString'>;

/** The leases of all requests in this isolate. */
const leases = new Leases(databaseLimits.hyperdrive, databaseLimits.hyperdrive.term);

/**
 * Postgres through Hyperdrive: a connection per request, since a connection belongs to the request that opened it. It is not
 * closed, because closing can hang on workerd; Hyperdrive reclaims it.
 */
export class HyperdriveDatabase implements Database {
  readonly #binding: Binding;

  constructor(binding: Binding) {
    this.#binding = binding;
  }

  async send(message: Message, callerKey: string): Promise<Reply> {
    const lease = leases.take(callerKey, 1, monotonicNow());
    if (typeof lease === 'string') {
      return tooManyAtOnce;
    }
    const { connectionString } = this.#binding;
    const reply = await sendWithinDeadline(new Connection(connectionString), message.text);
    leases.release(lease);
    return reply;
  }
}

/**
 * Postgres through Hyperdrive for the sweep and for objects that outlive requests, whose connections are not reclaimed soon.
 * The first message opens the only connection, messages take turns on it, and `end` closes it.
 */
export class HeldConnection implements Database {
  readonly #binding: Binding;
  #connection: Connection | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(binding: Binding) {
    this.#binding = binding;
  }

  send(message: Message): Promise<Reply> {
    const reply = this.#turn.then(() => this.#sendNow(message.text));
    this.#turn = reply;
    return reply;
  }

  /** Closes the connection after the pending messages. A later message opens another. */
  end(): void {
    this.#turn = this.#turn.then(() => {
      this.#connection?.abandon();
      this.#connection = undefined;
    });
  }

  #sendNow(text: string): Promise<Reply> {
    const { connectionString } = this.#binding;
    if (!this.#connection?.mayCarryMore) {
      this.#connection?.abandon();
      this.#connection = new Connection(connectionString);
    }
    return sendWithinDeadline(this.#connection, text);
  }
}

/** Sends a message, and abandons it at the deadline. */
async function sendWithinDeadline(connection: Connection, text: string): Promise<Reply> {
  const timer = setTimeout(() => connection.abandon(unavailable('DEADLINE')), databaseLimits.deadline);
  const reply = await connection.send(text);
  clearTimeout(timer);
  return reply;
}
