import { aliveStatement } from '../statement/alive.ts';
import { Connection } from './connection.ts';
import { databaseLimits } from './limits.ts';
import { PreparedStatements, ShapeCounts } from './prepared-statements.ts';

const { lifetime: usualLifetime } = databaseLimits.pool;

/** The part of its lifetime after which a connection is replaced, before a request would have to wait for that. */
const replacedAfter = 0.9;

/** The open connections of a pool: chooses the next one, and replaces those at the end of their lifetime. */
export class OpenConnections {
  readonly #url: string;
  /** Milliseconds that a connection is used. */
  readonly #lifetime: number;
  /** Open, or lost while idle. The one used last is used next, so that as few as possible are open. */
  #idle: Connection[] = [];
  #acquired: Connection[] = [];
  readonly #shapes = new ShapeCounts();
  #replacing = false;

  constructor(url: string, lifetime: number = usualLifetime) {
    this.#url = url;
    this.#lifetime = lifetime;
  }

  /** Returns an idle connection, or a new one; to be released. */
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

  /** Takes a connection back on which no message is in flight. */
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

  /** Retires all: no connection that is open now carries another message. */
  retireAll(): void {
    for (const connection of this.#acquired) {
      connection.retire();
    }
    for (const connection of this.#idle.splice(0)) {
      connection.abandon();
    }
  }

  /** Opens a replacement; the old one serves until it is ready. One at a time, so that at most one connection is too many. */
  async #replace(old: Connection): Promise<void> {
    if (this.#replacing) {
      return;
    }
    this.#replacing = true;
    const connection = this.#open();
    const { ok } = await connection.send(aliveStatement.text);
    this.#replacing = false;
    const isIdle = this.#idle.includes(old);
    // If it is neither idle nor acquired, its lifetime ended in the meantime and a request has opened another in its place.
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
