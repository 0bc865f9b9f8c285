/**
 * One connection: one simple-protocol message in, rows or an error as data out. It is the driver's, by its documented
 * interface but for the origin of a query; the socket is ours (postgres-socket.ts).
 */
import { Buffer } from 'node:buffer';
import postgres from 'postgres';
import { monotonicNow } from '../common/monotonic.ts';
import { type DatabaseError, lost, type Reply, type Row, type SentMessage } from './database.ts';
import { databaseAddress } from './database-address.ts';
import { databaseLimits } from './database-limits.ts';
import { type Socket, socketOption } from './postgres-socket.ts';
import { inlineText, type PreparedStatements, preparedFailures } from './prepared-statements.ts';

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
  #prepared: PreparedStatements | undefined;
  /** Settles the message in flight. */
  #pending: ((reply: Reply) => void) | undefined;
  #socket: Socket | undefined;
  #isAbandoned = false;

  /** `prepared` requires a session of its own: no pooler may share it. */
  constructor(url: string, prepared?: PreparedStatements) {
    const address = databaseAddress(url);
    this.#prepared = address.prepare ? prepared : undefined;
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
    const inline = isPreparedFailure(reply) ? inlineText(message) : text;
    if (inline === text) {
      return reply;
    }
    // The failed message was one transaction, so it had no effect.
    this.#prepared = undefined;
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
    this.#execute(text);
    return promise;
  }

  /** Every error that does not come from Postgres ends the connection; of Postgres's errors, FATAL and PANIC do. */
  async #execute(text: string): Promise<void> {
    let reply: Reply;
    let isLast = false;
    try {
      const result: unknown = await withoutOrigin(this.#client.unsafe(text).simple());
      reply = { ok: true, rows: lastRows(result as StatementResult | StatementResult[]) };
    } catch (error) {
      reply = { ok: false, error: describe(error) };
      isLast = !(error instanceof postgres.PostgresError) || error.severity !== 'ERROR';
    }
    // The driver keeps the last chunk, which may be a large reply. An empty one replaces it.
    this.#socket?.emit('data', Buffer.alloc(0));
    this.#settle(reply);
    if (isLast) {
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
      .on('data', () => {
        // An unsolicited reply retires the connection: the driver would take it for a part of the next reply.
        this.#mayCarryMore &&= this.#pending !== undefined;
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

/** Whether a message may have failed because its statements are prepared. */
const isPreparedFailure = (reply: Reply): boolean =>
  !reply.ok && reply.error.is === 'refused' && preparedFailures.includes(reply.error.sqlstate);

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
    const {
      code: sqlstate,
      message,
      detail: details,
      hint,
      constraint_name: constraint,
      column_name: column,
    } = error;
    return {
      is: 'refused',
      sqlstate,
      message,
      ...(details && { details }),
      ...(hint && { hint }),
      ...(constraint && { constraint }),
      ...(column && { column }),
    };
  }
  const { code, message, isLost } = error as { code?: string; message?: string; isLost?: true };
  const wasLost = isLost ?? lossCodes.includes(code ?? '');
  return { is: 'unavailable', reason: code ?? message ?? 'unknown', ...(wasLost && { lost: true }) };
}
