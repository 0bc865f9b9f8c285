/** How much each user and network may have of what all sockets share. */
import { mib, second } from '../common/limits.ts';

/** Sockets and messages. Beyond: the upgrade is 429 or 503, a join fails, or the socket closes with 1008. */
export const liveLimits = {
  /** Sockets of each of the `LIVE_OBJECTS`; with `npm start` a quarter of `ulimit -n` */
  sockets: 5000,
  /** Sockets of a user */
  socketsOfUser: 200,
  // An office whose pages reconnect at once after a deployment has fewer.
  /** Sockets of a network that have joined no channel */
  unjoinedOfNetwork: 400,
  /** Messages of a socket in 10 s */
  messages: 100,
  // Further messages for each of its channels.
  messagesOfChannel: 2,
  // Messages of a user in 10 s.
  messagesOfUser: 1000,
  // Sent on all open sockets of a user.
  bytesOfUser: 32 * mib,
  /** Sent to a user in 10 s; then it must read again */
  bytesOfUserWithin: 8 * mib,
  // Sent to all users of an object in 10 s; then they must read again.
  bytesWithin: 64 * mib,
  bytesWindow: 10 * second,
} as const;
