/** Limits of live updates. functions/LIMITS.md is written from this file; common/limits.ts says how. */
import { kib, mib, minute, second } from '../common/limits.ts';

/** Live updates. Beyond: a join fails with `CHANNEL_ERROR`, or the socket closes with 1008 or 1009 and its client reconnects. */
export const liveLimits = {
  // Objects that share the sockets where LIVE_OBJECTS sets no other number, and the most it may set.
  objects: 1,
  mostObjects: 100,

  /** Sockets of an object; `LIVE_OBJECTS` sets how many there are */
  sockets: 5000,
  /** Sockets of a network */
  socketsOfNetwork: 2500,
  /** Sockets of a user */
  socketsOfCaller: 200,
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
  /** Time to join a channel */
  joinTimeout: 10 * second,
  // Clients send a heartbeat every 25 to 30 s.
  /** Time without a heartbeat */
  silence: 90 * second,

  /** Channels of a socket */
  channels: 100,
  /** Channels of a user */
  channelsOfUser: 200,
  /** Bindings of a channel */
  bindings: 20,
  /** Bindings of a user */
  bindingsOfUser: 2000,
  /** Bindings of a channel, as JSON */
  bindingsLength: 16 * kib,
  /** Bindings of a user, as JSON */
  bindingsLengthOfUser: 256 * kib,
  /** Characters of a topic */
  topic: 255,
  // Characters of a message's reference.
  ref: 20,
  // Each is made for every row that the user sees.
  /** Different filters of a user */
  conditionsOfCaller: 100,
  /** Different lists of columns of a user */
  selectionsOfCaller: 10,

  /** Size of a message */
  message: 32 * kib,
  // Messages before a channel is joined, and their characters together.
  messagesBeforeJoin: 10,
  charactersBeforeJoin: 20 * kib,
  /** Joins with a token that is refused */
  refusedJoins: 2,
  // Messages that wait until those before them are handled, as when a client joins its channels, and their characters.
  waitingMessages: 250,
  waitingCharacters: 512 * kib,
  /** Messages of a socket in 10 s */
  messages: 100,
  // Further messages for each of its channels.
  messagesOfChannel: 2,
  /** Messages of a user in 10 s */
  messagesOfUser: 1000,
  messagesWithin: 10 * second,
  // A client gives up a join after 10 s, and some then ignore a later answer.
  answerWithin: 8 * second,
  // The highest first reference of a page that was not here before: the newest clients count up to 18 for five channels.
  freshRefs: 18,

  // Nothing proves that a client reads.
  /** Sent on a socket; its client then reconnects */
  bytesOfSocket: 16 * mib,
  /** Sent on all open sockets of a user */
  bytesOfUser: 32 * mib,
  /** Sent to a user in 10 s; then it must read again */
  bytesOfUserWithin: 8 * mib,
  /** Sent to all users of an object in 10 s; then they must read again */
  bytesWithin: 64 * mib,
  bytesWindow: 10 * second,

  // From the beginning of a reading of the feed to that of the next, in milliseconds, while anybody listens.
  interval: 500,
  // Lines of the feed in one answer, and of those the ones whose rows are read at once.
  lines: 5000,
  linesAtOnce: 250,
  // Callers that one message asks for, conditions in it, and callers whose accounts one message asks for.
  callers: 500,
  conditions: 200,
  callersOfJoins: 100,
  // After this time the accounts of a caller are asked for again.
  accountsFor: 5 * minute,
  /** Record that is sent whole; of a larger one, only the short values are sent */
  recordBytes: 64 * kib,
  // Bytes of the records in one answer.
  answerBytes: 4 * mib,
  // Milliseconds that a message reads rows: for one caller, for all its callers, and until Postgres stops it.
  callerShare: 100,
  readingTime: 250,
  readingTimeout: 500,
  // Milliseconds for a caller over its share, which is read last and by itself; and for all such callers of a round.
  aloneTime: 600,
  aloneTimeOfRound: 900,
  // Milliseconds that a reading waits for a lock: a migration holds it, and it is tried again.
  lockTimeout: 250,
  // Between two lines of the log, and after which a feed that was not read is late.
  reportInterval: minute,
  lateAfter: 10 * second,
  // How long an isolate remembers that nobody listens, and after which a nudge is lost.
  idleFor: second,
  nudgeTimeout: 2 * second,
} as const;
