import { Connection } from './connection.ts';
import { deadline, type Reply, tooManyAtOnce, unavailable } from './database.ts';
import { FairQueue, type Turn } from './fair-queue.ts';

const bounds = { places: 10, share: 5, waiting: 500, waitingOfOne: 100 };
/** Milliseconds a message waits for a connection. */
const patience = 3000;
/** Milliseconds between two looks at who has waited for too long. */
const lookEvery = 250;

/** A message that waits for its answer. */
interface Flight {
  /** Milliseconds since 1970. */
  until: number;
  giveUp: () => void;
}

/** Why a message was not sent. */
const refusals: Record<Exclude<Turn, 'taken'>, Reply> = {
  'too many': tooManyAtOnce,
  full: unavailable('POOL_FULL'),
  late: unavailable('POOL_BUSY'),
};

/**
 * A few open connections, and a fair queue before them. They belong to the context that sends the first message.
 *
 * One timer looks after all who wait: in an object, workerd keeps some 300 bytes of every timer for as long as the
 * object lives (measured: 200 MB more after 800,000 requests).
 */
export class Connections {
  readonly #url: string;
  readonly #queue = new FairQueue(bounds);
  /** Open, or lost since. The one used last is the next, so that the others need not be opened. */
  readonly #idle: Connection[] = [];
  readonly #flights = new Set<Flight>();
  #looking = false;

  constructor(url: string) {
    this.#url = url;
  }

  async send(text: string, sender: string): Promise<Reply> {
    const entered = this.#queue.enter(sender);
    const turn = entered === 'wait' ? await this.#wait(sender) : entered;
    if (turn !== 'taken') {
      return refusals[turn];
    }
    const connection = this.#takeConnection();
    try {
      return await this.#sendWithinDeadline(connection, text);
    } finally {
      this.#idle.push(connection);
      this.#queue.leave(sender);
    }
  }

  #wait(sender: string): Promise<Turn> {
    const { promise, resolve } = Promise.withResolvers<Turn>();
    this.#queue.wait(sender, { until: Date.now() + patience, resolve });
    return promise;
  }

  #takeConnection(): Connection {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.isLost) {
        return idle;
      }
    }
    return new Connection(this.#url);
  }

  async #sendWithinDeadline(connection: Connection, text: string): Promise<Reply> {
    const { promise: late, resolve } = Promise.withResolvers<Reply>();
    const flight: Flight = {
      until: Date.now() + deadline,
      giveUp: () => {
        connection.abandon();
        this.#abandonIdle();
        resolve(unavailable('DEADLINE'));
      },
    };
    this.#flights.add(flight);
    this.#look();
    const reply = await Promise.race([connection.send(text), late]);
    this.#flights.delete(flight);
    return reply;
  }

  /** What stuck one link may have stuck those that nobody has tried since; new ones cost little. */
  #abandonIdle(): void {
    for (const connection of this.#idle.splice(0)) {
      connection.abandon();
    }
  }

  /** Looks after those who wait until there is nobody: who waits for a connection waits for a flight to end. */
  async #look(): Promise<void> {
    if (this.#looking) {
      return;
    }
    this.#looking = true;
    while (this.#flights.size > 0) {
      await new Promise(resolve => setTimeout(resolve, lookEvery));
      const now = Date.now();
      this.#queue.giveUp(now);
      for (const flight of this.#flights) {
        if (flight.until <= now) {
          flight.giveUp();
        }
      }
    }
    this.#looking = false;
  }
}
