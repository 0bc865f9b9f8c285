/**
 * One request's log line, request id and timing. Never a token, key, query value or body:
 * what is logged is listed here.
 */

import type { Result } from '../common/result.ts';
import { loggedOf } from '../failure/render.ts';
import { largeResponses, streamHeld } from '../memory/large-response.ts';
import { discardBody } from '../request/read-body.ts';
import { requestIdOf } from '../request/request-id.ts';
import { type TraceParent, traceParentOf } from '../request/trace-parent.ts';
import { commonHeaders } from '../response/headers.ts';
import { type ResponseData, respondFailure } from '../response/response-data.ts';

export class Trace {
  readonly requestId: string;
  readonly traceParent: TraceParent | undefined;
  caller: string | undefined;
  readonly #request: Request;
  readonly #collection: string | undefined;
  readonly #started = performance.now();
  #databaseMs = 0;

  constructor(request: Request, collection?: string) {
    this.requestId = requestIdOf(request);
    this.traceParent = traceParentOf(request);
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
  async finish(result: Result<ResponseData>): Promise<Response> {
    await discardBody(this.#request);
    const answer = result.ok ? result.value : respondFailure(result.failure, this.#request.method === 'HEAD');
    const total = performance.now() - this.#started;
    console.log({
      event: 'request',
      request_id: this.requestId,
      ...(this.traceParent && {
        trace_id: this.traceParent.traceId,
        parent_id: this.traceParent.parentId,
      }),
      method: this.#request.method,
      ...(this.#collection ? { collection: this.#collection } : { path: pathOf(this.#request) }),
      status: answer.status,
      ...(this.caller && { caller: this.caller }),
      ...(answer.rows !== undefined && { rows: answer.rows }),
      ...(answer.cached && { cached: true }),
      total_ms: Math.round(total * 10) / 10,
      database_ms: Math.round(this.#databaseMs * 10) / 10,
      ...(!result.ok && loggedOf(result.failure)),
    });
    return new Response(bodyOf(answer), {
      status: answer.status,
      headers: {
        ...commonHeaders(this.#request),
        ...answer.headers,
        'x-request-id': this.requestId,
        'server-timing': `db;dur=${this.#databaseMs.toFixed(1)}, total;dur=${total.toFixed(1)}`,
      },
    });
  }
}

/** A large answer goes out in pieces, so that it is known when it is gone. */
function bodyOf({ body, lease }: ResponseData): BodyInit | null {
  if (!lease) {
    return body;
  }
  if (body === null) {
    largeResponses.release(lease);
    return null;
  }
  return streamHeld(body, lease);
}

/** Characters of a path that nobody serves, or that met a bug, in the log. */
const longestPath = 100;

/** The path alone, as the URL escapes it. */
const pathOf = ({ url }: Request): string => new URL(url).pathname.slice(0, longestPath);
