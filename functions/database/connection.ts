/**
 * One connection: one simple-protocol message in, rows or an error as data out. The driver connects, authenticates and sends
 * the first message, by its documented interface but for the socket (socket.ts) and the origin of a query. Over Hyperdrive it
 * sends every message; a pool's connection sends the later ones itself (simple-query.ts).
 */
import { Buffer } from 'node:buffer';
import postgres from 'postgres';
import { monotonicNow } from '../common/monotonic.ts';
import { type DatabaseError, lost, type Reply, type Row, refused, type SentMessage } from './database.ts';
import { databaseAddress } from './database-address.ts';
import { databaseLimits } from './database-limits.ts';
import { type Socket, socketOption } from './postgres-socket.ts';
import { inlineText, isPreparedFailure, type PreparedStatements } from './prepared-statements.ts';
import { endsReply, queryBytes, ReplyReader } from './simple-query.ts';

/** Values stay text: Postgres has already built the response body. */
const asText = {
  to: 0,
  from: [16, 20, 21, 23, 114, 700, 701, 1082, 1114, 1184, 1700, 3802],
  serialize: String,
  parse: (text: string) => text,
};

/**
 * Carries one message at a time. The first message opens it, and it belongs to the context that sends that message. A lost
 * connection is not reopened: the driver's backoff would last up to 20 s, even when the database is available again.
 */
export class Connection {
  readonly #client: postgres.Sql;
  readonly #began = monotonicNow();
  #mayCarryMore = true;
  readonly #prepared: PreparedStatements | undefined;
  /** Settles the message in flight. */
  #pending: ((reply: Reply) => void) | undefined;
  #socket: Socket | undefined;
  /** Whether the last chunk that arrived ends a reply. */
  #isAtEnd = false;
  /** Reads the replies in the driver's place. */
  #reader: ReplyReader | undefined;
  #isAbandoned = false;

