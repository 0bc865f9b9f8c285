import { type Client, createClient, sendThrough } from './client.ts';
import type { Reply } from './database.ts';

const connections = 10;
const queueLimit = 500;
/** Milliseconds a message waits for a connection. */
const patience = 3000;
/** Longer than a statement may run (`statement_timeout`), so that only a link that is stuck runs into it. */
const deadline = 10_000;
/** Milliseconds between two looks at who has waited for too long. */
const lookEvery = 250;

/** Somebody who waits, for a connection or for an answer. */
interface Waiting {
  /** Milliseconds since 1970. */
  until: number;
  giveUp: () => void;
}

/**
 * A few open connections, and a bounded queue before them. They belong to the context that sends the first message.
 *
 * One timer looks after all who wait: in an object, workerd keeps some 300 bytes of every timer for as long as the
 * object lives (measured: 200 MB more after 800,000 requests).
 */
export class Connections {
  readonly #url: string;
  #client: Client | undefined;
  #active = 0;
  readonly #queue: (Waiting & { take: () => void })[] = [];
  readonly #flights = new Set<Waiting>();
  #looking = false;

  constructor(url: string) {
    this.#url = url;
  }

  async send(text: string): Promise<Reply> {
    if (this.#active >= connections) {
      if (this.#queue.length >= queueLimit) {
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
      const next = this.#queue.shift();
      if (next) {
        next.take();
      } else {
        this.#active -= 1;
      }
    }
  }

  /** Waits for a connection; false when none came free in time. */
  #turn(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const giveUp = () => resolve(false);
    this.#queue.push({ until: Date.now() + patience, giveUp, take: () => resolve(true) });
    this.#look();
    return promise;
  }

  async #sendWithinDeadline(text: string): Promise<Reply> {
    this.#client ??= createClient(this.#url, connections);
    const client = this.#client;
    const { promise: late, resolve } = Promise.withResolvers<Reply>();
    const flight: Waiting = {
      until: Date.now() + deadline,
      giveUp: () => {
        this.#abandon(client);
        resolve({ ok: false, error: { is: 'unavailable', reason: 'DEADLINE' } });
      },
    };
    this.#flights.add(flight);
    this.#look();
    const reply = await Promise.race([sendThrough(client, text), late]);
    this.#flights.delete(flight);
    return reply;
  }

  /** Looks after those who wait until there is nobody. */
  async #look(): Promise<void> {
    if (this.#looking) {
      return;
    }
    this.#looking = true;
    while (this.#flights.size > 0) {
      await new Promise(resolve => setTimeout(resolve, lookEvery));
      const now = Date.now();
      while (this.#queue[0] && this.#queue[0].until <= now) {
        this.#queue.shift()?.giveUp();
      }
      for (const flight of this.#flights) {
        if (flight.until <= now) {
          flight.giveUp();
        }
      }
    }
    this.#looking = false;
  }

  /** The link is stuck: the next message gets new connections, and nobody waits for the old ones to close. */
  #abandon(client: Client): void {
    if (this.#client === client) {
      this.#client = undefined;
    }
    client.end({ timeout: 0 }).catch(() => {});
  }
}
