import { aliveStatement } from '../statement/alive.ts';
import { Connection } from './connection.ts';
import { databaseLimits } from './limits.ts';
import { PreparedStatements, ShapeCounts } from './prepared-statements.ts';

const { lifetime: usualLifetime } = databaseLimits.pool;

/** Fraction of its lifetime after which a connection is replaced in the background, so that no request waits for it. */
const replacedAfter = 0.9;

/** The open connections of a pool. Chooses the next connection, and replaces those near the end of their lifetime. */
export class OpenConnections {
  readonly #url: string;
  /** Lifetime of a connection in milliseconds. */
  readonly #lifetime: number;
  /** A stack of idle connections, some lost. Reusing the latest one keeps the number of open connections small. */
  #idle: Connection[] = [];
  #acquired: Connection[] = [];
  readonly #shapes = new ShapeCounts();
  #replacing = false;

  constructor(url: string, lifetime: number = usualLifetime) {
    this.#url = url;
    this.#lifetime = lifetime;
  }

  /** Returns an idle connection or a new one. The caller must release it. */
  acquire(): Connection {
    let connection = this.#idle.pop();
    while (connection && !this.#isUsable(connection)) {
      connection.abandon();
      connection = this.#idle.pop();
    }
    connection ??= this.#open();
    this.#acquired.push(connection);
    return connection;
  }

  /** Takes back a connection without a message in flight. */
  release(connection: Connection): void {
    this.#acquired = this.#acquired.filter(other => other !== connection);
    if (!this.#isUsable(connection)) {
      connection.abandon();
      return;
    }
    this.#idle.push(connection);
    if (connection.age >= replacedAfter * this.#lifetime) {
      this.#replace(connection);
    }
  }

  #open(): Connection {
    return new Connection(this.#url, new PreparedStatements(this.#shapes));
  }

  #isUsable(connection: Connection): boolean {
    return connection.mayCarryMore && connection.age < this.#lifetime;
  }

  /** Retires all connections: none that is open now carries another message. */
  retireAll(): void {
    for (const connection of this.#acquired) {
      connection.retire();
    }
    for (const connection of this.#idle.splice(0)) {
      connection.abandon();
    }
  }

  /** Opens a replacement; the old connection serves until it is ready. One at a time, so the pool exceeds its size by one at most. */
  async #replace(old: Connection): Promise<void> {
    if (this.#replacing) {
      return;
    }
    this.#replacing = true;
    const connection = this.#open();
    const { ok } = await connection.send(aliveStatement.text);
    this.#replacing = false;
    const isIdle = this.#idle.includes(old);
    // If it is neither idle nor acquired, its lifetime has ended, and a request has already opened another.
    const isWanted = ok && (isIdle || this.#acquired.includes(old));
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
