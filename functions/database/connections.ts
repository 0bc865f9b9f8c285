import { monotonicNow } from '../common/monotonic.ts';
import type { Connection } from './connection.ts';
import { isReadOnly, type Reply, type SentMessage, tooManyAtOnce, unavailable } from './database.ts';
import { databaseLimits } from './database-limits.ts';
import { type Acquisition, FairQueue } from './fair-queue.ts';
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

/** A connection in use by a caller. */
interface Acquired {
  connection: Connection;
  /** The deadline of its message, by monotonicNow(). */
  until: number;
}

/** The replies to messages that were not sent. */
const refusals: Record<Exclude<Acquisition, 'acquired'>, Reply> = {
  'too many': tooManyAtOnce,
  full: unavailable('POOL_FULL'),
  timeout: unavailable('POOL_BUSY'),
};

/**
 * A pool of a few open connections behind a fair queue. They belong to the context that sends the first message.
 *
 * One timer serves all deadlines: in a Durable Object workerd keeps some 300 bytes of every timer for as long as the
 * object lives (measured: 200 MB more after 800,000 requests).
 */
export class Connections {
  readonly #queue = new FairQueue(bounds);
  readonly #open: OpenConnections;
  /** The connections with a message in flight. */
  readonly #inFlight = new Set<Acquired>();
  #checking = false;

  constructor(url: string, lifetime?: number) {
    this.#open = new OpenConnections(url, lifetime);
  }

  async send(message: SentMessage, callerKey: string): Promise<Reply> {
    const acquisition = this.#queue.acquire(callerKey);
    const acquired = acquisition === 'wait' ? await this.#wait(callerKey) : this.#serve(acquisition);
    if ('ok' in acquired) {
      return acquired;
    }
    this.#inFlight.add(acquired);
    this.#checkDeadlines();
    try {
      const reply = await acquired.connection.send(message);
      if (isReadOnly(reply) || (!reply.ok && reply.error.is === 'unavailable')) {
        // The others may be lost for the same reason, and new connections are cheap.
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
      until: monotonicNow() + acquireTimeout,
      resolve: acquisition => resolve(this.#serve(acquisition)),
    });
    return promise;
  }

  #serve(acquisition: Acquisition): Acquired | Reply {
    if (acquisition !== 'acquired') {
      return refusals[acquisition];
    }
    const until = monotonicNow() + databaseLimits.deadline;
    return { connection: this.#open.acquire(), until };
  }

  /** Runs while any message is in flight, since every waiter waits for one of these. */
  async #checkDeadlines(): Promise<void> {
    if (this.#checking) {
      return;
    }
    this.#checking = true;
    while (this.#inFlight.size > 0) {
      await new Promise(resolve => setTimeout(resolve, checkInterval));
      const now = monotonicNow();
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
