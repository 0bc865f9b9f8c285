/** How the object asks the database. Over Hyperdrive it has connections only while it has sockets. */
import type { Env } from '../common/env.ts';
import { execute } from '../database/execute.ts';
import { HeldConnection } from '../database/hyperdrive.ts';
import type { Ask } from './feed.ts';
import type { Sockets } from './sockets.ts';

export class LiveDatabase {
  readonly #env: Env;
  readonly #sockets: Sockets;
  /** The connections over Hyperdrive. */
  readonly #held: HeldConnection[] = [];

  constructor(env: Env, sockets: Sockets) {
    this.#env = env;
    this.#sockets = sockets;
  }

  /** Returns a way to ask that waits for no other, with a connection of its own over Hyperdrive. */
  asker(): Ask {
    const env = this.#env;
    const held = env.HYPERDRIVE && new HeldConnection(env.HYPERDRIVE);
    if (held) {
      this.#held.push(held);
    }
    return async message => {
      const rows = await execute(message, env, { login: 'api', callerKey: 'live', repeatable: true, held });
      this.endUnused();
      return rows;
    };
  }

  /** Ends the connections with the last socket, also when somebody's message was under way then. */
  endUnused(): void {
    if (this.#sockets.size === 0) {
      for (const connection of this.#held) {
        connection.end();
      }
    }
  }
}