  /** `prepared` requires a session of its own: no pooler may share it. */
  constructor(url: string, prepared?: PreparedStatements) {
    this.#prepared = prepared;
    const address = databaseAddress(url);
    this.#client = postgres(address.url, {
      ...address.options,
      max: 1,
      fetch_types: false,
      // With a name, a pooler that resets sessions would set it again before each message: a second round trip.
      connection: { application_name: '' },
      connect_timeout: databaseLimits.connectSeconds,
      idle_timeout: 0,
      max_lifetime: null,
      onnotice: () => {},
      types: { text: asText },
      ssl: false,
      socket: socketOption(address.tls, socket => this.#watch(socket)),
    } as postgres.Options<{ text: postgres.PostgresType }>);
  }

  /** Whether it may carry another message, being neither retired nor lost. */
  get mayCarryMore(): boolean {
    return this.#mayCarryMore;
  }

  /** Milliseconds since it was created. */
  get age(): number {
    return monotonicNow() - this.#began;
  }

  /** Sends a message. The reply has the rows of its last statement that returns columns. Never rejects. */
  async send(message: SentMessage): Promise<Reply> {
    if (typeof message === 'string') {
      return this.#sendText(message);
    }
    if (this.#prepared === undefined) {
      return this.#sendText(inlineText(message));
    }
    const text = this.#prepared.render(message);
    const reply = await this.#sendText(text);
    const sqlstate = reply.ok || reply.error.is !== 'refused' ? undefined : reply.error.sqlstate;
    const inline = isPreparedFailure(sqlstate) ? inlineText(message) : text;
    if (inline === text) {
      return reply;
    }
    // The failed message was one transaction, so it had no effect.
    if (this.#prepared.forget(message, sqlstate) === 'outdated') {
      this.retire();
    }
    return this.#sendText(inline);
  }

  #sendText(text: string): Promise<Reply> {
    if (this.#pending) {
      throw new TypeError('A connection carries one message at a time');
    }
    if (this.#isAbandoned) {
      return Promise.resolve(lost('CONNECTION_ENDED'));
    }
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#pending = resolve;
    if (this.#reader) {
      this.#socket?.write(queryBytes(text));
    } else {
      this.#sendByDriver(text);
    }
    return promise;
  }

  /** Every error that does not come from Postgres ends the connection; of Postgres's errors, FATAL and PANIC do. */
  async #sendByDriver(text: string): Promise<void> {
    try {
      const result: unknown = await withoutOrigin(this.#client.unsafe(text).simple());
      this.#replaceDriver();
      this.#settle({ ok: true, rows: lastRows(result as StatementResult | StatementResult[]) });
    } catch (error) {
      this.#settle({ ok: false, error: describe(error) });
      if (!(error instanceof postgres.PostgresError) || error.severity !== 'ERROR') {
        this.abandon();
      }
    }
  }

  /** Lets a ReplyReader read a pool's connection from now on, unless the driver already holds a part of what comes next. */
  #replaceDriver(): void {
    if (this.#prepared && this.#isAtEnd) {
      const reader = new ReplyReader();
      // The driver keeps the last chunk, in which a large reply may be: an empty one replaces it.
      this.#socket?.emit('data', Buffer.alloc(0));
      this.#socket?.removeAllListeners('data').on('data', chunk => this.#read(chunk, reader));
      this.#reader = reader;
    }
  }

  #read(chunk: Buffer, reader: ReplyReader): void {
    const read = reader.read(chunk);
    if (!this.#pending) {
      this.retire();
    }
    if (read) {
      this.#settle(read.reply);
    }
    if (read?.isLast) {
      this.abandon();
    }
  }

  /** Settles the message in flight, if it was not abandoned. */
  #settle(reply: Reply): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.(reply);
  }

  /** Accepts no further message; the one in flight still gets its reply. */
  retire(): void {
    this.#mayCarryMore = false;
  }

  /** Closes the connection at once. The message in flight fails with this reply, and Postgres cancels it. */
  abandon(reply = lost('CONNECTION_CLOSED')): void {
    this.#isAbandoned = true;
    this.#mayCarryMore = false;
    this.#settle(reply);
    this.#client.end({ timeout: 0 }).catch(() => {});
  }

  #watch(socket: Socket): void {
    this.#socket = socket;
    socket
      .on('data', (chunk: Uint8Array) => {
        // An unsolicited reply retires the connection: the driver would take it for a part of the next reply.
        this.#mayCarryMore &&= this.#pending !== undefined;
        this.#isAtEnd = endsReply(chunk);
      })
      .once('close', () => {
        this.#mayCarryMore = false;
        // Later, so that the driver reports the reason first if it knows one.
        setTimeout(() => this.abandon());
      });
  }
}

/**
 * Gives a query an `origin` of its own. The driver's getter, which is read for each error, would keep the query's text, with
 * the values in it, for as long as the isolate lives.
 */
const withoutOrigin = <Query extends object>(query: Query): Query =>
  Object.defineProperty(query, 'origin', { value: '' });

interface StatementResult extends Array<Row> {
  columns?: unknown[];
}

/** Returns the rows of the last statement. The driver resolves a single statement to its rows, and several to an array. */
function lastRows(result: StatementResult | StatementResult[]): Row[] {
  const statements = 'columns' in result ? [result as StatementResult] : (result as StatementResult[]);
  const last = statements.findLast(
    statement => statement.columns !== undefined && statement.columns.length > 0,
  );
  // Behind rows and an error the driver begins the next result with holes, one for each of those rows.
  return (last ?? []).filter(Boolean);
}

/** The error codes of the driver and of Node for a lost connection. */
const lossCodes = ['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE'];

function describe(error: unknown): DatabaseError {
  if (error instanceof postgres.PostgresError) {
    const { code, message, detail: details, hint, constraint_name: constraint, column_name: column } = error;
    return refused(code, message, { details, hint, constraint, column });
  }
  const { code, message, isLost } = error as { code?: string; message?: string; isLost?: true };
  const wasLost = isLost ?? lossCodes.includes(code ?? '');
  return { is: 'unavailable', reason: code ?? message ?? 'unknown', ...(wasLost && { lost: true }) };
}
