/**
 * What a request may cost: every number that bounds one, far above what a page or a form asks for, and low enough that
 * sixty at once are no burden. The README's cost model says what each is good for.
 */
const kib = 1024;
const mib = 1024 * kib;

export const limits = {
  /** Characters of the whole URL. Cloudflare refuses those of more than 16 KiB in words of its own. */
  url: 16_000,

  /** Characters of each header that is read here. */
  header: 8000,
  /** In one query string, those in logic trees too, and levels of those. */
  filters: 200,
  treeLevels: 32,
  /** Between the parentheses of `in`: as many as a page has rows. */
  listValues: 1000,
  orderTerms: 50,
  /** In `columns` and in `on_conflict`. */
  listedColumns: 200,
  /** Steps of a path into the JSON of a column. */
  jsonSteps: 32,
  /** Of a full-text query: parentheses, and negations in a row. */
  searchParentheses: 100,
  searchNegations: 30,

  /** Bytes of a body. */
  body: mib,
  /** Bytes of a body that is not used which are read all the same, or its client would not get to read the answer. */
  discarded: 8 * mib,
  /** Seconds within which all of a body is here: 1 MiB at 1 Mbit/s takes 9. */
  bodySeconds: 10,
  /** Rows of a body, and levels of lists and objects in it, one in the other. */
  bodyRows: 20_000,
  bodyLevels: 500,
  /** Lists and objects of a body, each of which takes Postgres 700 bytes where it has two, and values, at 170 bytes. */
  bodyLists: 50_000,
  bodyValues: 250_000,
  /** Characters of a number before its exponent. */
  numberLength: 1000,
  /** Postgres keeps 1e131071 in ten bytes, and writes it out in 131,072. */
  exponentDigits: 2,
  /** Fields of a form, and names in the first line of CSV. */
  bodyColumns: 200,
  /** Characters of CSV's rows as JSON, in which each row names its columns again. */
  csvAsJson: 4 * mib,
  /** Bytes of a body that needs no place among the large ones. */
  smallBody: 64 * kib,
  /** Bytes of all large bodies that an isolate has in memory at once, and of one caller's. */
  bodies: 8 * mib,
  bodiesOfCaller: 4 * mib,

  /** Characters of the filter by which the next page begins, in an address that must not become too long. */
  keyset: 4000,

  /** Bytes of an answer. */
  response: 16 * mib,
  /** The same where the order is that of a large column, or of a step into one. */
  sortedResponse: 8 * mib,
  /** Bytes of one row of it: Postgres takes seven times as much to make one, and four times the answer in the end. */
  responseRow: 3 * mib,
  /** Characters of an answer of the library that is kept for others; an isolate keeps 4 MiB of them. */
  cachedResponse: mib,
  /** Bytes of an answer that is made without a place among the large ones. */
  smallResponse: 512 * kib,
  /** Bytes of all large answers that an isolate has in memory at once, and of one caller's. */
  responses: 24 * mib,
  responsesOfCaller: 16 * mib,
  /** Milliseconds that a body or an answer waits for its place. */
  acquireTimeout: 3000,
  /** Seconds within which a client has read a large answer. */
  responseSeconds: 30,

  /** Columns of an answer, and items of `select`: more than a collection has. */
  outputs: 100,
  /** Casts of a request. */
  casts: 20,

  /** Bytes above which a column is large. */
  largeColumn: 64 * kib,
  /** How often large columns are read for one row: each time Postgres unpacks and copies up to 1 MiB. */
  largeReads: 8,
  /** Characters that `like` and `ilike` compare for one row: pattern × text, of all filters. 0.3 s. */
  patternWork: 200_000_000,
  /** Full-text searches, each of which takes the words of a text apart. */
  textSearches: 10,
  /** Elements of arrays that `cs`, `cd` and `ov` look for in arrays. */
  containedElements: 100,

  /** Regular expressions, symbols of one with its repetitions written out, and its anchors. */
  regexes: 10,
  regexSymbols: 200,
  regexAnchors: 10,

  /** Characters of a value that is no text: a number, a time, a uuid. */
  scalar: 100,

  /** Prepared statements of a connection: the builder sends five shapes, and Postgres keeps some 50 KB of each. */
  preparedStatements: 50,
  /** Characters of a statement, with those before it in its message, that is worth preparing. */
  preparedLength: 8000,
  /** Shapes of statements whose uses are counted. */
  countedShapes: 300,
} as const;
