import { limits } from '../common/limits.ts';
import type { Connection, Lifetime } from './connection.ts';
import { isReadOnly, type Reply, type SentMessage, tooManyAtOnce, unavailable } from './database.ts';
import { FairQueue, type Outcome, type Waiter } from './fair-queue.ts';
import { OpenConnections } from './open-connections.ts';
import { terminate } from './terminate.ts';

const { connections: slots, connectionsOfCaller: share, waiters, waitersOfCaller } = limits.pool;
const bounds = { slots, share, waiters, waitersPerCaller: waitersOfCaller };
const { pipelineWindow: seats, pipelineWithin: youth } = limits.pool;
const { acquireTimeout: patience, checkInterval: lookEvery } = limits.pool;

/** A message that waits for its answer. */
interface Flight {
  hold: Hold;
  /** Milliseconds since 1970. */
  until: number;
  giveUp: () => void;
}

/** A connection in the hands of one sender. */
interface Hold {
  sender: string;
  connection: Connection;
  /** Messages under way on it. */
  taken: number;
  /** Since when it carries the first of them: milliseconds since 1970. */
  since: number;
  /** Messages that were given up while Postgres may have been at work on them. */
  givenUp: string[];
}

/** A message that waits for a connection: for one of its own, or for a seat behind another of its sender's. */
interface Passenger extends Waiter {
  board: (hold: Hold) => void;
}

/** Why a message was not sent. */
const refusals: Record<Exclude<Outcome, 'acquired'>, Reply> = {
  'too many': tooManyAtOnce,
  full: unavailable('POOL_FULL'),
  timeout: unavailable('POOL_BUSY'),
};

/**
 * A few open connections, and a fair queue before them. They belong to the context that sends the first message.
 *
 * Who has its share of them sends a second message behind the first of its own, never behind another's, while nobody
 * else waits: so Postgres need not wait for this thread between the two, nor this thread for each answer by itself. One
 * sender with 16 requests at once gets 14 % more updates and 21 % more single rows a second, for 13 and 16 % less CPU
 * here and 15 and 18 % less in Postgres (two cores, medians of 38 pairs of runs in turns). The risk: what ends the
 * connection ends both, the second waits for the first, and workerd's sockets don't all tell of an end with two
 * messages under way, which is why socket.ts has one of our own.
 *
 * One timer looks after all who wait: in an object, workerd keeps some 300 bytes of every timer for as long as the
 * object lives (measured: 200 MB more after 800,000 requests).
 */
export class Connections {
  readonly #url: string;
  readonly #queue = new FairQueue<Passenger>(bounds);
  readonly #open: OpenConnections;
  readonly #holds = new Set<Hold>();
  readonly #flights = new Set<Flight>();
  /** Places that are taken although nobody waits for an answer any more. */
  #terminating = 0;
  #looking = false;

  constructor(url: string, lifetime?: Lifetime) {
    this.#url = url;
    this.#open = new OpenConnections(url, lifetime);
  }

  async send(message: SentMessage, sender: string): Promise<Reply> {
    const hold = await this.#enter(sender);
    if ('ok' in hold) {
      return hold;
    }
    try {
      const reply = await this.#sendWithinDeadline(hold, message);
      if (isReadOnly(reply) || (!reply.ok && reply.error.is === 'unavailable')) {
        // What ended one connection may have ended the others as well; new ones cost little.
        this.#open.retireAll();
      }
      return reply;
    } finally {
      this.#leave(hold);
    }
  }

  #enter(sender: string): Hold | Reply | Promise<Hold | Reply> {
    const entered = this.#queue.acquire(sender);
    if (entered !== 'wait') {
      return entered === 'acquired' ? this.#hold(sender) : refusals[entered];
    }
    const shared = !this.#queue.hasWaiters && this.#findSeat(sender);
    return shared ? takeSeat(shared) : this.#wait(sender);
  }

  #wait(sender: string): Promise<Hold | Reply> {
    const { promise, resolve } = Promise.withResolvers<Hold | Reply>();
    this.#queue.wait(sender, {
      until: Date.now() + patience,
      resolve: outcome => resolve(outcome === 'acquired' ? this.#hold(sender) : refusals[outcome]),
      board: resolve,
    });
    return promise;
  }

  #hold(sender: string): Hold {
    const hold = { sender, connection: this.#open.acquire(), taken: 1, since: Date.now(), givenUp: [] };
    this.#holds.add(hold);
    this.#callNext(hold);
    return hold;
  }

  /** A place stays taken for as long as Postgres is at work for it. */
  async #leave(hold: Hold): Promise<void> {
    hold.taken -= 1;
    if (hold.taken > 0) {
      hold.since = Date.now();
      this.#callNext(hold);
      return;
    }
    this.#holds.delete(hold);
    this.#open.release(hold.connection);
    if (hold.givenUp.length > 0) {
      this.#terminating += 1;
      await terminate(this.#url, hold.givenUp);
      this.#terminating -= 1;
    }
    this.#queue.release(hold.sender);
  }

  #callNext(hold: Hold): void {
    if (this.#hasSeat(hold)) {
      this.#queue.shift(hold.sender)?.board(takeSeat(hold));
    }
  }

  #findSeat(sender: string): Hold | undefined {
    for (const hold of this.#holds) {
      if (hold.sender === sender && this.#hasSeat(hold)) {
        return hold;
      }
    }
    return undefined;
  }

  #hasSeat({ connection, taken, since }: Hold): boolean {
    return taken < seats && this.#open.isUsable(connection) && Date.now() - since < youth;
  }

  async #sendWithinDeadline(hold: Hold, message: SentMessage): Promise<Reply> {
    const { promise: late, resolve } = Promise.withResolvers<Reply>();
    const giveUp = () => {
      hold.givenUp.push(...hold.connection.inFlight);
      resolve(unavailable('DEADLINE'));
      hold.connection.abandon();
    };
    const flight: Flight = { hold, until: Date.now() + limits.database.deadline, giveUp };
    this.#flights.add(flight);
    this.#look();
    const reply = await Promise.race([hold.connection.send(message), late]);
    this.#flights.delete(flight);
    return reply;
  }

  /** Looks after those who wait until there is nobody: who waits for a place waits for one of these to end. */
  async #look(): Promise<void> {
    if (this.#looking) {
      return;
    }
    this.#looking = true;
    while (this.#flights.size > 0 || this.#terminating > 0) {
      await new Promise(resolve => setTimeout(resolve, lookEvery));
      const now = Date.now();
      this.#queue.timeOut(now);
      for (const flight of this.#flights) {
        if (flight.until <= now) {
          flight.giveUp();
        }
      }
    }
    this.#looking = false;
  }
}

function takeSeat(hold: Hold): Hold {
  hold.taken += 1;
  return hold;
}
