import { type Client, createClient, sendThrough } from './client.ts';
import type { Reply } from './database.ts';

const connections = 10;
const queueLimit = 500;
/** Milliseconds a message waits for a connection. */
const patience = 3000;
/** Longer than a statement may run (`statement_timeout`), so that only a link that is stuck runs into it. */
const deadline = 10_000;

/** A few open connections, and a bounded queue before them. They belong to the context that sends the first message. */
export class Connections {
  readonly #url: string;
  #client: Client | undefined;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async send(text: string): Promise<Reply> {
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
      return await this.#sendWithinDeadline(text);
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

  async #sendWithinDeadline(text: string): Promise<Reply> {
    this.#client ??= createClient(this.#url, connections);
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
