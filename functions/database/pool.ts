import { DurableObject } from 'cloudflare:workers';
import type { DatabaseAddresses } from '../common/env.ts';
import { Connections } from './connections.ts';
import { type Database, lost, type Reply, type SentMessage, unavailable } from './database.ts';
import { readDatabaseUrl } from './database-address.ts';
import { IsolateChannel } from './isolate-channel.ts';
import type { Message } from './sql.ts';

/** The database user of a pool. Each has its own object. */
export type Login = 'api' | 'jobs';

/** The variable with the connection string of each login. */
export const addressVariables = {
  api: 'DATABASE_URL',
  jobs: 'JOBS_DATABASE_URL',
} as const satisfies Record<Login, keyof DatabaseAddresses>;

/** Channels to the pool objects in this isolate. On a single machine all of them are. */
const channels = new Map<Login, IsolateChannel>();

/**
 * A pool of connections that all requests share, for the worker `all`, which has no Hyperdrive. A Durable Object holds them,
 * because a connection that a request opens ends with the request, and an object's lasts as long as the object.
 */
export class DatabasePool extends DurableObject<DatabaseAddresses> {
  /** Or why there can be none. */
  #connections: Connections | string | undefined;
  readonly #channel = new IsolateChannel();

  async send(login: Login, message: SentMessage, callerKey: string): Promise<Reply> {
    this.#connections ??= this.#open(login);
    if (typeof this.#connections === 'string') {
      return unavailable(this.#connections);
    }
    const reply = await this.#connections.send(message, callerKey);
    if (isFromPostgres(reply)) {
      this.#channel.refresh();
    }
    return reply;
  }

  /** Opens the connections of a login. Its connection string is set; otherwise the worker does not call the pool. */
  #open(login: Login): Connections | string {
    const name = addressVariables[login];
    const url = this.env[name] ?? '';
    const address = readDatabaseUrl(url, 'worker', name);
    if (!address.ok) {
      return address.failure;
    }
    const connections = new Connections(url);
    this.#channel.serve((message, callerKey) => connections.send(message, callerKey));
    channels.set(login, this.#channel);
    return connections;
  }
}

/** Whether a reply has rows or an error of Postgres. After any other reply, the object and its channel may be gone. */
const isFromPostgres = (reply: Reply): boolean => reply.ok || reply.error.is === 'refused';

/** The worker's side of the pool. */
export class PooledDatabase implements Database {
  readonly #namespace: DurableObjectNamespace<DatabasePool>;
  readonly #login: Login;
  readonly #place: DurableObjectNamespaceGetDurableObjectOptions;

  constructor(
    namespace: DurableObjectNamespace,
    login: Login,
    place: DurableObjectNamespaceGetDurableObjectOptions,
  ) {
    this.#namespace = namespace as DurableObjectNamespace<DatabasePool>;
    this.#login = login;
    this.#place = place;
  }

  async send(sent: Message, callerKey: string): Promise<Reply> {
    const message = toSent(sent);
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
      // Either the object was overloaded and refused the call, or it ended with the message in flight.
      const { message, overloaded } = error as Error & { overloaded?: true };
      return (overloaded ? unavailable : lost)(String(message));
    }
  }
}

/** Converts a message to plain data, because a call to an object can't pass class instances. */
function toSent({ comment, statements }: Message): SentMessage {
  return {
    comment: comment.text === '' ? '' : `${comment.text}\n`,
    statements: statements.map(({ strings, values }) => ({ strings, values })),
  };
}
