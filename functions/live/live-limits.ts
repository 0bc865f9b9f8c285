/** How much each user and network may have of what all sockets share. */
import { mib, minute, second } from '../common/limits.ts';

/** Live updates: sockets and messages. Beyond: the upgrade is 429 or 503, a join fails, or the socket closes with 1008. */
export const liveLimits = {
  /** Sockets of an object; `LIVE_OBJECTS` sets how many there are */
  sockets: 5000,
  /** Sockets of a network */
  socketsOfNetwork: 2500,
  /** Sockets of a user */
  socketsOfUser: 200,
  // Sockets of an object that have joined no channel. A new one replaces the oldest.
  unjoined: 1200,
  // Such sockets of a network; one more for each of its sockets that has joined.
  unjoinedOfNetwork: 25,
  // How long a network's count of joined sockets is kept after their end, and how many networks are kept.
  networkKeptFor: 60 * minute,
  networksKept: 15_000,
  // Upgrades that wait for a place of their network.
  waiting: 1200,
  // How long an upgrade waits for such a place before it gets 429.
  waitFor: 5 * second,
  // How long a socket that has not joined is kept while another of its network waits.
  undisturbed: 2 * second,
  /** Messages of a socket in 10 s */
  messages: 100,
  // Further messages for each of its channels.
  messagesOfChannel: 2,
  /** Messages of a user in 10 s */
  messagesOfUser: 1000,
  /** Sent on all open sockets of a user */
  bytesOfUser: 32 * mib,
  /** Sent to a user in 10 s; then it must read again */
  bytesOfUserWithin: 8 * mib,
  /** Sent to all users of an object in 10 s; then they must read again */
  bytesWithin: 64 * mib,
  bytesWindow: 10 * second,
} as const;
