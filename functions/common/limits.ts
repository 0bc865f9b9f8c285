/**
 * Limits that more than one stage uses, far above what a page or a form asks for. Each stage's own are in its `limits.ts` or in
 * the file that uses them, the sizes of columns in schema/.
 *
 * A doc comment of a limit is a line of functions/LIMITS.md, which a test writes: those that clients reach.
 */
export const kib = 1024;
export const mib = 1024 * kib;
/** Milliseconds. */
export const second = 1000;
export const minute = 60 * second;

export const limits = {
  /** Requests of a caller. Beyond: 429 `PT429`, `Retry-After: 10`. */
  // wrangler.toml has the same numbers, since a binding doesn't report its own.
  rate: {
    // Cloudflare counts over 10 or 60 s.
    /** Window, counted in each Cloudflare location, over all collections */
    periodSeconds: 10,
    /** Requests of an account */
    account: 200,
    /** Requests of an IP address (IPv6: /64; a Worker: its zone) without a user; of a secret or read key; to `/health` or `/offer` */
    address: 1000,
  },

  /** The URL. Beyond: 414 `PT414`; of the headers 431 `PT431`, 400 `PT400`. */
  request: {
    // Cloudflare refuses a URL of more than 16 KiB with a response of its own.
    /** Characters of the URL */
    url: 16_000,
    // Characters of a header that the service reads.
    header: 8000,
    // Characters of an `Idempotency-Key`.
    idempotencyKey: 255,
    // Characters of an `x-request-id`; a longer one is replaced.
    requestId: 128,
  },

  /** The query string. Beyond: 400 `PGRST100`, of a sort `54000`. */
  query: {
    /** Filters */
    filters: 200,
    /** Levels of `and` and `or` */
    treeLevels: 32,
    /** Values of `in.(…)` */
    listValues: 1000,
    /** Columns of a response */
    outputs: 100,
    /** Embedded relations */
    embeddings: 10,
    /** Levels of embedded relations */
    embeddedLevels: 3,
    // Postgres keeps that of each row while it sorts.
    /** Size of a value of a large column by which rows are sorted or grouped */
    sortedBytes: 4 * kib,
    // Columns in `order`.
    orderTerms: 50,
    // Names in `columns`, and in `on_conflict`.
    listedColumns: 200,
    // Casts.
    casts: 20,
    // Steps of a JSON path.
    jsonSteps: 32,
    // Bytes of a name. Postgres truncates longer ones, which could make two names equal.
    nameBytes: 63,
    // Characters of a number, time or uuid in a filter.
    scalar: 100,
    // A number's exponent is smaller than this.
    exponent: 1000,
    // The filter by which the next page begins, in an address that must not become too long.
    keyset: 4000,
  },

  /** The body. Beyond: 413 `PGRST102`, of its JSON 400 `PGRST100`, in time 408 `PT408`. */
  body: {
    /** Size */
    bytes: mib,
    // Bytes read and dropped of an unused body: many clients read the response only after they have sent everything.
    discardedBytes: 8 * mib,
    // 1 MiB at 1 Mbit/s takes 9.
    /** Time to arrive */
    arrivalSeconds: 10,
    /** Rows */
    rows: 20_000,
    /** Size of a body over 64 KiB, times the rows that the filter of its PATCH matches; else 400 `54000` */
    ofRows: 16 * mib,
    // Levels of JSON.
    levels: 500,
    // Each takes Postgres 700 bytes where it has two values.
    // Lists and objects of JSON.
    lists: 50_000,
    // Each takes Postgres 170 bytes.
    // Values of JSON.
    values: 250_000,
    // Characters of a number before its exponent.
    numberLength: 1000,
    // Postgres keeps 1e131071 in ten bytes, and writes it out in 131,072.
    // Digits of an exponent.
    exponentDigits: 2,
    // Columns of CSV, and fields of a form.
    columns: 200,
    // Characters of CSV, converted to JSON.
    csvAsJson: 4 * mib,
    // Characters that an error shows of a field's path, and of the value that is there.
    shownPath: 100,
    shownValue: 60,
  },

  // Large bodies in memory at once; others wait. Beyond: 503 `PT503`, 429 `PT429`.
  largeBodies: {
    // A body is large above.
    above: 64 * kib,
    // Of all callers.
    ofAll: 8 * mib,
    // Of a caller.
    ofCaller: 4 * mib,
  },

  /** The response. Beyond: 400 `54000`, and nothing is written; of rows, the first ones and a `Link` to the next page. */
  response: {
    /** Rows, unless `MAX_ROWS` is set; where an embedded list has more, the status is 206, and `.range(…, { referencedTable })` reads on */
    rows: 1000,
    /** Size */
    bytes: 16 * mib,
    // Postgres takes seven times as much to make a row, and four times the response in the end.
    /** Size of a row */
    rowBytes: 3 * mib,
  },

  /** Large responses in memory at once; others wait. Beyond: 503 `PT503`, 429 `PT429`. */
  largeResponses: {
    // A response is large above.
    above: 512 * kib,
    // Of all callers.
    ofAll: 24 * mib,
    // Of a caller.
    ofCaller: 16 * mib,
    /** Time until the client has read it */
    readSeconds: 30,
  },

  // The memory that large bodies and responses share.
  memory: {
    // Unreleased memory counts as free after this time, since workerd drops a request whose client hung up.
    // No request lasts as long.
    term: minute,
    // How long a large body or response waits for memory.
    acquireTimeout: 3 * second,
  },

  /** The database. Beyond: 504 `57014`. */
  database: {
    /** Time of a statement */
    statementTimeout: 5 * second,
  },

  /** Access tokens. Beyond: 401 `PGRST301`. */
  token: {
    /** Bytes */
    bytes: 8192,
    // Seconds by which clocks may differ.
    clockTolerance: 30,
  },

  /** Idempotency-Keys. Beyond: 429 `PT429`. */
  // sql/ has the same numbers.
  idempotency: {
    /** Keys of a customer in a day */
    keysOfCustomer: 10_000,
    /** Newest keys whose response body is kept; others get only the headers */
    bodiesOfCaller: 64,
    // Size of a response body that is kept.
    bodyBytes: 64 * kib,
  },

  /** Quote numbers. Beyond: 429 `PT429`. */
  // sql/ has the same numbers. A year has 99,999.
  quoteNumbers: {
    /** Numbers offered to a customer in a year, and to all anonymous accounts together */
    ofCustomer: 5000,
    /** The last numbers of a year, which customers are not offered: 409 `PT409` */
    forStaff: 5000,
  },

  /** Links of offers. Beyond: 409 `PT409`, of the end 400 `23514`. */
  // sql/ has the same numbers.
  links: {
    /** Live links of a quote, besides those of mails */
    ofQuote: 20,
    /** Ended links of a quote by which nobody answered; a new link removes the oldest */
    ended: 100,
    /** Days until a link ends */
    days: 90,
  },
} as const;
