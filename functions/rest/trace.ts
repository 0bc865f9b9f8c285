/**
 * A request's log line, id and timing. The log never contains a token, a key, a query value or a body; all logged fields are
 * listed here. A failure includes the signed-in caller's account, so that operators can search for it.
 */
import type { Caller } from '../caller/caller.ts';
import type { Failure } from '../common/failure/failure.ts';
import { loggedOf } from '../common/failure/render-failure.ts';
import type { Result } from '../common/failure/result.ts';
import { limits } from '../common/limits.ts';
import { type TraceParent, traceParentOf } from '../common/trace-parent.ts';
import { writeLog } from '../common/write-log.ts';
import { type ResponseData, respondFailure } from './response/response-data.ts';
import { type Sendable, send } from './response/send.ts';

/** What is logged of an endpoint, and how it responds to failures. */
interface TracedEndpoint {
  name?: string;
  key?: string;
  names?: readonly string[];
  refuse?(failure: Failure, request: Request): ResponseData;
}

export class Trace {
  readonly requestId: string;
  readonly traceParent: TraceParent | undefined;
  caller: Caller | undefined;
  readonly #request: Request;
  readonly #endpoint: TracedEndpoint;
  readonly #started = performance.now();
  #databaseMs = 0;

  constructor(request: Request, endpoint: TracedEndpoint = {}) {
    this.requestId = requestIdOf(request);
    this.traceParent = traceParentOf(request);
    this.#request = request;
    this.#endpoint = endpoint;
  }

  /** Runs `query`, and adds its duration to the request's database time. */
  async database<T>(query: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await query();
    } finally {
      this.#databaseMs += performance.now() - started;
    }
  }

  /** Returns the response, and writes the request's line to the log; if not `logged`, only for a failure. */
  finish(result: Result<Sendable>, logged = true): Response {
    const { refuse = respondFailure } = this.#endpoint;
    const response = result.ok ? result.value : refuse(result.failure, this.#request);
    const total = performance.now() - this.#started;
    if (logged || !result.ok) {
      this.#log(result, response, total);
    }
    const timing = `db;dur=${this.#databaseMs.toFixed(1)}, total;dur=${total.toFixed(1)}`;
    return this.send({ ...response, headers: { ...response.headers, 'server-timing': timing } });
  }

  /** Returns the response without logging it. */
  send(response: Sendable): Response {
    return send(this.#request, response, this.requestId);
  }

  #log(result: Result<Sendable>, response: Sendable, total: number): void {
    writeLog({
      event: 'request',
      request_id: this.requestId,
      ...(this.traceParent && {
        trace_id: this.traceParent.traceId,
        parent_id: this.traceParent.parentId,
      }),
      method: this.#request.method,
      ...(this.#endpoint.name ? { collection: this.#endpoint.name } : { path: pathOf(this.#request) }),
      status: response.status,
      // Of this, and of no ratio, an alert can watch the average.
      failed: response.status >= 500 ? 1 : 0,
      ...(this.caller && { caller: this.caller.kind }),
      ...(!result.ok && accountOf(this.caller)),
      ...(response.rows !== undefined && { rows: response.rows }),
      ...(response.cached && { cached: true }),
      total_ms: Math.round(total * 10) / 10,
      database_ms: Math.round(this.#databaseMs * 10) / 10,
      ...(!result.ok && {
        ...loggedOf(result.failure, this.#endpoint.names),
        ...rowOf(this.#request, this.#endpoint),
      }),
    });
  }
}

/** Characters of a logged path, for unknown paths and bugs. */
const loggedPath = 100;

/** Returns the account id of a signed-in caller: the `sub` of its verified token. */
const accountOf = (caller: Caller | undefined): { account: string } | undefined =>
  caller?.claims && 'sub' in caller.claims ? { account: caller.claims.sub } : undefined;

/** Returns the id of the row that the filter names, if it names one: a uuid or a number. */
function rowOf({ url }: Request, { key }: { key?: string }): { row_id: string } | undefined {
  const filters = new URL(url).searchParams.getAll(key ?? '');
  const [, id] = /^eq\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{1,19})$/i.exec(filters.join()) ?? [];
  return id === undefined ? undefined : { row_id: id };
}

/** Returns the path without the query. Masks segments that are no names: a signed token, as a link in a mail has, or a value. */
const pathOf = ({ url }: Request): string =>
  new URL(url).pathname
    .split('/')
    .map(part => (!/^[\w.-]*$/.test(part) || (part.length >= tokenLength && part.includes('.')) ? '…' : part))
    .join('/')
    .slice(0, loggedPath);

/** Minimum length of a token: a key, a dot and a signature. */
const tokenLength = 64;

/** Returns the id of a request: the client's own if it is well-formed, so that the client can find its request in the log. */
function requestIdOf({ headers }: Request): string {
  const id = headers.get('x-request-id');
  return id !== null && /^[\w.-]+$/.test(id) && id.length <= limits.request.requestId
    ? id
    : crypto.randomUUID();
}
