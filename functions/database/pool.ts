import { DurableObject } from 'cloudflare:workers';
import type { Message, Sql } from '../statement/sql.ts';
import { Connections } from './connections.ts';
import { type Database, type Reply, type SentMessage, unavailable } from './database.ts';
import { Hatch } from './isolate-channel.ts';

/** Whose connections: each login has an object of its own. */
export type Login = 'api' | 'sweeper';

/** Where the pools connect to: as `builder_api`, and the sweep's as `builder_sweeper`. */
export interface PoolEnv {
  DATABASE_URL?: string;
  SWEEPER_DATABASE_URL?: string;
}

/** Ways to the objects that live in this isolate, which on one machine all do. */
const hatches = new Map<Login, Hatch>();

/**
 * A few open connections that all requests of a machine share, for workerd outside Cloudflare: a connection belongs
 * to the request that opened it, and to an object as long as the object lives.
 */
export class DatabasePool extends DurableObject<PoolEnv> {
  #connections: Connections | undefined;
  readonly #hatch = new Hatch();

  async send(login: Login, message: SentMessage, sender: string): Promise<Reply> {
    const url = login === 'sweeper' ? this.env.SWEEPER_DATABASE_URL : this.env.DATABASE_URL;
    if (url === undefined) {
      return unavailable(`NO_${login.toUpperCase()}_DATABASE_URL`);
    }
    this.#connections ??= this.#open(login, url);
    const reply = await this.#connections.send(message, sender);
    if (isAnswer(reply)) {
      this.#hatch.refresh();
    }
    return reply;
  }

  #open(login: Login, url: string): Connections {
    const connections = new Connections(url);
    this.#hatch.serve((message, sender) => connections.send(message, sender));
    hatches.set(login, this.#hatch);
    return connections;
  }
}

/** Postgres answered: rows, or why not. Anything else may have ended the object, and with it its hatch. */
const isAnswer = (reply: Reply): boolean => reply.ok || reply.error.is === 'refused';

/** The pool, seen from a worker. */
export class PooledDatabase implements Database {
  readonly #namespace: DurableObjectNamespace<DatabasePool>;
  readonly #login: Login;

  constructor(namespace: DurableObjectNamespace<DatabasePool>, login: Login) {
    this.#namespace = namespace;
    this.#login = login;
  }

  async send(sql: Sql | Message, sender: string): Promise<Reply> {
    const message = toSent(sql);
    const hatch = hatches.get(this.#login);
    const handed = hatch?.isFresh ? await hatch.send(message, sender) : 'untouched';
    return handed === 'untouched' ? this.#call(message, sender) : handed;
  }

  async #call(message: SentMessage, sender: string): Promise<Reply> {
    try {
      return await this.#namespace
        .get(this.#namespace.idFromName(this.#login))
        .send(this.#login, message, sender);
    } catch (error) {
      return unavailable(String((error as Error).message));
    }
  }
}

/** Plain data, since a call to an object takes no instances. A statement outside a request is sent as its text. */
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
