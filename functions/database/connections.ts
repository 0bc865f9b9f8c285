import { type Acquisition, FairQueue } from '../admission/fair-queue.ts';
import type { Connection } from './connection.ts';
import { isReadOnly, type Reply, type SentMessage, tooManyAtOnce, unavailable } from './database.ts';
import { databaseLimits } from './limits.ts';
import { OpenConnections } from './open-connections.ts';

const { acquireTimeout } = databaseLimits.pool;

/** Milliseconds between two checks of deadlines. */
const checkInterval = 250;

const bounds = {
  slots: databaseLimits.pool.connections,
  share: databaseLimits.pool.connectionsOfCaller,
  waiters: databaseLimits.pool.waiters,
  waitersPerCaller: databaseLimits.pool.waitersOfCaller,
};

/** A connection that serves a caller. */
interface Acquired {
  connection: Connection;
  /** The deadline of its message, in milliseconds since 1970. */
  until: number;
}

/** Why a message was not sent. */
const refusals: Record<Exclude<Acquisition, 'acquired'>, Reply> = {
  'too many': tooManyAtOnce,
  full: unavailable('POOL_FULL'),
  timeout: unavailable('POOL_BUSY'),
};

/**
 * A few open connections, and a fair queue before them. They belong to the context that sends the first message.
 *
 * One timer serves all deadlines: in a Durable Object workerd keeps some 300 bytes of every timer for as long as the
 * object lives (measured: 200 MB more after 800,000 requests).
 */
export class Connections {
  readonly #queue = new FairQueue(bounds);
  readonly #open: OpenConnections;
  /** Those with a message in flight. */
  readonly #inFlight = new Set<Acquired>();
  #checking = false;

  constructor(url: string, lifetime?: number) {
    this.#open = new OpenConnections(url, lifetime);
  }

  async send(message: SentMessage, callerKey: string): Promise<Reply> {
    const outcome = this.#queue.acquire(callerKey);
    const acquired = outcome === 'wait' ? await this.#wait(callerKey) : this.#serve(outcome);
    if ('ok' in acquired) {
      return acquired;
    }
    this.#inFlight.add(acquired);
    this.#checkDeadlines();
    try {
      const reply = await acquired.connection.send(message);
      if (isReadOnly(reply) || (!reply.ok && reply.error.is === 'unavailable')) {
        // What ended one connection may have ended the others as well; new ones cost little.
        this.#open.retireAll();
      }
      return reply;
    } finally {
      this.#inFlight.delete(acquired);
      this.#open.release(acquired.connection);
      this.#queue.release(callerKey);
    }
  }

  #wait(callerKey: string): Promise<Acquired | Reply> {
    const { promise, resolve } = Promise.withResolvers<Acquired | Reply>();
    this.#queue.wait(callerKey, {
      until: Date.now() + acquireTimeout,
      resolve: outcome => resolve(this.#serve(outcome)),
    });
    return promise;
  }

  #serve(outcome: Acquisition): Acquired | Reply {
    if (outcome !== 'acquired') {
      return refusals[outcome];
    }
    const until = Date.now() + databaseLimits.deadline;
    return { connection: this.#open.acquire(), until };
  }

  /** Runs while any message is in flight: a waiter waits for one of these to end. */
  async #checkDeadlines(): Promise<void> {
    if (this.#checking) {
      return;
    }
    this.#checking = true;
    while (this.#inFlight.size > 0) {
      await new Promise(resolve => setTimeout(resolve, checkInterval));
      const now = Date.now();
      this.#queue.timeOut(now);
      for (const acquired of this.#inFlight) {
        if (acquired.until <= now) {
          acquired.connection.abandon(unavailable('DEADLINE'));
        }
      }
    }
    this.#checking = false;
  }
}
