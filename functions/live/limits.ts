/** What live updates bound: per socket, user, network, and for all. The README's table of limits follows these numbers. */
const kib = 1024;
const mib = 1024 * kib;
const second = 1000;
const minute = 60 * second;

export const liveLimits = {
  /** Objects that share the sockets where LIVE_OBJECTS sets no other number, and the most it may set. */
  objects: 1,
  mostObjects: 100,

  /** Sockets of an object, of one network, and of one user. */
  sockets: 5000,
  socketsOfNetwork: 2500,
  socketsOfCaller: 200,
  /** Sockets that have joined no channel: of all; and of a network, which has a place more for each that has joined. */
  unjoined: 1200,
  unjoinedOfNetwork: 25,
  /** Milliseconds for which a network's count of joined sockets is kept after their end, and networks that are kept. */
  networkKeptFor: 60 * minute,
  networksKept: 15_000,
  /** Upgrades that wait for a place of their network, and the milliseconds that one waits. */
  waiting: 1200,
  waitFor: 5 * second,
  /** Milliseconds after which a socket that has not joined is closed, when another of its network waits, and in any case. */
  undisturbed: 2 * second,
  joinTimeout: 10 * second,
  /** Milliseconds without a heartbeat, which clients send every 25 to 30 s. */
  silence: 90 * second,

  /** Channels of a socket and of a user. */
  channels: 100,
  channelsOfUser: 200,
  /** Bindings of a channel and of a user, and the characters of their JSON. */
  bindings: 20,
  bindingsOfUser: 2000,
  bindingsLength: 16 * kib,
  bindingsLengthOfUser: 256 * kib,
  /** Characters of a topic, and of a reference of a message. */
  topic: 255,
  ref: 20,
  /** Conditions and lists of columns of a user, over all of its channels: each is made for every row it sees. */
  conditionsOfCaller: 100,
  selectionsOfCaller: 10,

  /** Characters of a message from a client. */
  message: 32 * kib,
  /** Before a channel is joined: messages, their characters, and joins with a token that are refused. */
  messagesBeforeJoin: 10,
  charactersBeforeJoin: 20 * kib,
  refusedJoins: 2,
  /** Messages that wait until those before them are handled, as when a client joins its channels, and their characters. */
  waitingMessages: 250,
  waitingCharacters: 512 * kib,
  /** Messages within so many milliseconds: of a socket, so many more for each of its channels, and of a user. */
  messages: 100,
  messagesOfChannel: 2,
  messagesOfUser: 1000,
  messagesWithin: 10 * second,
  /** Milliseconds within which a join is answered: a client gives up after 10 s, and some then ignore a later answer. */
  answerWithin: 8 * second,
  /** The highest first reference of a page that was not here before: the newest clients count up to 18 for five channels. */
  freshRefs: 18,

  /** Bytes sent on a socket until it is replaced, and on all of a user's that have not ended: nothing proves that it reads. */
  bytesOfSocket: 16 * mib,
  bytesOfUser: 32 * mib,
  /** Bytes sent to a user, and to all, within so many milliseconds: beyond that a client must read again. */
  bytesOfUserWithin: 8 * mib,
  bytesWithin: 64 * mib,
  bytesWindow: 10 * second,

  /** Milliseconds from the beginning of a reading of the feed to that of the next, while anybody listens. */
  interval: 500,
  /** Lines of the feed in one answer, and of those the ones whose rows are read at once. */
  lines: 5000,
  linesAtOnce: 250,
  /** Callers that one message asks for, conditions in it, and callers whose accounts one message asks for. */
  callers: 500,
  conditions: 200,
  callersOfJoins: 100,
  /** Milliseconds after which the accounts of a caller are asked for again. */
  accountsFor: 5 * minute,
  /** Bytes of a record that is sent whole, and of the records in one answer. */
  recordBytes: 64 * kib,
  answerBytes: 4 * mib,
  /** Milliseconds that a message reads rows: for one caller, for all its callers, and until Postgres stops it. */
  callerShare: 100,
  readingTime: 250,
  readingTimeout: 500,
  /** Milliseconds for a caller whose share was too short, which is read for alone and last; and for all such of a round. */
  aloneTime: 600,
  aloneTimeOfRound: 900,
  /** Milliseconds that a reading waits for a lock: a migration holds it, and it is tried again. */
  lockTimeout: 250,
  /** Milliseconds between two lines of the log, and after which a feed that was not read is late. */
  reportInterval: minute,
  lateAfter: 10 * second,
  /** Milliseconds for which an isolate remembers that nobody listens, and after which a nudge is lost. */
  idleFor: second,
  nudgeTimeout: 2 * second,
} as const;

/** Counts messages or bytes within windows of time. */
export class WindowCounter {
  readonly #milliseconds: number;
  #began = 0;
  #count = 0;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  get count(): number {
    return Date.now() - this.#began > this.#milliseconds ? 0 : this.#count;
  }

  add(amount: number): void {
    const { count } = this;
    this.#began = count === 0 ? Date.now() : this.#began;
    this.#count = count + amount;
  }
}
