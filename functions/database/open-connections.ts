import { Connection } from './connection.ts';
import { databaseLimits } from './database-limits.ts';
import { PreparedStatements } from './prepared-statements.ts';

const { lifetime: usualLifetime } = databaseLimits.pool;

/** The open connections of a pool. Chooses the next connection, and closes those at the end of their lifetime. */
export class OpenConnections {
  readonly #url: string;
  /** Lifetime of a connection in milliseconds. */
  readonly #lifetime: number;
  /** A stack of idle connections, some lost. Reusing the latest one keeps the number of open connections small. */
  #idle: Connection[] = [];
  #acquired: Connection[] = [];

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
    connection ??= new Connection(this.#url, new PreparedStatements());
    this.#acquired.push(connection);
    return connection;
  }

  /** Takes back a connection without a message in flight. */
  release(connection: Connection): void {
    this.#acquired = this.#acquired.filter(other => other !== connection);
    if (this.#isUsable(connection)) {
      this.#idle.push(connection);
    } else {
      connection.abandon();
    }
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
}
