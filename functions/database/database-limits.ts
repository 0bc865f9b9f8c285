/** Times and sizes of the ways to Postgres. */
import { minute, second } from '../common/limits.ts';

export const databaseLimits = {
  /** Seconds that connecting may take. */
  connectSeconds: 5,
  /** Milliseconds that a message may take: more than connecting and a statement, so that only a stuck link runs into it. */
  deadline: 11 * second,
  /** Milliseconds within which a connection must have been lost for another attempt, so that both end in time. */
  retryWithin: 2 * second,

  /** The connections that all requests of one machine share. */
  pool: {
    connections: 10,
    /** Connections that one caller has at most, so that the others find one. */
    connectionsOfCaller: 5,
    /** Messages that wait for a connection, of all callers and of one. */
    waiters: 500,
    waitersOfCaller: 100,
    /** Milliseconds that a message waits for a connection. */
    acquireTimeout: 3 * second,
    /** Milliseconds that a connection lives, so that a server that was replaced and still answers is left. */
    lifetime: 5 * minute,
  },

  /** Messages over Hyperdrive, in one isolate. */
  hyperdrive: {
    /** Messages of one caller: what three browsers send at once, and Hyperdrive's smallest plan has connections for. */
    ofCaller: 20,
    /** Hyperdrive bounds those of all. */
    ofAll: Number.POSITIVE_INFINITY,
    /** Milliseconds that a message counts as in flight: by then the database has stopped its statement. */
    term: 6 * second,
  },
} as const;
