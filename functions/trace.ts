/**
 * One request's log line, request id and timing. Never a token, key, query value or body:
 * what is logged is listed here.
 */
import { corsHeaders } from './cors.ts';
import { type Failure, renderFailure } from './failure.ts';
import { respondFailure } from './respond.ts';
import type { Result } from './result.ts';

export class Trace {
  readonly requestId: string;
  caller: string | undefined;
  rows: number | undefined;
  readonly #request: Request;
  readonly #collection: string | undefined;
  readonly #started = performance.now();
  #databaseMs = 0;

  constructor(request: Request, collection?: string) {
    const given = request.headers.get('x-request-id');
    this.requestId = given !== null && /^[\w.-]{1,128}$/.test(given) ? given : crypto.randomUUID();
    this.#request = request;
    this.#collection = collection;
  }

  /** Measures what waits for the database. */
  async database<T>(wait: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await wait();
    } finally {
      this.#databaseMs += performance.now() - started;
    }
  }

  /** Makes the response, with the headers that every answer has, and writes the log line. */
  finish(answer: Result<Response>): Response {
    const response = answer.ok
      ? answer.value
      : respondFailure(answer.failure, this.#request.method === 'HEAD');
    const total = performance.now() - this.#started;
    for (const [name, value] of Object.entries(corsHeaders)) {
      response.headers.set(name, value);
    }
    response.headers.set('x-request-id', this.requestId);
    response.headers.set('cache-control', 'private, no-store');
    response.headers.set('x-content-type-options', 'nosniff');
    response.headers.set(
      'server-timing',
      `db;dur=${this.#databaseMs.toFixed(1)}, total;dur=${total.toFixed(1)}`,
    );
    console.log({
      event: 'request',
      request_id: this.requestId,
      method: this.#request.method,
      ...(this.#collection && { collection: this.#collection }),
      status: response.status,
      ...(this.caller && { caller: this.caller }),
      ...(this.rows !== undefined && { rows: this.rows }),
      total_ms: Math.round(total * 10) / 10,
      database_ms: Math.round(this.#databaseMs * 10) / 10,
      ...(!answer.ok && describe(answer.failure)),
    });
    return response;
  }
}

/** The failure's code, and why the service itself could not answer; a request's own faults have their code alone. */
function describe(failure: Failure): { code: string; reason?: string } {
  const { code } = renderFailure(failure).body;
  return 'reason' in failure ? { code, reason: failure.reason } : { code };
}
