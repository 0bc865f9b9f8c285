/**
 * One connection: one simple-protocol message in, rows or an error as data out. The driver carries every message. The
 * connection opens its own socket for what the driver's can't do on workerd: see socket.ts.
 */
import { Buffer } from 'node:buffer';
import postgres from 'postgres';
import { databaseAddress } from '../common/database-address.ts';
import { type DatabaseError, lost, type Reply, type Row, type SentMessage } from './database.ts';
import { databaseLimits } from './limits.ts';
import { inlineText, isPreparedFailure, type PreparedStatements } from './prepared-statements.ts';
import { openSocket, type Socket, type Tls, tlsOf } from './socket.ts';

/** Values stay text: Postgres has already built the response body. */
const asText = {
  to: 0,
  from: [16, 20, 21, 23, 114, 700, 701, 1082, 1114, 1184, 1700, 3802],
  serialize: String,
  parse: (text: string) => text,
};

/**
 * Carries one message at a time. Its first message opens it, and it belongs to the context that sends that message. Once
 * lost it stays lost: the driver would wait longer before each attempt to reconnect, up to 20 s, even when the database is
 * back.
 */
export class Connection {
  readonly #client: postgres.Sql;
  readonly #began = Date.now();
  #mayCarryMore = true;
  readonly #prepared: PreparedStatements | undefined;
  /** Settles the message in flight. */
  #pending: ((reply: Reply) => void) | undefined;
  #socket: Socket | undefined;
  #isAbandoned = false;

  /** Statements may be prepared only if the session belongs to this connection alone. */
  constructor(url: string, prepared?: PreparedStatements) {
    this.#prepared = prepared;
    this.#client = postgres(url, {
      ...databaseAddress(url),
      max: 1,
      fetch_types: false,
      // A pooler that resets sessions would set the driver's name again before each message: a second round trip.
      connection: { application_name: '' },
      connect_timeout: databaseLimits.connectSeconds,
      idle_timeout: 0,
      max_lifetime: null,
      onnotice: () => {},
      types: { text: asText },
      ssl: false,
      socket: this.#openSocket(tlsOf(url)),
    } as postgres.Options<{ text: postgres.PostgresType }>);
  }

  /** Whether it may carry another message: it is neither retired nor lost. */
  get mayCarryMore(): boolean {
    return this.#mayCarryMore;
  }

  /** Milliseconds since it was made. */
  get age(): number {
    return Date.now() - this.#began;
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
    // The failed message was one transaction, so nothing of it was done.
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
    this.#sendByDriver(text);
    return promise;
  }

  /** Every error that does not come from Postgres ends the connection; of Postgres's errors, FATAL and PANIC do. */
  async #sendByDriver(text: string): Promise<void> {
    try {
      const result: unknown = await this.#client.unsafe(text).simple();
      this.#settle({ ok: true, rows: lastRows(result as StatementResult | StatementResult[]) });
      // The driver refers to the last bytes it has read until others arrive, and a reply may have 16 MiB.
      this.#socket?.emit('data', Buffer.alloc(0));
    } catch (error) {
      this.#settle({ ok: false, error: describe(error) });
      if (!(error instanceof postgres.PostgresError) || error.severity !== 'ERROR') {
        this.abandon();
      }
    }
  }

  /** Settles the message in flight, if it was not given up. */
  #settle(reply: Reply): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.(reply);
  }

  /** Accepts no further message; the one in flight still gets its reply. */
  retire(): void {
    this.#mayCarryMore = false;
  }

  /** Closes it at once; the message in flight fails with this reply, and Postgres stops executing it. */
  abandon(reply = lost('CONNECTION_CLOSED')): void {
    this.#isAbandoned = true;
    this.#mayCarryMore = false;
    this.#settle(reply);
    this.#client.end({ timeout: 0 }).catch(() => {});
  }

  /**
   * Opens one socket and no second. When the server closes a connection during start-up, the driver keeps opening new
   * sockets, and the message would wait for them. This way it fails with the first socket.
   */
  #openSocket(tls: Tls): (options: { host: string[]; port: number[] }) => unknown {
    let isFirst = true;
    return ({ host: [host = ''], port: [port = 0] }) => {
      if (!isFirst) {
        throw Object.assign(new Error('The server closed the connection'), { code: 'CONNECTION_CLOSED' });
      }
      isFirst = false;
      this.#socket = openSocket({ host, port, tls });
      return this.#socket
        .on('data', (chunk: Buffer) => {
          // The driver would take what arrives between two messages for a part of the next reply.
          this.#mayCarryMore &&= chunk.length === 0 || this.#pending !== undefined;
        })
        .once('close', () => {
          this.#mayCarryMore = false;
          // Later, so that the driver reports the reason first if it knows one.
          setTimeout(() => this.abandon());
        });
    };
  }
}

interface StatementResult extends Array<Row> {
  columns?: unknown[];
}

/** Returns the rows of the last statement: the driver resolves one to its rows, and several to an array of results. */
function lastRows(result: StatementResult | StatementResult[]): Row[] {
  const statements = 'columns' in result ? [result as StatementResult] : (result as StatementResult[]);
  const last = statements.findLast(
    statement => statement.columns !== undefined && statement.columns.length > 0,
  );
  return (last ?? []).map(row => ({ ...row }));
}

/** How the driver and Node report a connection that ended. */
const lossCodes = ['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE'];

function describe(error: unknown): DatabaseError {
  if (error instanceof postgres.PostgresError) {
    return {
      is: 'refused',
      sqlstate: error.code,
      message: error.message,
      ...(error.detail && { details: error.detail }),
      ...(error.hint && { hint: error.hint }),
      ...(error.constraint_name && { constraint: error.constraint_name }),
      ...(error.column_name && { column: error.column_name }),
    };
  }
  const { code, message, isLost } = error as { code?: string; message?: string; isLost?: true };
  const lost = isLost ?? lossCodes.includes(code ?? '');
  return { is: 'unavailable', reason: code ?? message ?? 'unknown', ...(lost && { lost }) };
}
