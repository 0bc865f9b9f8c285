import { DurableObject } from 'cloudflare:workers';
import type { Sql } from '../statement/sql.ts';
import { Connections } from './connections.ts';
import { type Database, type Reply, unavailable } from './database.ts';
import { IsolateChannel } from './isolate-channel.ts';

/** The database user of a pool: each has its own object. */
export type Login = 'api' | 'sweeper';

/** The addresses that the pools connect to: as `builder_api`, and for the sweep as `builder_sweeper`. */
export interface PoolEnv {
  DATABASE_URL?: string;
  SWEEPER_DATABASE_URL?: string;
}

/** Channels to the pool objects that live in this isolate. On a single machine they all do. */
const channels = new Map<Login, IsolateChannel>();

/**
 * A few open connections that all requests of a machine share, for workerd outside Cloudflare. They are held by a
 * Durable Object, because a connection that a request opened ends with that request, while an object's lasts as long as
 * the object.
 */
export class DatabasePool extends DurableObject<PoolEnv> {
  #connections: Connections | undefined;
  readonly #channel = new IsolateChannel();

  async send(login: Login, text: string, callerKey: string): Promise<Reply> {
    const url = login === 'sweeper' ? this.env.SWEEPER_DATABASE_URL : this.env.DATABASE_URL;
    if (url === undefined) {
      return unavailable(`NO_${login.toUpperCase()}_DATABASE_URL`);
    }
    this.#connections ??= this.#open(login, url);
    const reply = await this.#connections.send(text, callerKey);
    if (isFromPostgres(reply)) {
      this.#channel.refresh();
    }
    return reply;
  }

  #open(login: Login, url: string): Connections {
    const connections = new Connections(url);
    this.#channel.serve((text, callerKey) => connections.send(text, callerKey));
    channels.set(login, this.#channel);
    return connections;
  }
}

/** Rows or an error of Postgres. After anything else, the object and its channel may be gone. */
const isFromPostgres = (reply: Reply): boolean => reply.ok || reply.error.is === 'refused';

/** The worker's side of the pool. */
export class PooledDatabase implements Database {
  readonly #namespace: DurableObjectNamespace<DatabasePool>;
  readonly #login: Login;

  constructor(namespace: DurableObjectNamespace<DatabasePool>, login: Login) {
    this.#namespace = namespace;
    this.#login = login;
  }

  async send(message: Sql, callerKey: string): Promise<Reply> {
    const channel = channels.get(this.#login);
    const reply = channel?.isFresh ? await channel.send(message.text, callerKey) : 'not accepted';
    return reply === 'not accepted' ? this.#call(message.text, callerKey) : reply;
  }

  async #call(text: string, callerKey: string): Promise<Reply> {
    try {
      return await this.#namespace
        .get(this.#namespace.idFromName(this.#login))
        .send(this.#login, text, callerKey);
    } catch (error) {
      return unavailable(String((error as Error).message));
    }
  }
}
