/**
 * Limits on the cost of a request. Only limits that several modules, a README or sql/ share are here. They are far above the
 * needs of a page or a form, and low enough for sixty requests at once. The README's cost model explains each. Error texts,
 * OpenAPI and the README's tables use these numbers. A test compares the copies in sql/. Column sizes are in schema/.
 */
/** Units: bytes, and milliseconds. */
export const kib = 1024;
export const mib = 1024 * kib;
export const second = 1000;
export const minute = 60 * second;

export const limits = {
  /** The address and the headers. */
  request: {
    /** Characters of the whole URL. Cloudflare itself refuses URLs over 16 KiB. */
    url: 16_000,
    /** Characters of each header that is read here. */
    header: 8000,
    /** Characters of an Idempotency-Key, which the database keeps for a day. */
    idempotencyKey: 255,
    /** Characters of a client's x-request-id, which appears in the log and before each statement. */
    requestId: 128,
  },

  /** Rate limits. wrangler.toml repeats the numbers, since a binding does not expose its own. */
  rate: {
    /** The period over which Cloudflare counts, in seconds: 10 or 60. */
    periodSeconds: 10,
    /** Requests of an account. */
    account: 200,
    /** Requests of an address, from callers who are not signed in. Many users may share an address. */
    address: 1000,
  },

  /** The query string. */
  query: {
    /** Filters, including those in logic trees. */
    filters: 200,
    /** Levels of a logic tree. */
    treeLevels: 32,
    /** Values between the parentheses of `in`: as many as a page has rows. */
    listValues: 1000,
    /** Columns to order by. */
    orderTerms: 50,
    /** Names in `columns` and in `on_conflict`. */
    listedColumns: 200,
    /** Columns of a response, and items of `select`: more than a collection has. */
    outputs: 100,
    /** Casts of a request. */
    casts: 20,
    /** Steps of a path into the JSON of a column. */
    jsonSteps: 32,
    /** Bytes of a name. Postgres truncates longer ones, so two could become equal. */
    nameBytes: 63,
    /** Characters of a value other than text: a number, a time, a uuid. */
    scalar: 100,
    /** Exclusive upper bound of a number's exponent. */
    exponent: 1000,
    /** Characters of the keyset filter in the URL of the next page. */
    keyset: 4000,
  },

  /** Large columns. Postgres unpacks and copies up to 1 MiB on each read of one. */
  largeColumn: {
    /** Bytes above which a column is large. */
    bytes: 64 * kib,
    /** Reads of large columns per row. */
    reads: 8,
  },

  /** Operators that search. */
  search: {
    /** Full-text searches of a request. Each parses the words of a text. */
    textSearches: 10,
    /** Parentheses of a full-text query. */
    parentheses: 100,
    /** Negations in a row in a full-text query. */
    negations: 30,
    /** Characters that `like` and `ilike` compare for one row: pattern × text, of all filters. Takes 0.3 s. */
    patternWork: 200_000_000,
    /** Elements of arrays that `cs`, `cd` and `ov` look for in arrays. */
    containedElements: 100,
    /** Regular expressions of a request. */
    regexes: 10,
    /** Symbols of all its regular expressions, with repetitions expanded as in Postgres. */
    regexSymbols: 200,
    /** Anchors of all its regular expressions. */
    regexAnchors: 10,
  },

  /** The body of a request. */
  body: {
    bytes: mib,
    /** Bytes of a discarded body that are read, since many clients read the response only after sending the whole body. */
    discardedBytes: 8 * mib,
    /** Seconds for the whole body to arrive: 1 MiB at 1 Mbit/s takes 9. */
    arrivalSeconds: 10,
    rows: 20_000,
    /** Levels of nested lists and objects. */
    levels: 500,
    /** Lists and objects. One with two members takes 700 bytes in Postgres. */
    lists: 50_000,
    /** Values in lists and objects. Each takes 170 bytes in Postgres. */
    values: 250_000,
    /** Characters of a number before its exponent. */
    numberLength: 1000,
    /** Digits of an exponent: Postgres stores 1e131071 in ten bytes, but prints 131,072 digits. */
    exponentDigits: 2,
    /** Fields of a form, and names in the first line of CSV. */
    columns: 200,
    /** Characters of CSV's rows as JSON, where each row repeats the column names. */
    csvAsJson: 4 * mib,
    /** Bytes of a body that needs no lease on memory. */
    smallBytes: 64 * kib,
    /** Bytes of large bodies in an isolate's memory at once. */
    inMemory: { ofAll: 8 * mib, ofCaller: 4 * mib },
    /** Characters of a field's path and of its value that an error shows. */
    shownPath: 100,
    shownValue: 60,
  },

  response: {
    /** Rows, unless MAX_ROWS sets another limit. */
    rows: 1000,
    bytes: 16 * mib,
    /** Bytes of a response that is sorted by a large column or a step into one. */
    sortedBytes: 8 * mib,
    /** Bytes of one row. Postgres uses seven times as much to build it, and four times the response in the end. */
    rowBytes: 3 * mib,
    /** Bytes of a response that needs no lease on memory. */
    smallBytes: 512 * kib,
    /** Bytes of large responses in an isolate's memory at once. */
    inMemory: { ofAll: 24 * mib, ofCaller: 16 * mib },
    /** Seconds for a client to read a large response. */
    readSeconds: 30,
  },

  /** The memory that large bodies and responses share. */
  memory: {
    /**
     * Term of a lease on memory, in milliseconds. Leases expire because workerd drops a request whose client hung up, and then
     * no code releases the lease. Every request is shorter than this.
     */
    term: minute,
    /** Milliseconds that a large body or response waits for memory. */
    acquireTimeout: 3 * second,
  },

  /** Messages to Postgres, through Hyperdrive or the pool. */
  database: {
    /** Milliseconds that a statement may run. */
    statementTimeout: 5 * second,
    /** Timeout of connecting, in seconds. */
    connectSeconds: 5,
    /** Timeout of a message, in milliseconds. It exceeds connecting plus a statement, so only a stuck link reaches it. */
    deadline: 11 * second,
    /** Milliseconds between Postgres's checks that the client's connection is still open. */
    checkInterval: second,
    /** A lost connection is retried only if it was lost within these milliseconds, so that both attempts end in time. */
    retryWithin: 2 * second,
  },

  /** The connections that all requests of one machine share. */
  pool: {
    connections: 10,
    /** Connections of one caller, so that some are left for others. */
    connectionsOfCaller: 5,
    /** Messages that wait for a connection, in total and per caller. */
    waiters: 500,
    waitersOfCaller: 100,
    /** Milliseconds a message waits for a connection. */
    acquireTimeout: 3 * second,
    /** Lifetime of a connection in milliseconds. It bounds the use of a server that was replaced but still replies. */
    lifetime: 5 * minute,
  },

  /** Messages over Hyperdrive, in one isolate. */
  hyperdrive: {
    /** Messages of one caller: as many as three browsers send at once, and as Hyperdrive's smallest plan has connections. */
    ofCaller: 20,
    /** Hyperdrive itself bounds the total. */
    ofAll: Number.POSITIVE_INFINITY,
    /** Milliseconds a message counts as in flight. By then the database has cancelled its statement. */
    term: 6 * second,
  },

  /** Access tokens. */
  token: {
    /** Bytes; longer tokens are refused unread. */
    bytes: 8192,
    /** Allowed clock skew in seconds. */
    clockTolerance: 30,
  },

  /** Records of Idempotency-Keys; sql/ enforces these limits. */
  idempotency: {
    /** Keys of a customer within a day. */
    keysOfCustomer: 10_000,
    /** Response bodies stored for a caller: those of its newest keys. */
    bodiesOfCaller: 64,
    /** Bytes of a stored body. */
    bodyBytes: 64 * kib,
  },

  /** Numbers that next_quote_number offers; sql/ enforces this limit. */
  quoteNumbers: {
    /** Numbers offered to a customer within a year, out of 99,999. */
    ofCustomer: 5000,
  },

  /** Outgoing e-mail. */
  mail: {
    /** Characters of the sender's name, and of a subject. */
    senderName: 100,
    subject: 120,
    /** Timeouts in milliseconds: until the message is sent, and then until the reply (RFC 5321, 4.5.3.2.6). */
    attempt: 30 * second,
    reply: 10 * minute,
    /** Milliseconds between a message and its final dot. A connection that ends in between has not delivered the message. */
    beforeDot: 100,
    /** Timeout of QUIT and of RSET after a refused mail, in milliseconds. */
    goodbye: 2 * second,
    /** Bytes of one reply of a relay. */
    replyBytes: 64 * kib,
    /** Characters of a stored failure reason. */
    reason: 300,
  },

  /** Calls of webhooks. */
  webhook: {
    /** Characters of a URL. */
    url: 2048,
    /** Timeout of a call in milliseconds. */
    timeout: 15 * second,
    /** Bytes of an unsuccessful response that are read, and characters of it that are stored. */
    responseBytes: 2 * kib,
    reason: 300,
    /** Longest Retry-After that is honoured, in seconds. */
    retryAfterSeconds: 24 * 60 * 60,
    /** Secrets of a webhook: the new one and, during rotation, the old one. */
    secrets: 2,
  },

  /** The worker that delivers. */
  delivery: {
    /** Concurrent SMTP sessions, and concurrent webhook calls. */
    sessions: 4,
    callsAtOnce: 5,
    /** Mails of all accounts in 24 hours, unless MAIL_PER_DAY sets another limit. */
    mailsADay: 2000,
    /** Debounce in milliseconds: writes this soon after a nudge are delivered by the same run. */
    nudgeDelay: second,
    /** Milliseconds after a nudge in which an isolate sends no further one. */
    nudgedFor: 900,
    /** Milliseconds between polls for due deliveries while others are being sent, and the longest wait of a run for them. */
    lookInterval: second,
    /** Milliseconds between runs: when nothing is known to be due, and when something due can't be claimed yet. */
    idleInterval: minute,
    shortestInterval: second,
    /** Milliseconds until the next run when the database was unavailable. */
    retryInterval: 10 * second,
    /** Milliseconds after which an overdue alarm counts as lost and is set again. */
    overdueAlarm: 5 * second,
  },

  /** The scheduled job. */
  sweep: {
    /** Rows of one statement, so that it holds its locks only briefly. */
    batch: 500,
    /** Milliseconds of a run; the next run continues where it stopped. */
    time: minute,
    /** Ids of failed rows in a line of the log. */
    logged: 20,
  },
} as const;
