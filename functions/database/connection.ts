/**
 * One connection: one simple-protocol message in, rows or an error as data out. The driver opens it and sends its first
 * message, since start-up and authentication are the driver's. A later message is nothing but a query and its reply, and goes
 * past the driver, whose simple query takes workerd half as much again as writing to the socket and reading from it.
 */
import { Buffer } from 'node:buffer';
import postgres from 'postgres';
import { databaseAddress } from '../common/database-address.ts';
import { limits } from '../common/limits.ts';
import { askDriver } from './ask-driver.ts';
import { type Reply, type SentMessage, unavailable } from './database.ts';
import { inlineText, type PreparedStatements } from './prepared-statements.ts';
import { type Answer, isAtEnd, ReplyReader, simpleQuery } from './reply-reader.ts';
import { openSocket, type Socket, type Tls, tlsOf } from './socket.ts';

/** Values stay text: Postgres has already built the response body. */
const asText = {
  to: 0,
  from: [16, 20, 21, 23, 114, 700, 701, 1082, 1114, 1184, 1700, 3802],
  serialize: String,
  parse: (text: string) => text,
};

/** The message in flight. */
interface Pending {
  text: string;
  resolve: (reply: Reply) => void;
}

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
  #pending: Pending | undefined;
  #socket: Socket | undefined;
  /** Whether the driver has opened it and is needed no more. */
  #isOpen = false;
  #isAbandoned = false;

  /** Statements may be prepared only if the session belongs to this connection alone. */
  constructor(url: string, prepared?: PreparedStatements) {
    this.#prepared = prepared;
    this.#client = postgres(url, {
      ...databaseAddress(url),
      max: 1,
      fetch_types: false,
      connect_timeout: limits.database.connectSeconds,
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

  /** The text of the message in flight. */
  get inFlight(): string | undefined {
    return this.#pending?.text;
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
    // The failed message was one transaction, so nothing of it was done.
    if (sqlstateOf(reply) === changedColumns) {
      // Prepared anew under another name, the statement would be in the session twice.
      this.retire();
    } else {
      this.#prepared.forget(message, sqlstateOf(reply) === missingStatement);
    }
    return this.#sendText(inline);
  }

  #sendText(text: string): Promise<Reply> {
    if (this.#pending) {
      throw new TypeError('A connection carries one message at a time');
    }
    if (this.#isAbandoned) {
      return Promise.resolve(unavailable('CONNECTION_ENDED'));
    }
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#pending = { text, resolve };
    if (this.#isOpen) {
      this.#socket?.write(simpleQuery(text));
    } else {
      this.#sendByDriver(text);
    }
    return promise;
  }

  /** Settles the message in flight, if it was not given up. */
  #settle(reply: Reply): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(reply);
  }

  /** Accepts no further message; the one in flight still gets its reply. */
  retire(): void {
    this.#mayCarryMore = false;
  }

  /** Gives up the message in flight, which fails with this reason, and carries no other. */
  giveUp(reason: string): void {
    this.#mayCarryMore = false;
    this.#settle(unavailable(reason));
  }

  /** Closes it at once; the message in flight fails. */
  abandon(): void {
    this.#isAbandoned = true;
    this.giveUp('CONNECTION_CLOSED');
    this.#client.end({ timeout: 0 }).catch(() => {});
  }

  /** Sends a message through the driver, and takes the socket over when all of its answer has arrived, and nothing else. */
  async #sendByDriver(text: string): Promise<void> {
    const answer = await askDriver(this.#client, text);
    if (this.#socket && isAtEnd(this.#socket.lastBytes)) {
      this.#takeOver(this.#socket);
    }
    this.#take(answer);
  }

  /** Reads what arrives from now on. */
  #takeOver(socket: Socket): void {
    // The driver refers to the last bytes it has read until others arrive, and the reply may have 16 MiB.
    socket.emit('data', Buffer.alloc(0));
    const reader = new ReplyReader();
    socket.listen(chunk => this.#take(reader.read(chunk)));
    this.#isOpen = true;
  }

  /** Takes an answer. What answers no message in flight ends the connection: the next one could be taken for another's. */
  #take(answer: Answer | undefined): void {
    if (answer === undefined) {
      return;
    }
    const isExpected = this.#pending !== undefined;
    this.#settle(answer.reply);
    if (answer.endsConnection || !isExpected) {
      this.abandon();
    }
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
      return this.#socket.once('close', () => {
        this.#mayCarryMore = false;
        // Later, so that the driver reports the reason first if it knows one.
        setTimeout(() => this.abandon());
      });
    };
  }
}

/**
 * The session does not have the prepared statement (26000: a pooler switched the session), or has another of that name
 * (42P05), the columns have changed since it was prepared (0A000: a migration), or it can't be prepared (42P18).
 */
const missingStatement = '26000';
const changedColumns = '0A000';
const preparedFailures = [missingStatement, '42P05', changedColumns, '42P18'];

const sqlstateOf = (reply: Reply): string | undefined =>
  reply.ok || reply.error.is !== 'refused' ? undefined : reply.error.sqlstate;

const isPreparedFailure = (reply: Reply): boolean => preparedFailures.includes(sqlstateOf(reply) ?? '');
