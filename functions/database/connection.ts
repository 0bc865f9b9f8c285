/** One connection through the driver: one simple-protocol message in, rows or an error as data out. */
import postgres from 'postgres';
import { inlineText, type PreparedStatements } from '../statement/prepared-statements.ts';
import { type DatabaseError, type Reply, type Row, type SentMessage, unavailable } from './database.ts';
import { openSocket, type Tls } from './socket.ts';

/** Text stays text: Postgres has built the answer already. */
const asText = {
  to: 0,
  from: [16, 20, 21, 23, 114, 700, 701, 1082, 1114, 1184, 1700, 3802],
  serialize: String,
  parse: (text: string) => text,
};

/** What a connection may carry, since Postgres keeps things per session for as long as it lives. */
export interface Lifetime {
  messages: number;
  milliseconds: number;
}

/**
 * It is opened by its first message, and belongs to the context that sends that. Once it is lost it stays so: the
 * driver would wait longer before each attempt to get it back, up to 20 s, when the database has been there for long.
 */
export class Connection {
  readonly #client: postgres.Sql;
  readonly #began = Date.now();
  #messages = 0;
  #lost = false;
  readonly #prepared: PreparedStatements | undefined;
  /** What is in flight, each with its text. */
  readonly #answers = new Map<(reply: Reply) => void, string>();

  /** Statements are prepared where the session is this connection's alone. */
  constructor(url: string, prepared?: PreparedStatements) {
    this.#prepared = prepared;
    this.#client = postgres(url, {
      max: 1,
      fetch_types: false,
      connect_timeout: 5,
      idle_timeout: 0,
      max_lifetime: null,
      onnotice: () => {},
      types: { text: asText } as never,
      ssl: false,
      socket: this.#openSocket(tlsOf(url)),
    } as postgres.Options<Record<string, never>>);
  }

  /** It is not for another message. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** What part of its lifetime is behind it: 1 when all of it is. */
  age({ messages, milliseconds }: Lifetime): number {
    return Math.max(this.#messages / messages, (Date.now() - this.#began) / milliseconds);
  }

  /** The texts of the messages in flight. */
  get inFlight(): string[] {
    return [...this.#answers.values()];
  }

  /** Sends a message; the answer is the rows of its last statement that has any columns. Never rejects. */
  async send(message: SentMessage): Promise<Reply> {
    if (typeof message === 'string') {
      return this.#sendText(message);
    }
    if (this.#prepared === undefined) {
      return this.#sendText(inlineText(message));
    }
    const reply = await this.#sendText(this.#prepared.render(message));
    if (!isPreparedFailure(reply)) {
      return reply;
    }
    // The message was one transaction, and did nothing.
    this.#prepared.forget(message);
    return this.#sendText(inlineText(message));
  }

  #sendText(text: string): Promise<Reply> {
    this.#messages += 1;
    return new Promise(resolve => {
      const answer = (reply: Reply): void => {
        this.#answers.delete(answer);
        resolve(reply);
      };
      this.#answers.set(answer, text);
      this.#ask(text, answer);
    });
  }

  /** No message more; those under way are still answered. */
  retire(): void {
    this.#lost = true;
  }

  /** Gives it up, whatever is under way; waits for nothing. */
  abandon(): void {
    this.#lost = true;
    for (const answer of this.#answers.keys()) {
      answer(unavailable('CONNECTION_CLOSED'));
    }
    this.#client.end({ timeout: 0 }).catch(() => {});
  }

  async #ask(text: string, answer: (reply: Reply) => void): Promise<void> {
    try {
      const result: unknown = await this.#client.unsafe(text).simple();
      answer({ ok: true, rows: lastRows(result as StatementResult | StatementResult[]) });
    } catch (error) {
      answer({ ok: false, error: describe(error) });
      if (endsConnection(error)) {
        this.abandon();
      }
    }
  }

  /**
   * When the server ends a connection while it is made, the driver asks for another socket, and again; and a message
   * behind the first would wait for that. So there is one socket, and its end is everybody's.
   */
  #openSocket(tls: Tls): (options: { host: string[]; port: number[] }) => unknown {
    let isFirst = true;
    return ({ host: [host = ''], port: [port = 0] }) => {
      if (!isFirst) {
        throw Object.assign(new Error('The server ended the connection'), { code: 'CONNECTION_CLOSED' });
      }
      isFirst = false;
      return openSocket({ host, port, tls }).once('close', () => {
        this.#lost = true;
        // What the driver knows of the reason comes first.
        setTimeout(() => this.abandon());
      });
    };
  }
}

/** Whether the driver's address asks for TLS; Postgres's own names of modes. */
function tlsOf(url: string): Tls {
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode') ?? searchParams.get('ssl') ?? 'disable';
  if (mode === 'disable' || mode === 'false') {
    return 'disable';
  }
  return mode === 'prefer' || mode === 'allow' ? 'prefer' : 'require';
}

interface StatementResult extends Array<Row> {
  columns?: unknown[];
}

/** One statement resolves to its rows, several to an array of those. */
function lastRows(result: StatementResult | StatementResult[]): Row[] {
  const statements = 'columns' in result ? [result as StatementResult] : (result as StatementResult[]);
  const last = statements.findLast(
    statement => statement.columns !== undefined && statement.columns.length > 0,
  );
  return (last ?? []).map(row => ({ ...row }));
}

/**
 * The session has not the prepared statement (26000: a pooler gave another session), has another by its name (42P05), its
 * rows would have other columns than when it was prepared (0A000: a migration), or it can't be prepared (42P18).
 */
const preparedFailures = ['26000', '42P05', '0A000', '42P18'];

const isPreparedFailure = (reply: Reply): boolean =>
  !reply.ok && reply.error.is === 'refused' && preparedFailures.includes(reply.error.sqlstate);

/** What Postgres calls fatal, and everything that Postgres didn't say. */
const endsConnection = (error: unknown): boolean =>
  !(error instanceof postgres.PostgresError) || error.severity !== 'ERROR';

function describe(error: unknown): DatabaseError {
  if (error instanceof postgres.PostgresError) {
    return {
      is: 'refused',
      sqlstate: error.code,
      message: error.message,
      ...(error.detail && { details: error.detail }),
      ...(error.hint && { hint: error.hint }),
    };
  }
  const { code, message } = error as { code?: string; message?: string };
  return { is: 'unavailable', reason: code ?? message ?? 'unknown' };
}
