/**
 * One request's log line, request id and timing. Never a token, key, query value or body:
 * what is logged is listed here.
 */
import { corsHeaders } from './cors.ts';
import { renderFailure } from './failure.ts';
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
      collection: this.#collection,
      status: response.status,
      caller: this.caller,
      rows: this.rows,
      total_ms: Math.round(total * 10) / 10,
      database_ms: Math.round(this.#databaseMs * 10) / 10,
      ...(!answer.ok && { code: renderFailure(answer.failure).body.code, reason: reasonOf(answer.failure) }),
    });
    return response;
  }
}

/** Why the service itself could not answer; a request's own faults have their code. */
const reasonOf = (failure: object): string | undefined =>
  'reason' in failure && typeof failure.reason === 'string' ? failure.reason : undefined;
