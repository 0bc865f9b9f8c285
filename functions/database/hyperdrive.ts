import { Leases } from '../admission/leases.ts';
import type { Message, Sql } from '../statement/sql.ts';
import { Connection } from './connection.ts';
import { type Database, type Reply, tooManyAtOnce, unavailable } from './database.ts';
import { databaseLimits } from './limits.ts';

type Binding = Pick<Hyperdrive, 'connectionString'>;

/** Shared by all requests of this isolate. */
const leases = new Leases(databaseLimits.hyperdrive, databaseLimits.hyperdrive.term);

/**
 * Postgres through Hyperdrive: a connection per request, since a connection belongs to the request that opened it. It
 * is not ended, because that can hang on workerd; Hyperdrive reclaims it by itself.
 */
export class HyperdriveDatabase implements Database {
  readonly #binding: Binding;

  constructor(binding: Binding) {
    this.#binding = binding;
  }

  async send(message: Sql | Message, callerKey: string): Promise<Reply> {
    const lease = leases.take(callerKey, 1, Date.now());
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
 * Postgres through Hyperdrive for an object that outlives requests and for the sweep, whose connections nothing reclaims
 * soon. It has one, which its first message opens and `end` closes; messages take turns on it.
 */
export class HeldConnection implements Database {
  readonly #binding: Binding;
  #connection: Connection | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(binding: Binding) {
    this.#binding = binding;
  }

  send(message: Sql | Message): Promise<Reply> {
    const reply = this.#turn.then(() => this.#sendNow(message.text));
    this.#turn = reply;
    return reply;
  }

  /** Closes the connection when the messages before are answered; a later one opens another. */
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

/** Sends a message, and gives it up at the deadline. */
async function sendWithinDeadline(connection: Connection, text: string): Promise<Reply> {
  const timer = setTimeout(() => connection.abandon(unavailable('DEADLINE')), databaseLimits.deadline);
  const reply = await connection.send(text);
  clearTimeout(timer);
  return reply;
}
