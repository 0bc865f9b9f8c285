/**
 * What a request may cost: the numbers that bound one, where several modules, a README or sql/ use them. They are far above
 * what a page or a form asks for, and low enough that sixty at once are no burden. The README's cost model says what each is
 * good for. The errors' texts, OpenAPI and the README's tables follow these numbers, or a test compares them; so do the
 * numbers in sql/, which can't import them. The sizes of columns are in schema/.
 */
/** Units: bytes, and milliseconds. */
export const kib = 1024;
export const mib = 1024 * kib;
export const second = 1000;
export const minute = 60 * second;

export const limits = {
  /** The address and the headers. */
  request: {
    /** Characters of the whole URL. Cloudflare refuses those of more than 16 KiB in words of its own. */
    url: 16_000,
    /** Characters of each header that is read here. */
    header: 8000,
    /** Characters of an Idempotency-Key, which the database keeps for a day. */
    idempotencyKey: 255,
    /** Characters of a client's own x-request-id, which is in the log and before each statement. */
    requestId: 128,
  },

  /** How many requests a caller may make: wrangler.toml has the same numbers, since a binding doesn't tell its own. */
  rate: {
    /** Seconds over which Cloudflare counts; it knows 10 and 60. */
    periodSeconds: 10,
    /** Requests of an account. */
    account: 200,
    /** Requests of an address where nobody is signed in, which may be that of many. */
    address: 1000,
  },

  /** The query string. */
  query: {
    /** Filters, those in logic trees too. */
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
    /** Bytes of a name: Postgres cuts longer ones off, which could make two of them one. */
    nameBytes: 63,
    /** Characters of a value that is no text: a number, a time, a uuid. */
    scalar: 100,
    /** A number's exponent is smaller than this. */
    exponent: 1000,
    /** Characters of the filter by which the next page begins, in an address that must not become too long. */
    keyset: 4000,
  },

  /** Columns whose values are large: of each Postgres unpacks and copies up to 1 MiB whenever it is read. */
  largeColumn: {
    /** Bytes above which a column is large. */
    bytes: 64 * kib,
    /** How often large columns are read for one row. */
    reads: 8,
  },

  /** Operators that search. */
  search: {
    /** Full-text searches of a request, each of which takes the words of a text apart. */
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
    /** Symbols of all its regular expressions, with repetitions written out as Postgres does. */
    regexSymbols: 200,
    /** Anchors of all its regular expressions. */
    regexAnchors: 10,
  },

  /** The body of a request. */
  body: {
    bytes: mib,
    /** Bytes that are read of a body nobody uses, since many clients read the response only after they have sent it all. */
    discardedBytes: 8 * mib,
    /** Seconds within which all of it is here: 1 MiB at 1 Mbit/s takes 9. */
    arrivalSeconds: 10,
    rows: 20_000,
    /** Levels of lists and objects, one in the other. */
    levels: 500,
    /** Lists and objects, each of which takes Postgres 700 bytes where it has two. */
    lists: 50_000,
    /** Values in lists and objects, each of which takes Postgres 170 bytes. */
    values: 250_000,
    /** Characters of a number before its exponent. */
    numberLength: 1000,
    /** Digits of an exponent: Postgres keeps 1e131071 in ten bytes, and writes it out in 131,072. */
    exponentDigits: 2,
    /** Fields of a form, and names in the first line of CSV. */
    columns: 200,
    /** Characters of CSV's rows as JSON, in which each row names its columns again. */
    csvAsJson: 4 * mib,
    /** Bytes of a body that needs no place in the memory of large ones. */
    smallBytes: 64 * kib,
    /** Bytes of large bodies in an isolate's memory at once. */
    inMemory: { ofAll: 8 * mib, ofCaller: 4 * mib },
    /** Characters that an error shows of a field's path, and of the value that is there. */
    shownPath: 100,
    shownValue: 60,
  },

  response: {
    /** Rows, where MAX_ROWS sets no other number. */
    rows: 1000,
    bytes: 16 * mib,
    /** Bytes where the order is that of a large column, or of a step into one. */
    sortedBytes: 8 * mib,
    /** Bytes of one row: Postgres takes seven times as much to make one, and four times the response in the end. */
    rowBytes: 3 * mib,
    /** Bytes of a response that is made without a place in the memory of large ones. */
    smallBytes: 512 * kib,
    /** Bytes of large responses in an isolate's memory at once. */
    inMemory: { ofAll: 24 * mib, ofCaller: 16 * mib },
    /** Seconds within which a client has read a large response. */
    readSeconds: 30,
  },

  /** The memory that large bodies and responses share. */
  memory: {
    /**
     * Milliseconds after which memory counts as free although nobody released it, since workerd drops a request whose client
     * hung up. No request lasts as long.
     */
    term: minute,
    /** Milliseconds that a large body or response waits for memory. */
    acquireTimeout: 3 * second,
  },

  /** Messages to Postgres, by whatever way. */
  database: {
    /** Milliseconds that a statement may run. */
    statementTimeout: 5 * second,
    /** Seconds that connecting may take. */
    connectSeconds: 5,
    /** Milliseconds a message may take: longer than connecting and a statement may, so that only a stuck link runs into it. */
    deadline: 11 * second,
    /** Milliseconds between two checks of Postgres that a message's connection is still open. */
    checkInterval: second,
    /** Milliseconds within which a connection must have been lost for another attempt, so that both end in time. */
    retryWithin: 2 * second,
  },

  /** The connections that all requests of one machine share. */
  pool: {
    connections: 10,
    /** Connections that one caller has at most, so that the others find one. */
    connectionsOfCaller: 5,
    /** Messages that wait for a connection, of all callers and of one. */
    waiters: 500,
    waitersOfCaller: 100,
    /** Milliseconds a message waits for a connection. */
    acquireTimeout: 3 * second,
    /** Milliseconds of a connection, so that a server that was replaced and still answers is left. */
    lifetime: 5 * minute,
  },

  /** Messages over Hyperdrive, in one isolate. */
  hyperdrive: {
    /** Messages of one caller: what three browsers send at once, and Hyperdrive's smallest plan has connections for. */
    ofCaller: 20,
    /** Hyperdrive bounds those of all. */
    ofAll: Number.POSITIVE_INFINITY,
    /** Milliseconds a message counts as in flight: by then the database has stopped its statement. */
    term: 6 * second,
  },

  /** Access tokens. */
  token: {
    /** Bytes; longer ones are refused unread. */
    bytes: 8192,
    /** Seconds by which clocks may differ. */
    clockTolerance: 30,
  },

  /** Records of Idempotency-Keys, which sql/ bounds. */
  idempotency: {
    /** Keys of a customer within a day. */
    keysOfCustomer: 10_000,
    /** Bodies of responses that are kept for a caller: those of its newest keys. */
    bodiesOfCaller: 64,
    /** Bytes of a body that is kept. */
    bodyBytes: 64 * kib,
  },

  /** Numbers that next_quote_number offers, which sql/ bounds. */
  quoteNumbers: {
    /** Numbers offered to a customer within a year, which has 99,999. */
    ofCustomer: 5000,
  },

  /** E-mail that leaves. */
  mail: {
    /** Characters of the sender's name, and of a subject. */
    senderName: 100,
    subject: 120,
    /** Milliseconds of an attempt until its message was sent, and from then on until the reply (RFC 5321, 4.5.3.2.6). */
    attempt: 30 * second,
    reply: 10 * minute,
    /** Milliseconds between a message and its final dot: a connection that ends within them has not delivered it. */
    beforeDot: 100,
    /** Milliseconds that saying goodbye to a relay may take, or starting over after it refused a mail. */
    goodbye: 2 * second,
    /** Bytes of one reply of a relay. */
    replyBytes: 64 * kib,
    /** Characters that are kept of why something was not delivered. */
    reason: 300,
  },

  /** Calls of webhooks. */
  webhook: {
    /** Characters of a URL. */
    url: 2048,
    /** Milliseconds for a call, until it is answered. */
    timeout: 15 * second,
    /** Bytes that are read of an answer that is no success, and characters that are kept of it. */
    answerBytes: 2 * kib,
    reason: 300,
    /** Seconds for which a receiver may put off the next attempt. */
    retryAfterSeconds: 24 * 60 * 60,
    /** Secrets of a webhook: the new one, and the old one while its receiver is changed over. */
    secrets: 2,
  },

  /** The worker that delivers. */
  delivery: {
    /** Mails side by side, each in a session of its own, and calls of webhooks. */
    sessions: 4,
    callsAtOnce: 5,
    /** Mails in 24 hours, of all accounts, where MAIL_PER_DAY sets no other number. */
    mailsADay: 2000,
    /** Milliseconds from a write to the run that delivers what it said, in which other writes join it. */
    nudgeDelay: second,
    /** Milliseconds for which an isolate relies on the run that it asked for. */
    nudgedFor: 900,
    /** Milliseconds between two looks for what is due while something is being sent, and that a run waits until it is. */
    lookInterval: second,
    /** Milliseconds between two runs when nothing is known to be due, and when something is that can't be claimed yet. */
    idleInterval: minute,
    shortestInterval: second,
    /** Milliseconds until the next run after one in which the database could not be asked. */
    retryInterval: 10 * second,
    /** Milliseconds after which an alarm that has not run is set again. */
    overdueAlarm: 5 * second,
  },

  /** The scheduled job. */
  sweep: {
    /** Rows of one statement, so that it holds its locks for a moment. */
    batch: 500,
    /** Milliseconds of a run; the next one goes on where it stopped. */
    time: minute,
    /** Ids of failed rows that a line of the log names. */
    logged: 20,
  },
} as const;
