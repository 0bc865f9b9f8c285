import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import type { Sql } from '../statement/sql.ts';
import { type Client, createClient, sendThrough } from './client.ts';
import type { Database, Reply } from './database.ts';

const connections = 10;
const queueLimit = 500;
/** Milliseconds a message waits for a connection. */
const patience = 3000;
/** Longer than a statement may run (`statement_timeout`), so that only a link that is stuck runs into it. */
const deadline = 10_000;

/**
 * A few open connections that all requests of a machine share, for workerd outside Cloudflare: a connection belongs
 * to the request that opened it, and to an object as long as the object lives.
 */
export class DatabasePool extends DurableObject<Env> {
  #client: Client | undefined;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  async send(login: Login, text: string): Promise<Reply> {
    if (this.#active >= connections) {
      if (this.#waiting.length >= queueLimit) {
        return { ok: false, error: { is: 'unavailable', reason: 'POOL_FULL' } };
      }
      if (!(await this.#turn())) {
        return { ok: false, error: { is: 'unavailable', reason: 'POOL_BUSY' } };
      }
    } else {
      this.#active += 1;
    }
    try {
      return await this.#sendWithinDeadline(login, text);
    } finally {
      const next = this.#waiting.shift();
      if (next) {
        next();
      } else {
        this.#active -= 1;
      }
    }
  }

  /** Waits for a connection; false when none came free in time. */
  #turn(): Promise<boolean> {
    return new Promise(resolve => {
      const take = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        resolve(false);
      }, patience);
      this.#waiting.push(take);
    });
  }

  async #sendWithinDeadline(login: Login, text: string): Promise<Reply> {
    const url = login === 'sweeper' ? this.env.SWEEPER_DATABASE_URL : this.env.DATABASE_URL;
    if (url === undefined) {
      return { ok: false, error: { is: 'unavailable', reason: `NO_${login.toUpperCase()}_DATABASE_URL` } };
    }
    this.#client ??= createClient(url, connections);
    const client = this.#client;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<Reply>(resolve => {
      timer = setTimeout(() => {
        this.#abandon(client);
        resolve({ ok: false, error: { is: 'unavailable', reason: 'DEADLINE' } });
      }, deadline);
    });
    const reply = await Promise.race([sendThrough(client, text), late]);
    clearTimeout(timer);
    return reply;
  }

  /** The link is stuck: the next message gets new connections, and nobody waits for the old ones to close. */
  #abandon(client: Client): void {
    if (this.#client === client) {
      this.#client = undefined;
    }
    client.end({ timeout: 0 }).catch(() => {});
  }
}

/** Whose connections: each login has an object of its own. */
export type Login = 'api' | 'sweeper';

/** The pool, seen from a worker. */
export class PooledDatabase implements Database {
  readonly #namespace: DurableObjectNamespace<DatabasePool>;
  readonly #login: Login;

  constructor(namespace: DurableObjectNamespace<DatabasePool>, login: Login) {
    this.#namespace = namespace;
    this.#login = login;
  }

  async send(message: Sql): Promise<Reply> {
    try {
      return await this.#namespace
        .get(this.#namespace.idFromName(this.#login))
        .send(this.#login, message.text);
    } catch (error) {
      return { ok: false, error: { is: 'unavailable', reason: String((error as Error).message) } };
    }
  }
}
