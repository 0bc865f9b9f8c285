import { healthStatement } from '../statement/health.ts';
import { PreparedStatements, ShapeCounts } from '../statement/prepared-statements.ts';
import { Connection, type Lifetime } from './connection.ts';

/**
 * Five minutes, so that a server that was replaced and still answers is left. 5,000 messages, since Postgres remembers
 * every set of column names that a statement put into JSON for as long as a session lives: 4 KB for 20 columns. A new
 * connection takes 4 ms of CPU here and 5 in Postgres, less than 2 µs for each message of the old one (measured).
 */
const usualLifetime: Lifetime = { messages: 5000, milliseconds: 300_000 };
/** The part of its lifetime after which a connection is replaced, before a request would have to wait for that. */
const replacedAfter = 0.9;

/** The open connections of a pool: which one is next, and when one has served for long enough. */
export class OpenConnections {
  readonly #url: string;
  readonly #lifetime: Lifetime;
  /** Open, or lost since. The one used last is the next, so that the others need not be opened. */
  #idle: Connection[] = [];
  readonly #acquired = new Set<Connection>();
  readonly #shapes = new ShapeCounts();
  #replacing = false;

  constructor(url: string, lifetime = usualLifetime) {
    this.#url = url;
    this.#lifetime = lifetime;
  }

  /** An idle one, or a new one; to be given back. */
  acquire(): Connection {
    let connection = this.#idle.pop();
    while (connection && !this.isUsable(connection)) {
      connection.abandon();
      connection = this.#idle.pop();
    }
    connection ??= this.#open();
    this.#acquired.add(connection);
    return connection;
  }

  /** Once nothing is under way on it. */
  release(connection: Connection): void {
    this.#acquired.delete(connection);
    if (!this.isUsable(connection)) {
      connection.abandon();
      return;
    }
    this.#idle.push(connection);
    if (connection.age(this.#lifetime) >= replacedAfter) {
      this.#replace(connection);
    }
  }

  #open(): Connection {
    return new Connection(this.#url, new PreparedStatements(this.#shapes));
  }

  /** For another message. */
  isUsable(connection: Connection): boolean {
    return !connection.isLost && connection.age(this.#lifetime) < 1;
  }

  /** None that is open now is for another message. */
  retireAll(): void {
    for (const connection of this.#acquired) {
      connection.retire();
    }
    for (const connection of this.#idle.splice(0)) {
      connection.abandon();
    }
  }

  /** The old one serves until the new one is open. One at a time, so that there is no more than one too many. */
  async #replace(old: Connection): Promise<void> {
    if (this.#replacing) {
      return;
    }
    this.#replacing = true;
    const connection = this.#open();
    const { ok } = await connection.send(healthStatement.text);
    this.#replacing = false;
    const isIdle = this.#idle.includes(old);
    // If it is neither, it was spent in the meantime, and a request has opened another in its place.
    const isWanted = ok && (isIdle || this.#acquired.has(old));
    old.retire();
    if (isIdle) {
      this.#idle = this.#idle.filter(idle => idle !== old);
      old.abandon();
    }
    if (isWanted) {
      this.#idle.push(connection);
    } else {
      connection.abandon();
    }
  }
}
