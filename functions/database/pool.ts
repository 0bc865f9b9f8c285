import { DurableObject } from 'cloudflare:workers';
import type { Message, Sql } from '../statement/sql.ts';
import { Connections } from './connections.ts';
import { type Database, lost, type Reply, type SentMessage, unavailable } from './database.ts';
import { IsolateChannel } from './isolate-channel.ts';

/** The database user of a pool: each has its own object. */
export type Login = 'api' | 'sweeper' | 'deliverer';

/** The addresses that the pools connect to, as `builder_api`, `builder_sweeper` and `builder_deliverer`. */
export interface PoolEnv {
  DATABASE_URL?: string;
  SWEEPER_DATABASE_URL?: string;
  DELIVERER_DATABASE_URL?: string;
}

/** The variable with the address of each. */
export const addressVariables = {
  api: 'DATABASE_URL',
  sweeper: 'SWEEPER_DATABASE_URL',
  deliverer: 'DELIVERER_DATABASE_URL',
} as const satisfies Record<Login, keyof PoolEnv>;

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

  async send(login: Login, message: SentMessage, callerKey: string): Promise<Reply> {
    this.#connections ??= this.#open(login);
    const reply = await this.#connections.send(message, callerKey);
    if (isFromPostgres(reply)) {
      this.#channel.refresh();
    }
    return reply;
  }

  /** Opens the connections of a login. Its address is set: without it the worker calls no pool. */
  #open(login: Login): Connections {
    const connections = new Connections(this.env[addressVariables[login]] ?? '');
    this.#channel.serve((message, callerKey) => connections.send(message, callerKey));
    channels.set(login, this.#channel);
    return connections;
  }
}

/** Whether a reply is rows or an error of Postgres. After anything else, the object and its channel may be gone. */
const isFromPostgres = (reply: Reply): boolean => reply.ok || reply.error.is === 'refused';

/** The worker's side of the pool. */
export class PooledDatabase implements Database {
  readonly #namespace: DurableObjectNamespace<DatabasePool>;
  readonly #login: Login;
  readonly #place: DurableObjectNamespaceGetDurableObjectOptions;

  constructor(
    namespace: DurableObjectNamespace<DatabasePool>,
    login: Login,
    place: DurableObjectNamespaceGetDurableObjectOptions,
  ) {
    this.#namespace = namespace;
    this.#login = login;
    this.#place = place;
  }

  async send(sql: Sql | Message, callerKey: string): Promise<Reply> {
    const message = toSent(sql);
    const channel = channels.get(this.#login);
    const reply = channel?.isFresh ? await channel.send(message, callerKey) : 'not accepted';
    return reply === 'not accepted' ? this.#call(message, callerKey) : reply;
  }

  async #call(message: SentMessage, callerKey: string): Promise<Reply> {
    try {
      return await this.#namespace
        .get(this.#namespace.idFromName(this.#login), this.#place)
        .send(this.#login, message, callerKey);
    } catch (error) {
      // The object ended with the message, unless it had too many calls to take another.
      const { message, overloaded } = error as Error & { overloaded?: true };
      return (overloaded ? unavailable : lost)(String(message));
    }
  }
}

/** Returns plain data, because a call to an object can't pass class instances. A statement outside a request is sent as text. */
function toSent(message: Sql | Message): SentMessage {
  if (!('statements' in message)) {
    return message.text;
  }
  const { comment, statements } = message;
  return {
    comment: comment.text === '' ? '' : `${comment.text}\n`,
    statements: statements.map(({ strings, values }) => ({ strings, values })),
  };
}
